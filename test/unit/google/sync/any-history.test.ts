import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupBody } from '../../../../src/google/mapping/group.ts'
import { managerEmailOf, userBody } from '../../../../src/google/mapping/user.ts'
import { isObject, own } from '../../../../src/scim/json.ts'
import { parseResource } from '../../../../src/scim/resource/parse-resource.ts'
import { groupType, userType } from '../../../../src/scim/schema/resource-type.ts'
import { inOrderOfIds } from '../../../support/rebuilt.ts'
import { replicaFrom } from '../../../support/replica.ts'
import { everyone, groupMember, person, reportTo, team, userMember } from './support/people.ts'
import type { SyncedDirectory } from './support/sync.ts'
import { openSync } from './support/sync.ts'
import type { ScriptedWorkspace } from './support/workspace.ts'
import { failing } from './support/workspace.ts'

const people = ['ann', 'bob', 'cat', 'dan', 'eve'] as const
const teams = ['one', 'two', 'six'] as const
const names = [...people, 'boss', 'chief'] as const

type Change =
  | { what: 'user'; id: string; name: string; suspended: boolean; manager: string | undefined }
  | { what: 'user-goes' | 'group-goes' | 'group'; id: string }
  | { what: 'member'; group: string; member: string }

const somebody = fc.constantFrom(...people)
const aName = fc.constantFrom(...names)
const aGroup = fc.constantFrom(...teams)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    what: fc.constant('user' as const),
    id: somebody,
    name: aName,
    suspended: fc.boolean(),
    manager: fc.option(aName, { nil: undefined }),
  }),
  fc.record({ what: fc.constant('user-goes' as const), id: somebody }),
  fc.record({ what: fc.constant('group' as const), id: aGroup }),
  fc.record({ what: fc.constant('group-goes' as const), id: aGroup }),
  fc.record({
    what: fc.constant('member' as const),
    group: aGroup,
    member: fc.constantFrom(...people, ...teams, 'stranger', 'everyone'),
  }),
)
const history = fc.array(
  fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 12 }),
    pageSize: fc.integer({ min: 1, max: 4 }),
    failsAt: fc.option(fc.nat({ max: 25 }), { nil: undefined }),
    misses: fc.option(fc.constantFrom(...people, ...teams), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 5 },
)

/** Makes a change as Google would, with unique names. */
function make({ users, groups, members, addUsers, addGroup }: ScriptedWorkspace, one: Change): void {
  if (one.what === 'user') {
    const primaryEmail = `${one.name}@acme.example`
    const isTaken = [...users.values()].some((user) => user.id !== one.id && user.primaryEmail === primaryEmail)
    const user = one.manager === undefined ? person(one.id) : reportTo(one.id, `${one.manager}@acme.example`)
    if (!isTaken) addUsers({ ...user, primaryEmail, suspended: one.suspended })
  } else if (one.what === 'user-goes') {
    users.delete(one.id)
    for (const [id, all] of members)
      members.set(
        id,
        all.filter((member) => member.id !== one.id),
      )
  } else if (one.what === 'group') {
    if (!groups.has(one.id)) addGroup(team(one.id))
  } else if (one.what === 'group-goes') {
    groups.delete(one.id)
    members.delete(one.id)
    for (const [id, all] of members)
      members.set(
        id,
        all.filter((member) => member.id !== one.id),
      )
  } else if (one.what === 'member') {
    toggle(members, groups, users, one)
  }
}

function toggle(
  members: ScriptedWorkspace['members'],
  groups: ScriptedWorkspace['groups'],
  users: ScriptedWorkspace['users'],
  { group, member }: { group: string; member: string },
): void {
  const before = members.get(group)
  const known = users.has(member) || groups.has(member) || member === 'stranger' || member === 'everyone'
  if (before === undefined || !known) return
  const kind = groups.has(member) ? groupMember(member) : userMember(member)
  const wanted = member === 'everyone' ? everyone : kind
  const without = before.filter(({ id }) => id !== wanted.id)
  members.set(group, without.length < before.length ? without : [...before, wanted])
}

/** The expected content of the directory. */
function expected({ users, groups, members }: ScriptedWorkspace) {
  const idOf = (email: string | undefined) => [...users.values()].find((user) => user.primaryEmail === email)?.id
  const within = (groupId: string, visited: Set<string>): string[] => {
    if (visited.has(groupId)) return []
    visited.add(groupId)
    return (members.get(groupId) ?? []).flatMap(({ id, kind }) => {
      if (kind === 'group') return within(id, visited)
      if (kind === 'user') return users.has(id) ? [id] : []
      return [...users.values()].filter(({ suspended }) => !suspended).map((user) => user.id)
    })
  }
  return {
    users: [...users.values()].map((user) => {
      const managerId = idOf(managerEmailOf(user))
      const manager = managerId === undefined ? undefined : { value: managerId }
      return { ...parseResource(userType, userBody(user, manager)), id: user.id }
    }),
    groups: [...groups.values()].map((group) => ({ ...parseResource(groupType, groupBody(group)), id: group.id })),
    members: Object.fromEntries([...groups.keys()].map((id) => [id, [...new Set(within(id, new Set()))].sort()])),
  }
}

async function storedIn(directory: SyncedDirectory) {
  const { users, groups, members } = await directory.replica()
  const raws = (rows: readonly unknown[]) => rows.map((row) => (isObject(row) ? own(row, 'raw') : undefined))
  return { users: raws(users), groups: raws(groups), members }
}

test('after any changes and failed syncs, the next complete sync has them all, reports them as events, and a further one does nothing', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await using directory = await openSync()
      const { workspace } = directory
      for (const { changes, pageSize, failsAt, misses } of steps) {
        for (const one of changes) make(workspace, one)
        workspace.pageSize = pageSize
        await syncWithTrouble(directory, failsAt, misses)
        await directory.sync({ maxDeletePercent: 100 })
        assert.deepEqual(inOrderOfIds(await storedIn(directory)), inOrderOfIds(expected(workspace)))
        assert.deepEqual(inOrderOfIds(replicaFrom(directory.events)), inOrderOfIds(await directory.replica()))
        const { reported, writes } = await directory.sync({ maxDeletePercent: 100 })
        assert.deepEqual({ reported, writes }, { reported: [], writes: 0 })
      }
    }),
    { numRuns: 30 },
  )
})

/** A sync with an incomplete list or a failing call; it never deletes anybody who exists. */
async function syncWithTrouble(
  directory: SyncedDirectory,
  failsAt: number | undefined,
  misses: string | undefined,
): Promise<void> {
  const { workspace, events } = directory
  const before = events.length
  let calls = 0
  if (misses !== undefined) workspace.missed.add(misses)
  if (failsAt !== undefined) {
    workspace.onCall = failing('unavailable', () => {
      calls += 1
      return calls === failsAt
    })
  }
  await directory
    .sync({ maxDeletePercent: 100 })
    .catch((error: unknown) => assert.match(String(error), /the way of the test/))
  workspace.onCall = () => undefined
  workspace.missed.clear()
  for (const { event, data } of events.slice(before)) {
    const isThere = workspace.users.has(data.id) || workspace.groups.has(data.id)
    assert(!(event.endsWith('deleted') && isThere), `${event} of one that is there`)
  }
}
