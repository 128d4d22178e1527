import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { isObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { foldMemberOperations, splitMemberOperations } from '../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseResource } from '../../../src/scim/resource/parse-resource.ts'
import type { ResourceType } from '../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'

const user = userType.schema.id
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const acme = 'urn:acme:2.0:User'

const word = fc.constantFrom('a', 'A', 'b', 'ann@x', 'work', 'home', '')
const type = fc.constantFrom('work', 'Work', 'home')
const boolean = fc.constantFrom<Json>(true, false, 'True', 'FALSE')

function some(parts: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> {
  return fc.record(parts, { requiredKeys: [], noNullPrototype: true }).map((object) => object as JsonObject)
}

const element: fc.Arbitrary<Json> = some({ value: word, type, primary: boolean, display: word, color: word })
const list = fc.array(element, { maxLength: 4 })
const address = some({ locality: word, type, primary: boolean, $ref: word })
const manager: fc.Arbitrary<Json> = fc.oneof(word, some({ value: word, $ref: word, displayName: word }))
const level = fc.nat(3)

/** Attributes with values that fit, in the letter case of the schema. */
const fitting: Record<string, fc.Arbitrary<Json>> = {
  title: word,
  active: boolean,
  name: some({ givenName: word, familyName: word, nick: word }),
  emails: list,
  addresses: fc.array(address, { maxLength: 3 }),
  photos: list,
  shoeSize: level,
  tags: list,
  [enterprise]: some({ department: word, manager, badge: level }),
  [acme]: some({ level, tags: fc.array(word, { maxLength: 3 }), badge: some({ color: word }) }),
}

/** Names that occur only in requests, with possible values. */
const spellings: Record<string, fc.Arbitrary<Json>> = {
  TITLE: word,
  'name.givenName': word,
  'name.givenName.first': word,
  'Emails[type eq "work"].value': word,
  'emails[primary eq true and type eq "home"]': element,
  'emails[value eq "a"].type': type,
  'emails.display': word,
  'emails.primary': boolean,
  'addresses[type eq "work"].locality': word,
  [`${user}:title`]: word,
  [`${enterprise}:department`]: word,
  [`${enterprise.toUpperCase()}:manager.value`]: word,
  manager,
  companyName: word,
  'office.city': word,
  'tags[type eq "work"].value': word,
  [`${enterprise}.department`]: word,
  [`${enterprise}:companyName`]: word,
  [`${enterprise}:grades[value eq "a"].color`]: word,
  [`${user}.companyName`]: word,
  [`${acme}:level`]: level,
  [`${acme}:badge.color`]: word,
  [`${acme}:tags[value eq "a"].color`]: word,
  userName: fc.constantFrom('ann', 'bob', ''),
  externalId: word,
}
/** Names that a request may contain, but not change, or that do not exist. */
const refused = ['id', 'meta.version', 'groups', 'schemas', 'password', 'name.nope', 'urn:x', 'emails[', 'title.x']
const values = { ...fitting, ...spellings }
const named = (paths: readonly [string, fc.Arbitrary<Json>][]) => {
  return fc.oneof(...paths.map(([path, value]) => fc.record({ path: fc.constant(path), value })))
}
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  word,
  boolean,
  level,
  fc.constant(null),
  list,
  some(fitting),
  fc.constant<Json>([]),
)
const path = fc.constantFrom(...Object.keys(values), ...refused)

const assigning = fc.constantFrom('add', 'replace', 'Add', 'Replace')
const operation: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: fc.tuple(assigning, named(Object.entries(values))).map(([op, rest]) => ({ op, ...rest })), weight: 6 },
  { arbitrary: fc.record({ op: assigning, value: some(values) }), weight: 2 },
  { arbitrary: fc.record({ op: fc.constant('remove'), path }), weight: 3 },
  { arbitrary: fc.record({ op: fc.constant('remove'), path, value: anyValue }), weight: 1 },
  { arbitrary: fc.record({ op: assigning, path, value: anyValue }), weight: 2 },
)
const wild = fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value)))
const wildOperation = some({ op: fc.oneof(assigning, wild), path: fc.oneof(fc.string(), wild), value: wild })
const operations = fc.oneof(
  { arbitrary: fc.array(operation, { minLength: 1, maxLength: 3 }), weight: 8 },
  { arbitrary: fc.array(fc.oneof(operation, wildOperation), { minLength: 1, maxLength: 3 }), weight: 2 },
)

const storedUser = some(fitting).map((attributes) => stored(userType, { userName: 'ann', ...attributes }))

function stored(resourceType: ResourceType, body: JsonObject): JsonObject {
  return frozen({ ...parseResource(resourceType, body), id: 'x', meta: { resourceType: resourceType.name } })
}

function frozen<T extends Json>(tree: T): T {
  if (typeof tree === 'object' && tree !== null) for (const part of Object.values(tree)) frozen(part)
  return Object.freeze(tree)
}

/** The resource after a request; undefined if the request is rejected with an error of RFC 7644 §3.12. */
function patched(resourceType: ResourceType, resource: JsonObject, all: readonly Json[]): JsonObject | undefined {
  try {
    const { members, others } = splitMemberOperations(parsePatch(frozen({ Operations: [...all] }), resourceType))
    for (const one of members) if (one.op !== 'remove-where' && one.op !== 'require') foldMemberOperations([one])
    return applyPatch(resourceType, resource, others)
  } catch (error) {
    assert.ok(error instanceof ScimError && error.status === 400, String(error))
    assert.match(error.scimType ?? '', /^(invalid(Syntax|Path|Filter|Value)|noTarget|mutability)$/)
    return undefined
  }
}

/** The properties of every stored resource: a POST of it would store the same, and it has no duplicates. */
function assertStorable(resourceType: ResourceType, resource: JsonObject): void {
  const { id, meta, ...sent } = resource
  assert.deepEqual({ id, meta }, { id: 'x', meta: { resourceType: resourceType.name } })
  assert.deepEqual(parseResource(resourceType, sent), sent)
  const urns = Object.keys(resource).filter((name) => name.startsWith('urn:'))
  assert.deepEqual([...new Set([resourceType.schema.id, ...urns])].sort(), [...(sent['schemas'] as string[])].sort())
  for (const { name, multiValued } of resourceType.schema.attributes.values()) {
    if (multiValued && name in resource) assertDistinct(resource[name] as JsonObject[], name !== 'photos')
  }
}

function assertDistinct(list: readonly JsonObject[], isFolded: boolean): void {
  assert.ok(list.filter(({ primary }) => primary === true).length < 2, 'one primary value')
  const pairs = list
    .filter(({ value }) => value !== undefined)
    .map(({ type, value }) => `${String(type).toLowerCase()} ${isFolded ? String(value).toLowerCase() : value}`)
  assert.equal(new Set(pairs).size, pairs.length, `${pairs} are distinct`)
}

test('3,000 random requests produce a valid user or are rejected', () => {
  fc.assert(
    fc.property(storedUser, operations, (before, all) => {
      const after = patched(userType, before, all)
      if (after !== undefined) assertStorable(userType, after)
    }),
    { numRuns: cases(3000) },
  )
})

const member: fc.Arbitrary<Json> = fc.oneof(word, some({ value: word, type: word, display: word, $ref: word }))
const groupPaths = ['displayName', 'externalId', 'members', 'members.value', 'members[value eq "a"]', `${acme}:level`]
const partPaths = ['members[value eq "a"].value', 'members[type eq "User"].type', 'members[value eq "a"].display']
const groupOperation: fc.Arbitrary<Json> = fc.oneof(
  some({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: fc.constantFrom(...groupPaths, ...partPaths),
    value: fc.oneof(member, fc.array(member, { maxLength: 3 }), anyValue),
  }),
  fc.record({
    op: assigning,
    value: some({ displayName: word, members: fc.array(member), 'members.x': word, tags: list }),
  }),
  wildOperation,
)
const storedGroup = some({ externalId: word, tags: list, [acme]: some({ level }) }).map((attributes) =>
  stored(groupType, { displayName: 'Buyers', ...attributes }),
)

test('1,000 random requests produce a valid group or are rejected', () => {
  fc.assert(
    fc.property(storedGroup, fc.array(groupOperation, { minLength: 1, maxLength: 3 }), (before, all) => {
      const after = patched(groupType, before, all)
      if (after === undefined) return
      assertStorable(groupType, after)
      assert.ok(!('members' in after))
    }),
    { numRuns: cases(1000) },
  )
})

/** Leaves out value paths, because their own change may prevent them from matching again. */
const repeatable = fc.oneof(
  named(Object.entries(values).filter(([path]) => !path.includes('['))),
  some({ ...fitting, 'name.givenName': word }).map((value) => ({ value })),
)

test('repeating a replace changes nothing (1,000 runs)', () => {
  fc.assert(
    fc.property(storedUser, repeatable, (before, one) => {
      const all = [{ op: 'replace', ...one }]
      const once = patched(userType, before, all)
      if (once !== undefined) assert.deepEqual(patched(userType, frozen(once), all), once)
    }),
    { numRuns: cases(1000) },
  )
})

/** The target of a path, for reading what was written. */
const simplePlaces: Record<string, readonly string[]> = {
  title: ['title'],
  [`${user}:nickName`]: ['nickName'],
  'name.familyName': ['name', 'familyName'],
  [`${enterprise}:department`]: [enterprise, 'department'],
  [`${enterprise}:manager.value`]: [enterprise, 'manager', 'value'],
  [`${acme}:note`]: [acme, 'note'],
}
const simplePlace = fc.constantFrom(...Object.entries(simplePlaces))

function readAt(resource: Json | undefined, keys: readonly string[]): Json | undefined {
  const [key, ...rest] = keys
  return key === undefined ? resource : readAt(isObject(resource) ? resource[key] : undefined, rest)
}

test('written values are read back and removed values are gone (1,000 runs)', () => {
  const text = fc.string({ minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(storedUser, simplePlace, fc.constantFrom('add', 'replace'), text, (before, [path, keys], op, value) => {
      const written = patched(userType, before, [{ op, path, value }])
      assert.equal(readAt(written, keys), value)
      const removed = patched(userType, frozen(written ?? {}), [{ op: 'remove', path }])
      assert.equal(readAt(removed, keys), undefined)
    }),
    { numRuns: cases(1000) },
  )
})

test('a list contains what was added and not what was removed (500 runs)', () => {
  const emails = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
  fc.assert(
    fc.property(storedUser, emails, (before, added) => {
      const value = added.map((one) => ({ value: one }))
      const after = patched(userType, before, [{ op: 'add', path: 'emails', value }])
      for (const one of added) assert.ok(valuesIn(after).includes(one))
      const left = patched(userType, frozen(after ?? {}), [{ op: 'remove', path: 'emails', value }])
      for (const one of added) assert.ok(!valuesIn(left).includes(one))
    }),
    { numRuns: cases(500) },
  )
})

function valuesIn(resource: JsonObject | undefined): string[] {
  const emails = resource?.['emails']
  return Array.isArray(emails) ? emails.map((one) => String(readAt(one, ['value'])).toLowerCase()) : []
}
