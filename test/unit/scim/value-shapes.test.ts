import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { isObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseReplacement, parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'
import { acme, enterprise, user, work } from './patch-cases.ts'

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
  { path: 'title', shapes: ['[Prod] Lead', ...wrapped('[Prod] Lead')], stores: { title: '[Prod] Lead' } },
  { path: 'level', shapes: [7, ...wrapped(7)], stores: { level: 7 } },
  // An attribute without a schema keeps what may be more than a wrapped value.
  ...[[{ value: 'X' }, { value: 'Y' }], { value: 'X', display: 'Y' }, { value: { a: 1 } }].map((badge) => ({
    path: 'badge',
    shapes: [badge],
    stores: { badge },
  })),
  {
    path: 'manager',
    shapes: [{ value: 'm' }, { value: { value: 'm' } }, { $ref: null, value: { value: 'm' } }],
    stores: { [enterprise]: { manager: { value: 'm' } } },
  },
  {
    path: `${enterprise}:manager`,
    shapes: [{ value: 'm' }, [{ $ref: null, value: { value: 'm' } }]],
    stores: { [enterprise]: { manager: { value: 'm' } } },
  },
  { path: `${enterprise}:badge`, shapes: ['B', ...wrapped('B')], stores: { [enterprise]: { badge: 'B' } } },
  ...[acme, enterprise].map((path) => ({
    path,
    shapes: [{ badge: [{ $ref: null, value: 'B' }], level: { value: 7 } }],
    stores: { [path]: { badge: 'B', level: 7 } },
  })),
  { path: 'emails', shapes: [JSON.stringify([work]), JSON.stringify(work)], stores: { emails: [work] } },
  { path: 'phoneNumbers', shapes: ['[{"value":5}]'], stores: { phoneNumbers: [{ value: '5' }] } },
  { path: 'addresses', shapes: ['[{"locality":"Graz"}]'], stores: { addresses: [{ locality: 'Graz' }] } },
  ...['[Prod] Admin', '["a"', '{x}@example.com'].map((text) => ({
    path: 'roles',
    shapes: [text],
    stores: { roles: [{ value: text }] },
  })),
]

for (const { path, shapes, stores } of rows) {
  for (const shape of shapes) {
    test(`${path} reads ${JSON.stringify(shape)} in every way`, () => {
      for (const [way, send] of Object.entries(ways)) assert.deepEqual(send(path, shape), user(stores), way)
    })
  }
}

for (const { path, shape } of [
  { path: 'displayName', shape: { value: 'X', type: 'work' } },
  { path: 'displayName', shape: { value: 'X', display: 'Y' } },
  { path: 'displayName', shape: { $ref: '../Users/1', value: 'X' } },
  { path: 'displayName', shape: { $ref: null } },
  { path: 'displayName', shape: {} },
  { path: 'displayName', shape: [{ value: 'X' }, { value: 'Y' }] },
  { path: 'displayName', shape: [['X']] },
  { path: 'displayName', shape: { value: ['X', 'Y'] } },
  { path: 'active', shape: { value: 'perhaps' } },
  { path: 'emails', shape: '["\\ud800"]' },
  { path: 'emails', shape: '[{"value":12345678901234567890}]' },
  { path: 'emails', shape: '[1e999]' },
  { path: 'emails', shape: '[{"value":"a","x":{"__proto__":{"admin":true}}}]' },
  { path: 'emails', shape: `${'['.repeat(50)}${']'.repeat(50)}` },
  { path: 'emails', shape: `[${Array.from({ length: 50_001 }, () => '"a"').join()}]` },
]) {
  test(`${path} rejects ${JSON.stringify(shape).slice(0, 60)} in every way`, () => {
    for (const [way, send] of Object.entries(ways)) {
      assert.throws(() => send(path, shape), { status: 400, scimType: 'invalidValue' }, way)
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

// The sub-attributes of sub-attributes are kept as they are: complex attributes do not nest (RFC 7643 §2.3.8).
const isNested = ([name, value]: readonly [string, Json]) =>
  isObject(value) && 'color' in value && !name.startsWith('urn:') && name.includes('.')

const scalar = fc.constantFrom<Json>(
  'a',
  'B',
  7,
  true,
  'False',
  '',
  null,
  '[]',
  '["a"]',
  '[{"value":"a"}]',
  '{"value":"a"}',
)
// Lists are without equal elements: an `add` merges more of them than a body does.
const element = fc.record(
  {
    value: scalar.filter((value) => value !== null && value !== ''),
    $ref: fc.constant(null),
    type: fc.constantFrom('work', 'home'),
    primary: fc.boolean(),
  },
  { requiredKeys: ['value'], noNullPrototype: true },
)
const anyShape = fc.oneof(
  scalar,
  element,
  fc.array(fc.oneof(scalar, element), { maxLength: 1 }),
  fc.constant<Json>(['a', 'B']),
)
const known = fc.constantFrom(
  ...['displayName', 'active', 'externalId', 'name.givenName', 'emails', 'roles', 'manager', enterprise],
  ...[`${enterprise}:department`, `${enterprise}:manager`],
)

const unknown = fc.constantFrom('badge', 'name.nick', `${enterprise}:badge`, `${acme}:badge`)
const oneWrapped = scalar.chain((value) => fc.constantFrom(value, ...wrapped(value).slice(0, 3)))
const sent = fc.oneof(
  fc.tuple(path, shape).filter((one) => !isNested(one)),
  fc.tuple(known, anyShape),
  fc.tuple(unknown, oneWrapped),
)

test('every way of sending a value gives the same user, or the same refusal', () => {
  fc.assert(
    fc.property(sent, ([name, value]) => {
      const outcomes = Object.entries(ways).map(
        ([way, send]) => [way, outcomeOf(() => send(name, structuredClone(value)))] as const,
      )
      for (const [way, outcome] of outcomes) assert.deepEqual(outcome, outcomes[0]?.[1], way)
    }),
    { numRuns: cases(5000) },
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
