import type { GoogleFailureKind } from '../../../../../src/google/client/failure.ts'
import { GoogleFailure } from '../../../../../src/google/client/failure.ts'
import type { GoogleGroup, GoogleMember, GooglePage, GoogleUser } from '../../../../../src/google/client/items.ts'
import type { Workspace } from '../../../../../src/google/client/workspace.ts'

/** A call of a Workspace function. */
export interface Call {
  readonly name: keyof Workspace
  /** The requested user or group. */
  readonly id?: string | undefined
  /** The user of `hasMember`. */
  readonly userId?: string | undefined
  readonly pageToken?: string | undefined
}

/** A Workspace in memory that a test controls. */
export interface ScriptedWorkspace extends Workspace {
  readonly users: Map<string, GoogleUser>
  readonly groups: Map<string, GoogleGroup>
  /** The direct members of each group. */
  readonly members: Map<string, GoogleMember[]>
  /** Ids of users and groups, and `group/user` pairs, that exist but are missing from lists. */
  readonly missed: Set<string>
  /** Groups for which `hasMember` returns `unknown`. */
  readonly silent: Set<string>
  readonly calls: Call[]
  /** Called before each call; may change the Workspace or throw the error of the call. */
  onCall: (call: Call) => void
  pageSize: number
  addUsers(...users: readonly GoogleUser[]): void
  addGroup(group: GoogleGroup, ...members: readonly GoogleMember[]): void
  /** The calls with this name, and this id if specified. */
  callsOf(name: Call['name'], id?: string): Call[]
}

export function createScriptedWorkspace(): ScriptedWorkspace {
  const workspace: ScriptedWorkspace = {
    users: new Map(),
    groups: new Map(),
    members: new Map(),
    missed: new Set(),
    silent: new Set(),
    calls: [],
    onCall: () => undefined,
    pageSize: 3,
    addUsers(...users) {
      for (const user of users) workspace.users.set(user.id, user)
    },
    addGroup(group, ...members) {
      workspace.groups.set(group.id, group)
      workspace.members.set(group.id, [...members])
    },
    callsOf: (name, id) => workspace.calls.filter((call) => call.name === name && (id ?? call.id) === call.id),

    async listUsers(pageToken) {
      reported({ name: 'listUsers', pageToken })
      return pageOf(listed(workspace.users), pageToken)
    },
    async listGroups(pageToken) {
      reported({ name: 'listGroups', pageToken })
      return pageOf(listed(workspace.groups), pageToken)
    },
    async listMembers(id, pageToken) {
      reported({ name: 'listMembers', id, pageToken })
      const members = workspace.members.get(id)
      if (members === undefined) throw failure('not-found')
      return pageOf(
        members.filter((member) => !workspace.missed.has(`${id}/${member.id}`)),
        pageToken,
      )
    },
    async getUser(id) {
      reported({ name: 'getUser', id })
      return workspace.users.get(id)
    },
    async getGroup(id) {
      reported({ name: 'getGroup', id })
      const address = id.toLowerCase()
      return workspace.groups.get(id) ?? [...workspace.groups.values()].find(({ email }) => email === address)
    },
    async hasMember(id, userId) {
      reported({ name: 'hasMember', id, userId })
      return workspace.silent.has(id) ? 'unknown' : isIn(id, userId, new Set())
    },
  }

  function reported(call: Call): void {
    workspace.calls.push(call)
    workspace.onCall(call)
  }

  function listed<T>(items: ReadonlyMap<string, T>): T[] {
    return [...items].filter(([id]) => !workspace.missed.has(id)).map(([, item]) => item)
  }

  /** A token is an offset: items added or removed in the meantime shift the others. */
  function pageOf<T>(items: readonly T[], pageToken = '0'): GooglePage<T> {
    const end = Number(pageToken) + workspace.pageSize
    return { items: items.slice(Number(pageToken), end), nextPageToken: end < items.length ? String(end) : undefined }
  }

  function isIn(groupId: string, userId: string, visited: Set<string>): boolean {
    if (visited.has(groupId)) return false
    visited.add(groupId)
    const members = workspace.members.get(groupId) ?? []
    return members.some(({ id, kind }) => {
      if (kind === 'group') return isIn(id, userId, visited)
      return kind === 'customer' || id === userId
    })
  }

  return workspace
}

export function failure(kind: GoogleFailureKind): GoogleFailure {
  return new GoogleFailure(kind, `Google failed in the way of the test: ${kind}.`)
}

/** Makes certain calls fail, every time or only once. */
export function failing(
  kind: GoogleFailureKind,
  isMeant: (call: Call) => boolean,
  times = Number.POSITIVE_INFINITY,
): ScriptedWorkspace['onCall'] {
  let left = times
  return (call) => {
    if (left === 0 || !isMeant(call)) return
    left -= 1
    throw failure(kind)
  }
}
