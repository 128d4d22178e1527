import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { isObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseReplacement, parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'
import { enterprise, user } from './patch-cases.ts'

/** A schema of a customer. */
const custom = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
const withoutVersion = 'urn:acme:hr:CustomUser'

/** The ways in which the value of an attribute can come, each starting from a user without other attributes. */
const ways: Readonly<Record<string, (path: string, value: Json) => JsonObject>> = {
  POST: (path, value) => ({ ...parseResource(userType, { userName: 'tomas', [path]: value }), id: 'u1' }),
  PUT: (path, value) => ({ ...parseReplacement(userType, { userName: 'tomas', [path]: value }), id: 'u1' }),
  'PATCH with path, add': (path, value) => patched({ op: 'add', path, value }),
  'PATCH with path, replace': (path, value) => patched({ op: 'Replace', path, value }),
  'PATCH without path, add': (path, value) => patched({ op: 'Add', value: { [path]: value } }),
  'PATCH without path, replace': (path, value) => patched({ op: 'replace', value: { [path]: value } }),
  'PATCH without path, wrapped': (path, value) =>
    patched({ op: 'replace', value: [{ $ref: null, value: { [path]: value } }] }),
}

function patched(operation: JsonObject): JsonObject {
  return applyPatch(userType, user(), parsePatch({ Operations: [operation] }, userType))
}

/** The forms in which Microsoft's libraries send a single value. */
const wrapped = (value: Json): Json[] => [
  [{ $ref: null, value }],
  { value },
  { $ref: null, value },
  { Value: value, display: null },
]

interface Row {
  readonly path: string
  readonly shapes: readonly Json[]
  readonly stores: JsonObject
}

const address = { value: 'a@b.c' }

const rows: readonly Row[] = [
  { path: 'displayName', shapes: wrapped('X'), stores: { displayName: 'X' } },
  { path: 'userName', shapes: wrapped('X'), stores: { userName: 'X' } },
  { path: 'externalId', shapes: wrapped('X'), stores: { externalId: 'X' } },
  { path: 'active', shapes: [...wrapped(false), ...wrapped('False')], stores: { active: false } },
  { path: 'active', shapes: [[{ $ref: null, value: ['False'] }], ...wrapped([false])], stores: { active: false } },
  { path: 'displayName', shapes: [...wrapped(null), ...wrapped(''), ...wrapped([])], stores: {} },
  { path: 'name.givenName', shapes: wrapped('G'), stores: { name: { givenName: 'G' } } },
  {
    path: 'name',
    shapes: [...wrapped({ givenName: 'G' }), { givenName: { value: 'G' } }, '{"givenName":"G"}'],
    stores: { name: { givenName: 'G' } },
  },
  { path: 'name.nick', shapes: ['N', ...wrapped('N')], stores: { name: { nick: 'N' } } },
  { path: `${enterprise}:costCenter`, shapes: wrapped('C'), stores: { [enterprise]: { costCenter: 'C' } } },
  { path: enterprise, shapes: wrapped({ costCenter: 'C' }), stores: { [enterprise]: { costCenter: 'C' } } },
  {
    path: 'manager',
    shapes: ['m', ...wrapped('m').slice(0, 3), [{ value: { value: 'm' } }], '[{"value":"m"}]'],
    stores: { [enterprise]: { manager: { value: 'm' } } },
  },
  { path: 'badge', shapes: ['B', ...wrapped('B')], stores: { badge: 'B' } },
  { path: 'badge', shapes: [[{ value: 'B' }]], stores: { badge: [{ value: 'B' }] } },
  { path: 'badge.color', shapes: ['red', ...wrapped('red')], stores: { badge: { color: 'red' } } },
  { path: 'badge', shapes: [{ color: { value: 'red' } }], stores: { badge: { color: 'red' } } },
  { path: `${custom}:badge`, shapes: ['B', ...wrapped('B')], stores: { [custom]: { badge: 'B' } } },
  { path: `${custom}.badge`, shapes: ['B', ...wrapped('B')], stores: { [custom]: { badge: 'B' } } },
  { path: `${custom}.badge.color`, shapes: ['red'], stores: { [custom]: { badge: { color: 'red' } } } },
  { path: `${custom}:badge`, shapes: [{ color: 'red' }], stores: { [custom]: { badge: { color: 'red' } } } },
  { path: custom, shapes: [{ badge: 'B' }, ...wrapped({ badge: 'B' })], stores: { [custom]: { badge: 'B' } } },
  { path: custom, shapes: [{ badge: { value: 'B' } }], stores: { [custom]: { badge: 'B' } } },
  { path: custom, shapes: [{ 'badge.color': 'red' }], stores: { [custom]: { badge: { color: 'red' } } } },
  { path: `${custom}:sites`, shapes: [['north', 'south']], stores: { [custom]: { sites: ['north', 'south'] } } },
  { path: withoutVersion, shapes: [{ costCenter: 'C' }], stores: { [withoutVersion]: { costCenter: 'C' } } },
  { path: `${withoutVersion}.costCenter`, shapes: ['C'], stores: { [withoutVersion]: { costCenter: 'C' } } },
  { path: 'urn:acme:scim:1.0.badge', shapes: ['B'], stores: { 'urn:acme:scim:1.0': { badge: 'B' } } },
  {
    path: 'urn:okta:app:2.0:user:custom',
    shapes: [{ dept: 'D' }],
    stores: { 'urn:okta:app:2.0:user:custom': { dept: 'D' } },
  },
  {
    path: 'emails',
    shapes: [
      'a@b.c',
      ['a@b.c'],
      address,
      [address],
      '[{"value":"a@b.c"}]',
      ' [ "a@b.c" ]',
      '{"value":"a@b.c"}',
      ['[{"value":"a@b.c"}]'],
      ['{"value":"a@b.c"}'],
      [{ value: { value: 'a@b.c' } }],
    ],
    stores: { emails: [address] },
  },
  { path: 'emails', shapes: ['[]', ['[]'], '[null]'], stores: {} },
  { path: 'roles', shapes: ['[{"value":"a"},"b"]'], stores: { roles: [{ value: 'a' }, { value: 'b' }] } },
  { path: 'roles', shapes: ['[a]'], stores: { roles: [{ value: '[a]' }] } },
  { path: 'displayName', shapes: ['["a"]'], stores: { displayName: '["a"]' } },
]

for (const [way, send] of Object.entries(ways)) {
  describe(way, () => {
    for (const { path, shapes, stores } of rows) {
      for (const shape of shapes) {
        test(`reads ${JSON.stringify(shape)} for ${path}`, () => assert.deepEqual(send(path, shape), user(stores)))
      }
    }

    for (const { path, shape } of [
      { path: 'displayName', shape: { value: 'X', type: 'work' } },
      { path: 'displayName', shape: {} },
      { path: 'displayName', shape: [{ value: 'X' }, { value: 'Y' }] },
      { path: 'active', shape: { value: 'perhaps' } },
      { path: 'emails', shape: '["\\ud800"]' },
      { path: 'emails', shape: '[{"value":12345678901234567890}]' },
      { path: 'emails', shape: '[1e999]' },
      { path: 'emails', shape: '[{"value":"a","x":{"__proto__":{"admin":true}}}]' },
      { path: 'emails', shape: `${'['.repeat(50)}${']'.repeat(50)}` },
      { path: 'emails', shape: `[${Array.from({ length: 50_001 }, () => '"a"').join()}]` },
    ]) {
      test(`rejects ${JSON.stringify(shape).slice(0, 60)} for ${path}`, () => {
        assert.throws(() => send(path, shape), { status: 400, scimType: 'invalidValue' })
      })
    }
  })
}

const simple = fc.oneof(fc.constantFrom('x', 'True', '7'), fc.integer({ min: 0, max: 9 }), fc.boolean())
const shape = fc.oneof(
  simple,
  simple.map((value) => ({ value })),
  simple.map((value) => [{ $ref: null, value }]),
  simple.map((value) => [value]),
  fc.array(simple, { maxLength: 2 }).map((list) => JSON.stringify(list)),
  fc
    .array(
      simple.map((value) => ({ value })),
      { maxLength: 2 },
    )
    .map((list) => JSON.stringify(list)),
  simple.map((value) => ({ color: value })),
  simple.map((value) => ({ color: { value } })),
)
const paths = ['displayName', 'active', 'name.givenName', 'name.nick', 'emails', 'roles', 'emails.value', 'manager']
const path = fc.constantFrom(
  ...paths,
  'badge',
  'badge.color',
  `${custom}.badge`,
  `${custom}:badge`,
  `${enterprise}.division`,
)

test('every way of sending a value gives the same user, or the same refusal', () => {
  fc.assert(
    fc.property(path, shape, (name, value) => {
      // The sub-attributes of sub-attributes are kept as they are: complex attributes do not nest (RFC 7643 §2.3.8).
      fc.pre(!(isObject(value) && 'color' in value && !name.startsWith('urn:') && name.includes('.')))
      const outcomes = Object.values(ways).map((send) => outcomeOf(() => send(name, structuredClone(value))))
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
    }),
    { numRuns: cases(2000) },
  )
})

function outcomeOf(send: () => JsonObject): JsonObject | string {
  try {
    return send()
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType}`
    throw error
  }
}
