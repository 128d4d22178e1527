import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { createBoundedMap } from '../../../src/concurrency/bounded-map.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Changes } from '../../../src/directory/event.ts'
import type { Group } from '../../../src/directory/group.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { indexedUser } from '../../../src/directory/user.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { Evaluation, Evaluator } from '../../../src/mapping/evaluate.ts'
import { createEvaluator } from '../../../src/mapping/evaluate.ts'
import type { MappingOwner, RunStep } from '../../../src/mapping/mapping-store.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { JsonText } from '../../../src/scim/json-text.ts'
import { fromJsonText, toJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import { addDirectory, cause, eventsOf, writesTo } from './samples.ts'

/** Replaces or removes a mapping. */
export async function putMapping(
  store: Store,
  owner: MappingOwner,
  mapping: MappingDocument | undefined,
  at = cause.at,
): Promise<void> {
  const { lastVersion = 0 } = (await store.getMapping(owner)) ?? {}
  const document = mapping && JSON.stringify(mapping)
  const version = { version: lastVersion + 1, document, createdAt: at, createdBy: 'test', requestId: 'put' }
  // Another change of a test that makes several at once may have been faster.
  const outcome = await store.putMapping(owner, version)
  if (outcome === 'version-mismatch') return putMapping(store, owner, mapping, at)
  assert.equal(outcome, 'stored')
}

/** The record of a directory as it is now. */
export async function current(store: Store, { id }: Pick<Directory, 'id'>): Promise<Directory> {
  const directory = await store.getDirectory(id)
  assert.ok(directory)
  return directory
}

/** Makes one step of the run of a directory. */
export async function stepRun(store: Store, directory: Directory, users = 2, at = cause.at): Promise<RunStep | 'idle'> {
  const step = await store.stepMappingRun(await current(store, directory), { users }, at)
  return step === 'directory-changed' ? stepRun(store, directory, users, at) : step
}

/** Makes all steps of the run of a directory. */
export async function finishRun(store: Store, directory: Directory, users = 100, at = cause.at): Promise<void> {
  for (;;) {
    const step = await stepRun(store, directory, users, at)
    if (step === 'idle' || step.run.completedAt !== undefined) return
  }
}

/** A directory with the given mapping in effect. */
export async function mappedDirectory(store: Store, mapping: MappingDocument, given: Partial<Directory> = {}) {
  const directory = await addDirectory(store, given)
  await putMapping(store, { directoryId: directory.id }, mapping)
  await finishRun(store, directory)
  return current(store, directory)
}

/** The present users of a directory, by id. */
export async function usersOf(store: Store, { id }: Directory): Promise<Map<string, IndexedUser>> {
  const rows = await store.listUsers(id, { from: 0, limit: 2_000 })
  const users = await store.getUsers(
    id,
    rows.map(({ item }) => item.id),
  )
  return new Map(
    rows.flatMap(({ item }) => (users.has(item.id) ? [[item.id, indexedUser(mustGet(users, item.id))]] : [])),
  )
}

export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  assert.ok(value !== undefined, String(key))
  return value
}

/** The stored roles and attributes of every user, by id; null where nothing is stored. */
export async function storedMapped(store: Store, directory: Directory): Promise<Record<string, Evaluation | null>> {
  const users = [...(await usersOf(store, directory)).values()]
  return Object.fromEntries(users.map(({ id, mapped }) => [id, mapped === undefined ? null : fromJsonText(mapped)]))
}

/** The mapping in effect, put together from its documents in the simplest way; undefined: none. */
async function mappingNow(store: Store, { id: directoryId }: Directory): Promise<MappingDocument | undefined> {
  const { document, extended } = (await store.getMapping({ directoryId })) ?? {}
  const own: MappingDocument | undefined = document === undefined ? undefined : JSON.parse(document)
  if (own === undefined || extended === undefined) return own
  const product: MappingDocument = JSON.parse(extended)
  const ids = (own.roles?.rules ?? []).map((rule) => rule.id)
  const others = (product.roles?.rules ?? []).filter(({ id }) => id === undefined || !ids.includes(id))
  const defaults = own.roles?.default ?? product.roles?.default
  return {
    attributes: { ...product.attributes, ...own.attributes },
    roles: {
      mode: own.roles?.mode ?? product.roles?.mode ?? 'all',
      ...(defaults && { default: defaults }),
      rules: [...(own.roles?.rules ?? []), ...others].map(({ id: _, ...rule }) => rule),
    },
  }
}

/** The evaluators of long mappings, which tests evaluate often. */
const evaluators = createBoundedMap<Evaluator>(20)

function evaluatorOf(mapping: MappingDocument): Evaluator {
  const text = JSON.stringify(mapping)
  const evaluator = evaluators.get(text) ?? createEvaluator(parseMappingInEffect(mapping))
  evaluators.set(text, evaluator)
  return evaluator
}

/** What a mapping makes of the present state, evaluated by itself. */
export async function evaluatedNow(store: Store, directory: Directory): Promise<Record<string, Evaluation | null>> {
  const mapping = await mappingNow(store, directory)
  const evaluator = mapping && evaluatorOf(mapping)
  const users = await usersOf(store, directory)
  const groups = await store.groupsOfUsers(directory.id, [...users.keys()])
  return Object.fromEntries(
    [...users.values()].map(({ id, raw, active }) => {
      const resource = fromJsonText(raw)
      return [id, evaluator?.evaluate({ resource, active, groups: groups.get(id) ?? [] }) ?? null]
    }),
  )
}

/** Asserts that what is stored is what an evaluation of the present state gives, in the index and the events, too. */
export async function requireMapped(store: Store, directory: Directory): Promise<void> {
  const expected = await evaluatedNow(store, directory)
  assert.deepEqual(await storedMapped(store, directory), expected)
  const roles = Object.fromEntries(Object.entries(expected).map(([id, mapped]) => [id, mapped?.roles ?? []]))
  assert.deepEqual(await indexedRoles(store, directory, expected), roles)
  const shown = Object.entries(expected).map(([id, mapped]) => [id, mapped ?? nothing] as const)
  assert.deepEqual(await replayed(store, directory), new Map(shown))
}

const nothing: Evaluation = { roles: [], attributes: {} }

/** The roles of the users as `GET /users?role=` finds them; asserts that their numbers are right. */
async function indexedRoles(store: Store, { id }: Directory, expected: Readonly<Record<string, Evaluation | null>>) {
  const roles = Object.fromEntries(Object.keys(expected).map((userId) => [userId, [] as string[]]))
  for (const role of allRoles) {
    const users = await store.listUsers(id, { where: [{ attribute: 'role', value: role }], from: 0, limit: 2_000 })
    assert.equal(await store.countUsers(id, [{ attribute: 'role', value: role }]), users.length, role)
    for (const { item } of users) roles[item.id]?.push(role)
  }
  return Object.fromEntries(Object.entries(roles).map(([userId, of]) => [userId, of.sort()]))
}

export const allRoles = ['admin', 'billing', 'member', 'viewer'] as const

/** The users that a consumer knows after all events, each with its roles and attributes; asserts that each change continues the last one. */
async function replayed(store: Store, directory: Directory): Promise<Map<string, Evaluation>> {
  const users = new Map<string, Evaluation>()
  for (const { eventType, data, changes = toJsonText({}) } of await eventsOf(store, directory)) {
    const { id, roles = [], attributes = {} } = fromJsonText(data) as unknown as { id: string } & Partial<Evaluation>
    if (eventType === 'user.deleted') users.delete(id)
    if (eventType !== 'user.created' && eventType !== 'user.updated') continue
    if (eventType === 'user.updated') requireChanges(users.get(id) ?? nothing, { roles, attributes }, changes)
    users.set(id, { roles, attributes })
  }
  return users
}

/** Asserts that the changes of an event are exactly those from one evaluation to the next. */
function requireChanges(before: Evaluation, after: Evaluation, changes: JsonText<Changes>): void {
  const stated = Object.entries(fromJsonText(changes)).filter(
    ([name]) => name === 'roles' || name.startsWith('attributes.'),
  )
  const names = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])
  const differing = [...names].filter((name) => before.attributes[name] !== after.attributes[name])
  const expected = [
    ...(isDeepStrictEqual(before.roles, after.roles) ? [] : [['roles', before.roles, after.roles]]),
    ...differing.map((name) => {
      return [`attributes.${name}`, before.attributes[name] ?? null, after.attributes[name] ?? null]
    }),
  ]
  assert.deepEqual(new Set(stated.map(([name, { from, to }]) => [name, from, to])), new Set(expected))
}

/** The present groups of a directory. */
export async function groupsOf(store: Store, { id }: Directory): Promise<Group[]> {
  const rows = await store.listGroups(id, { from: 0, limit: 100 })
  return [
    ...(
      await store.getGroups(
        id,
        rows.map(({ item }) => item.id),
      )
    ).values(),
  ]
}

/** The writes of a directory under its present record. */
export async function writesNow(store: Store, directory: Directory, requestId = 'request-1') {
  return writesTo(store, await current(store, directory), { requestId })
}

export type { JsonObject }
