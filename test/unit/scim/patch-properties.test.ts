import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { splitMemberOperations } from '../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const word = fc.constantFrom('a', 'b', 'C', 'd@x')
const element = fc.record(
  { value: word, type: fc.constantFrom('work', 'home'), primary: fc.boolean(), display: word },
  { requiredKeys: ['value'], noNullPrototype: true },
)
const list = fc.array(element, { maxLength: 3 })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 })

/** Attributes under the names that a pathless operation may use. */
const attributes: fc.Arbitrary<JsonObject> = fc.record(
  {
    title: optional(word),
    Active: fc.constantFrom(true, false, 'True', 'False'),
    shoeSize: optional(fc.nat(50)),
    name: fc.record({ givenName: optional(word), familyName: word }, { requiredKeys: [], noNullPrototype: true }),
    'name.givenName': optional(word),
    emails: optional(list),
    'emails[type eq "work"].value': word,
    phoneNumbers: list,
    [enterprise]: fc.record({ department: optional(word), manager: word }, { requiredKeys: [], noNullPrototype: true }),
    [`${enterprise}:department`]: word,
    'urn:acme:2.0:User': fc.record(
      { level: optional(fc.nat(5)), tags: fc.array(word) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    'urn:acme:2.0:User:level': fc.nat(5),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const path = fc.constantFrom(
  ...['title', 'active', 'name', 'name.familyName', 'emails', 'emails.display', 'emails[type eq "work"]'],
  ...['emails[primary eq true].value', 'phoneNumbers[type eq "mobile" and primary eq true].value', 'manager'],
  ...[enterprise, `${enterprise}:department`, 'urn:acme:2.0:User', 'urn:acme:2.0:User:tags', 'userName'],
)
const value = fc.oneof(word, fc.boolean(), fc.constant(null), element, list, attributes)
const operation: fc.Arbitrary<JsonObject> = fc.oneof(
  attributes.map((all) => ({ op: 'replace', value: all })),
  attributes.map((all) => ({ op: 'Add', value: all })),
  fc.record({ op: fc.constantFrom('add', 'replace'), path, value: value as fc.Arbitrary<Json> }),
  fc.record({ op: fc.constant('remove'), path }),
)

const someone: JsonObject = { schemas: [core], id: 'u', userName: 'ann' }

function patch(resource: JsonObject, operations: readonly JsonObject[]): JsonObject {
  return applyPatch(userType, resource, parsePatch({ Operations: [...operations] }, userType))
}

/** The outcome of a request: the resource after it, or the scimType of the error. */
function outcome(resource: JsonObject, operations: readonly JsonObject[]): Json {
  try {
    return patch(resource, operations)
  } catch (error) {
    assert.ok(error instanceof ScimError, String(error))
    return `refused: ${error.scimType}`
  }
}

const resource = attributes.map((all) => {
  const result = outcome(someone, [{ op: 'add', value: all }])
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : someone
})

function frozen<T>(tree: T): T {
  if (typeof tree === 'object' && tree !== null) Object.values(tree).forEach(frozen)
  return Object.freeze(tree)
}

/** The same JSON with the names of its objects in the opposite order. */
function reversed(tree: Json): Json {
  if (Array.isArray(tree)) return tree.map(reversed)
  if (typeof tree !== 'object' || tree === null) return tree
  const entries = Object.entries(tree).reverse()
  return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]))
}

test('a request is applied or rejected, and the input is not modified', () => {
  fc.assert(
    fc.property(resource, fc.array(operation, { minLength: 1, maxLength: 4 }), (before, operations) => {
      outcome(frozen(before), frozen(operations))
    }),
    { numRuns: cases(500) },
  )
})

test('any JSON is parsed or rejected', () => {
  const name = fc.constantFrom(
    'op',
    'path',
    'value',
    'Operations',
    'members',
    'emails',
    'manager',
    '__proto__',
    'urn:a:b',
  )
  const leaf = fc.oneof(fc.constantFrom('add', 'remove', 'members', 'emails[type eq "x"]', 'urn:a:b:c'), fc.jsonValue())
  const tree = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(name, tie('any'))),
  })).any
  const body = fc.array(tree).map((all) => ({ Operations: all }))
  fc.assert(
    fc.property(fc.oneof(tree, body), fc.constantFrom(userType, groupType), (any, resourceType) => {
      const from = { id: 'x', userName: 'ann', displayName: 'Ann' }
      try {
        const { others } = splitMemberOperations(parsePatch(JSON.parse(JSON.stringify(any)), resourceType))
        applyPatch(resourceType, frozen(from), others)
      } catch (error) {
        assert.ok(error instanceof ScimError, String(error))
      }
    }),
    { numRuns: cases(500) },
  )
})

test('replacing twice is the same as once', () => {
  fc.assert(
    fc.property(resource, attributes, (before, all) => {
      const operations = [{ op: 'replace', value: all }]
      const once = patch(before, operations)
      assert.deepEqual(patch(once, operations), once)
    }),
    { numRuns: cases(500) },
  )
})

test('additions in one request have the same result as in one request each', () => {
  const addition = fc.record({
    op: fc.constant('add'),
    path: fc.constantFrom('emails', 'phoneNumbers'),
    value: fc.oneof(element, list),
  }) as fc.Arbitrary<JsonObject>
  fc.assert(
    fc.property(resource, fc.array(addition, { minLength: 1, maxLength: 8 }), (before, additions) => {
      const oneByOne = additions.reduce((user, one) => patch(user, [one]), before)
      assert.deepEqual(patch(before, additions), oneByOne)
    }),
    { numRuns: cases(1000) },
  )
})

test('adding twice is the same as once', () => {
  fc.assert(
    fc.property(resource, list, (before, emails) => {
      const operations = [{ op: 'add', path: 'emails', value: emails }]
      const values = (from: JsonObject) => JSON.stringify(from['emails'] ?? [])
      const once = patch(before, operations)
      assert.equal(JSON.parse(values(patch(once, operations))).length, JSON.parse(values(once)).length)
    }),
  )
})

test('the order of names does not matter', () => {
  fc.assert(
    fc.property(resource, fc.array(operation, { minLength: 1, maxLength: 3 }), (before, operations) => {
      const backwards = operations.map((one) => reversed(one) as JsonObject)
      assert.deepEqual(outcome(before, backwards), outcome(before, operations))
    }),
    { numRuns: cases(500) },
  )
})

test('a value that is added and removed is gone', () => {
  fc.assert(
    fc.property(resource, path, word, (before, where, text) => {
      // A part of an element that a filter creates is merged with an element that has its value already.
      fc.pre(where !== 'userName' && !where.includes('].'))
      const after = outcome(before, [
        { op: 'add', path: where, value: where === 'active' ? true : { value: text } },
        { op: 'remove', path: where },
      ])
      if (typeof after !== 'string') assert.deepEqual(after, patch(before, [{ op: 'remove', path: where }]))
    }),
  )
})

test('there is never more than one primary element', () => {
  fc.assert(
    fc.property(resource, fc.array(operation, { minLength: 1, maxLength: 4 }), (before, operations) => {
      const after = outcome(before, operations)
      const emails = JSON.parse(JSON.stringify(after)).emails ?? []
      assert.ok(emails.filter(({ primary }: { primary?: boolean }) => primary === true).length < 2)
    }),
    { numRuns: cases(500) },
  )
})
