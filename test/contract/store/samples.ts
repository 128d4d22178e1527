import assert from 'node:assert/strict'
import { v7 as uuidv7 } from 'uuid'
import type { Directory } from '../../../src/directory/directory.ts'
import type { ProvisioningStore } from '../../../src/directory/directory-store.ts'
import type { Cause, EventDraft, EventType, StoredEvent } from '../../../src/directory/event.ts'
import type { Group } from '../../../src/directory/group.ts'
import { groupFrom, groupViewText } from '../../../src/directory/group.ts'
import { resourceOf } from '../../../src/directory/resource.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { userFrom, userViewText } from '../../../src/directory/user.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { fromJsonText, toJsonText } from '../../../src/scim/json-text.ts'
import type { MemberChanges } from '../../../src/scim/patch/members.ts'
import type { Row } from '../../../src/store/row.ts'
import type { Store } from '../../../src/store/store.ts'

export const cause: Cause = { requestId: 'request-1', at: 1_700_000_000_000 }

export function someDirectory(given: Partial<Directory> = {}): Directory {
  return {
    id: uuidv7(),
    name: 'scim-acme-crm',
    tenant: 'acme',
    product: 'crm',
    directoryType: 'okta-scim-v2',
    scimSecret: 'scim-secret-in-plain-text',
    previousScimSecret: undefined,
    endpoint: undefined,
    google: undefined,
    logWebhookEvents: false,
    logScimRequests: false,
    uniqueGroupNames: false,
    deactivated: false,
    createdAt: 1_700_000_000_000,
    revision: 1,
    ...given,
  }
}

export async function addDirectory(store: Store, given: Partial<Directory> = {}): Promise<Directory> {
  const directory = someDirectory(given)
  await store.createDirectory(directory)
  return directory
}

export function someUser(resource: JsonObject): IndexedUser {
  const time = { createdAt: cause.at, updatedAt: cause.at }
  return userFrom({ schemas: ['urn:user'], ...resource }, { id: uuidv7(), version: 1, ...time })
}

/** The next version of a user, with some attributes changed. */
export function changedUser(user: IndexedUser, changes: JsonObject, at = cause.at + 1): IndexedUser {
  const resource = { ...resourceOf(fromJsonText(user.raw)), ...changes }
  return userFrom(resource, { id: user.id, version: user.version + 1, createdAt: user.createdAt, updatedAt: at })
}

export function someGroup(resource: JsonObject): Group {
  const time = { createdAt: cause.at, updatedAt: cause.at }
  return groupFrom({ schemas: ['urn:group'], ...resource }, { id: uuidv7(), version: 1, ...time })
}

export function changedGroup(group: Group, changes: JsonObject, at = cause.at + 1): Group {
  const resource = { ...resourceOf(fromJsonText(group.raw)), ...changes }
  return groupFrom(resource, { id: group.id, version: group.version + 1, createdAt: group.createdAt, updatedAt: at })
}

export function userEvent(eventType: EventType, user: IndexedUser): EventDraft {
  return { eventType, data: userViewText(user) }
}

export function groupEvent(eventType: EventType, group: Group): EventDraft {
  return { eventType, data: groupViewText(group), changes: toJsonText({ displayName: { from: null, to: group.name } }) }
}

type Ids = readonly { readonly id: string }[]

export function delta(add: Ids, remove: Ids = []): MemberChanges {
  return { kind: 'delta', add: idsOf(add), remove: idsOf(remove) }
}

export function replacedBy(members: Ids): MemberChanges {
  return { kind: 'replace', members: idsOf(members) }
}

function idsOf(members: Ids): ReadonlySet<string> {
  return new Set(members.map(({ id }) => id))
}

/** The writes of a directory, with their usual events. */
export function writesTo(store: ProvisioningStore, directory: Directory, given: Partial<Cause> = {}) {
  const because = { ...cause, ...given }
  return {
    createUser: (user: IndexedUser) => store.createUser(directory, user, userEvent('user.created', user), because),
    replaceUser: (before: IndexedUser, after: IndexedUser) =>
      store.replaceUser(directory, before, after, userEvent('user.updated', after), because),
    deleteUser: (user: IndexedUser) => store.deleteUser(directory, user, userEvent('user.deleted', user), because),
    createGroup: (group: Group, members = delta([])) =>
      store.createGroup(directory, group, members, groupEvent('group.created', group), because),
    replaceGroup: (before: Group, after: Group, members = delta([])) =>
      store.replaceGroup(directory, before, after, members, groupEvent('group.updated', after), because),
    changeMembers: (group: { readonly id: string }, members: MemberChanges, version?: number) =>
      store.changeMembers(directory, group.id, members, version, because),
    deleteGroup: (group: Pick<Group, 'id' | 'version'> & Partial<Group>) =>
      store.deleteGroup(
        directory,
        { name: '', externalId: undefined, ...group },
        { eventType: 'group.deleted', data: toJsonText({ id: group.id }) },
        because,
      ),
  }
}

/** Creates users concurrently. */
export async function addUsers(store: Store, directory: Directory, names: readonly string[]): Promise<IndexedUser[]> {
  const users = names.map((userName) => someUser({ userName, emails: [{ value: `${userName}@acme.example` }] }))
  const { createUser } = writesTo(store, directory)
  for (const outcome of await Promise.all(users.map(createUser))) assert.equal(typeof outcome, 'object')
  return users
}

export async function addGroup(store: Store, directory: Directory, displayName: string, members: Ids = []) {
  const group = someGroup({ displayName })
  const outcome = committed(await writesTo(store, directory).createGroup(group, delta(members)))
  return { group, events: outcome.events }
}

/** The result of a write that must not be rejected. */
export function committed<T extends object>(outcome: T | string): T {
  if (typeof outcome === 'string') assert.fail(`refused: ${outcome}`)
  return outcome
}

/** Every event of a directory, in order; asserts that there is no gap. */
export async function eventsOf(store: Store, { id }: Directory): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const part = await store.eventsAfter(id, events.length, 500)
    if (part.length === 0) break
    events.push(...part)
  }
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  assert.equal(new Set(events.map((event) => event.id)).size, events.length)
  return events
}

export const typesOf = (events: readonly EventDraft[]) => events.map(({ eventType }) => eventType)

/** The row of a user, as the reads of whole users find it. */
export function userRow(user: IndexedUser, columns: Row = {}): Row {
  const { id, version, raw, userName, externalId = null, displayName, email, firstName, lastName, active } = user
  return {
    ...{ id, version, raw, email, sequence: 7, created_at: user.createdAt, updated_at: user.updatedAt },
    ...{ user_name: userName, external_id: externalId, display_name: displayName, first_name: firstName },
    ...{ last_name: lastName, active: Number(active), returned_from: null, mapped: null, groups: null, ...columns },
  }
}
