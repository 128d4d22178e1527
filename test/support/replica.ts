import assert from 'node:assert/strict'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import type { Client, Row } from './client.ts'
import type { ReceivedEvent } from './receiver.ts'

/**
 * The contents of a directory as a product knows them: users and groups as in the API, and the members of each group.
 */
export interface Replica {
  readonly users: readonly unknown[]
  readonly groups: readonly unknown[]
  /** The user ids of each group, sorted, by the group's id. */
  readonly members: Readonly<Record<string, readonly string[]>>
}

/**
 * Builds a product's copy from the events alone. Fails if an event contradicts an earlier one or the sequence has a
 * gap.
 */
export function replicaFrom(events: readonly ReceivedEvent[]): Replica {
  const users = new Map<string, Row>()
  const groups = new Map<string, { readonly group: Row; readonly members: Set<string> }>()
  for (const [index, event] of events.entries()) {
    const what = `${event.event}, sequence ${event.sequence}`
    assert.equal(event.sequence, index + 1, `the sequence has no gap at ${what}`)
    follow(event, users, groups, what)
  }
  return {
    users: [...users.values()],
    groups: [...groups.values()].map(({ group }) => group),
    members: Object.fromEntries([...groups].map(([id, { members }]) => [id, [...members].sort()])),
  }
}

function follow(
  { event, data, changes }: ReceivedEvent,
  users: Map<string, Row>,
  groups: Map<string, { readonly group: Row; readonly members: Set<string> }>,
  what: string,
): void {
  const { id } = data
  switch (event) {
    case 'user.created':
      assert(!users.has(id), `the user is new: ${what}`)
      users.set(id, data)
      return
    case 'user.updated':
      assert.deepEqual(changed(users.get(id)?.raw, changes), withoutSchemas(data.raw), `the changes add up: ${what}`)
      users.set(id, data)
      return
    case 'user.erased':
      users.delete(id)
      return
    case 'user.deleted':
      assert.deepEqual(data, users.get(id), `the event has the last state: ${what}`)
      users.delete(id)
      for (const { members } of groups.values()) members.delete(id)
      return
    case 'group.created':
      assert(!groups.has(id), `the group is new: ${what}`)
      groups.set(id, { group: data, members: new Set() })
      return
    case 'group.updated':
      if (changes?.['members'] === undefined) {
        const before = groups.get(id)?.group.raw
        assert.deepEqual(changed(before, changes), withoutSchemas(data.raw), `the changes add up: ${what}`)
      }
      groups.set(id, { group: data, members: groups.get(id)?.members ?? new Set() })
      return
    case 'group.deleted':
      assert.deepEqual(data, groups.get(id)?.group, `the event has the last state: ${what}`)
      groups.delete(id)
      return
    case 'group.user_added':
    case 'group.user_removed':
      followMember(event, data, users, groups, what)
      return
    case 'user.snapshot':
      assert.deepEqual(withoutSyncId(data), users.get(id), `the snapshot is the current state: ${what}`)
      return
    case 'group.snapshot':
      assert.deepEqual(withoutSyncId(data), groups.get(id)?.group, `the snapshot is the current state: ${what}`)
      return
    case 'member.snapshot':
      followMember(event, withoutSyncId(data), users, groups, what)
      return
    case 'sync.started':
    case 'sync.completed':
  }
}

function withoutSyncId({ sync_id: _, ...data }: ReceivedEvent['data']): ReceivedEvent['data'] {
  return data
}

function followMember(
  event: 'group.user_added' | 'group.user_removed' | 'member.snapshot',
  { group, ...user }: ReceivedEvent['data'],
  users: ReadonlyMap<string, Row>,
  groups: ReadonlyMap<string, { readonly group: Row; readonly members: Set<string> }>,
  what: string,
): void {
  const known = groups.get(group?.id ?? '')
  assert.deepEqual(user, users.get(user.id), `the user is in its last reported state: ${what}`)
  assert.deepEqual(group, known?.group, `the group is in its last reported state: ${what}`)
  const isIn = known?.members.has(user.id)
  assert.equal(isIn, event !== 'group.user_added', `the event matches the membership: ${what}`)
  if (event === 'group.user_added') known?.members.add(user.id)
  if (event === 'group.user_removed') known?.members.delete(user.id)
}

function changed(raw: Row['raw'] | undefined, changes: ReceivedEvent['changes']): unknown {
  assert(changes !== undefined && Object.keys(changes).length > 0, 'an update lists what changed')
  const after: Record<string, unknown> = { ...raw }
  for (const [name, { from, to }] of Object.entries(changes)) {
    assert.deepEqual(after[name] ?? null, from, `${name} was what the event says`)
    if (to === null) delete after[name]
    else after[name] = to
  }
  return withoutSchemas(after)
}

/** `schemas` follows from the other attributes and is not a change. */
function withoutSchemas({ schemas: _, ...raw }: Readonly<Record<string, unknown>>): unknown {
  return raw
}

/** Reads a directory through the API. */
export async function replicaRead(client: Client, { id: directoryId }: DirectoryView): Promise<Replica> {
  const scope = `directoryId=${directoryId}`
  const [users, groups] = await Promise.all([
    client.api('GET', `/users?${scope}`),
    client.api('GET', `/groups?${scope}`),
  ])
  const withMembers = await Promise.all(groups.body.data.map(({ id }) => client.api('GET', `/groups/${id}?${scope}`)))
  const members = withMembers.map(({ body: { data } }) => [
    data.id,
    data.members.map((member) => member.user_id).sort(),
  ])
  return {
    users: users.body.data.map(asInEvents).map(withoutGroups),
    groups: groups.body.data.map(asInEvents),
    members: Object.fromEntries(members),
  }
}

/** The fields of a user or group of the API that the data of events does not have. */
interface OnlyInReads {
  readonly created_at?: string
  readonly updated_at?: string
  readonly directory_id?: string
}

/** A user or group of the API with the fields that the data of events has. */
export function asInEvents<T extends object>(resource: T): T {
  const { created_at: _, updated_at: __, directory_id: ___, ...rest } = resource as T & OnlyInReads
  return rest as T
}

/** A user of the API as events show it: memberships have events of their own. */
export function withoutGroups<T extends { readonly id: string }>(user: T): T {
  const { raw } = user as { readonly raw?: Readonly<Record<string, unknown>> }
  if (raw === undefined) return user
  const { groups: _, ...rest } = raw
  return { ...user, raw: rest }
}
