import type { ReceivedEvent } from './receiver.ts'
import type { Replica } from './replica.ts'

/** A row of a product's copy, with the sequence number of the event that last reported it. */
interface CopyRow {
  readonly data: unknown
  readonly sequence: number
}

interface CopyMember {
  readonly groupId: string
  readonly userId: string
  readonly sequence: number
}

/** A product's copy of a directory, possibly wrong. */
export interface Copy {
  readonly users: Map<string, CopyRow>
  readonly groups: Map<string, CopyRow>
  readonly members: Map<string, CopyMember>
  /** The running resync, and the sequence number of its `sync.started`. */
  sync?: { readonly id: string | undefined; readonly startedAt: number }
}

export const emptyCopy = (): Copy => ({ users: new Map(), groups: new Map(), members: new Map() })

/** Applies an event to a copy as described in docs/resync.md. */
export function applyEvent(copy: Copy, { event, sequence, data }: ReceivedEvent): void {
  const { users, groups, members } = copy
  const { sync_id: syncId, group, ...resource } = data
  const { id } = resource
  switch (event) {
    case 'user.created':
    case 'user.updated':
    case 'user.snapshot':
      users.set(id, { data: resource, sequence })
      return
    case 'group.created':
    case 'group.updated':
    case 'group.snapshot':
      groups.set(id, { data: resource, sequence })
      return
    case 'user.deleted':
    case 'user.erased':
      users.delete(id)
      dropWhere(members, ({ userId }) => userId === id)
      return
    case 'group.deleted':
      groups.delete(id)
      dropWhere(members, ({ groupId }) => groupId === id)
      return
    case 'group.user_added':
    case 'member.snapshot':
      members.set(`${group?.id} ${id}`, { groupId: group?.id ?? '', userId: id, sequence })
      return
    case 'group.user_removed':
      members.delete(`${group?.id} ${id}`)
      return
    case 'sync.started':
      copy.sync = { id: syncId, startedAt: sequence }
      return
    case 'sync.completed':
      if (copy.sync?.id === syncId) deleteUnreported(copy, copy.sync?.startedAt ?? 0)
  }
}

function deleteUnreported({ users, groups, members }: Copy, startedAt: number): void {
  for (const rows of [users, groups, members]) dropWhere<{ sequence: number }>(rows, (row) => row.sequence < startedAt)
}

function dropWhere<T>(rows: Map<string, T>, isGone: (row: T) => boolean): void {
  for (const [key, row] of rows) if (isGone(row)) rows.delete(key)
}

/** The contents of a copy, ordered by id. */
export function replicaOf({ users, groups, members }: Copy): Replica {
  const data = (rows: Copy['users']) => [...rows.values()].map((row) => row.data)
  const usersOf = (id: string) => [...members.values()].filter(({ groupId }) => groupId === id)
  const inGroups = [...groups.keys()].map((id) => [id, usersOf(id).map(({ userId }) => userId)] as const)
  return inOrderOfIds({ users: data(users), groups: data(groups), members: Object.fromEntries(inGroups) })
}

/** The same, with everything ordered by id. */
export function inOrderOfIds({ users, groups, members }: Replica): Replica {
  const sortedMembers = Object.entries(members).map(([id, userIds]) => [id, userIds.toSorted()] as const)
  return { users: byId(users), groups: byId(groups), members: Object.fromEntries(sortedMembers) }
}

function byId(rows: readonly unknown[]): unknown[] {
  return (rows as readonly { readonly id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
