import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { parseReplacement, parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'
import { acme, enterprise, patch, table, user, work } from './patch-cases.ts'

const named = { userName: 'tomas' }

/** The ways in which a request can set the attribute at a path that is not in use. */
const ways: Readonly<Record<string, (path: string, value: Json) => JsonObject>> = {
  POST: post,
  PUT: (path, value) => parseReplacement(userType, { ...named, [path]: value }),
  'PATCH add': (path, value) => added([{ op: 'add', path, value }]),
  'PATCH replace': (path, value) => added([{ op: 'replace', path, value }]),
  'PATCH add without a path': (path, value) => added([{ op: 'add', value: { [path]: value } }]),
  'PATCH replace without a path': (path, value) => added([{ op: 'replace', value: { [path]: value } }]),
}

function post(path: string, value: Json): JsonObject {
  return parseResource(userType, { ...named, [path]: value })
}

function added(operations: Json): JsonObject {
  const { id: _, ...attributes } = patch(user(), operations)
  return attributes
}

/** The resource, or the kind of the error. */
function outcome(way: (path: string, value: Json) => JsonObject, path: string, value: Json): JsonObject | string {
  try {
    return way(path, value)
  } catch (error) {
    assert.ok(error instanceof ScimError, String(error))
    return `rejected: ${error.scimType}`
  }
}

/** The shapes in which a single value is sent. */
const shapes: Readonly<Record<string, (value: Json) => Json>> = {
  'the value': (value) => value,
  '{"value": X}': (value) => ({ value }),
  '{"$ref": null, "value": X}': (value) => ({ $ref: null, value }),
  '[{"$ref": null, "value": X}]': (value) => [{ $ref: null, value }],
}

/** Singular attributes, with a value as it is stored. */
const singular: Readonly<Record<string, Json>> = {
  displayName: 'Theo Lang',
  active: false,
  userName: 'theo',
  externalId: '00u1',
  title: '[Prod] Lead',
  name: { givenName: 'Theo' },
  'name.givenName': 'Theo',
  'name.nick': 'T',
  [`${enterprise}:department`]: 'Sales',
  [`${enterprise}:manager`]: { value: 'm-4' },
  manager: { value: 'm-4' },
  badge: 'B-17',
  level: 7,
  [`${enterprise}:badge`]: 'B-17',
  [`${acme}:badge`]: 'B-17',
}

for (const [path, value] of Object.entries(singular)) {
  for (const [shape, write] of Object.entries(shapes)) {
    test(`${path} may be sent as ${shape} in every way`, () => {
      const stored = post(path, value)
      for (const [way, send] of Object.entries(ways)) assert.deepEqual(send(path, write(value)), stored, way)
    })
  }
}

test('the attributes in an extension object may be wrapped', () => {
  const value = { badge: [{ $ref: null, value: 'B-17' }], level: { value: 7 } }
  for (const [way, send] of Object.entries(ways)) {
    for (const urn of [acme, enterprise]) {
      assert.deepEqual(send(urn, value)[urn], { badge: 'B-17', level: 7 }, `${way} ${urn}`)
    }
  }
})

test('a wrapped null unassigns the attribute', () => {
  const from = user({ title: 'Lead', badge: 'B-17' })
  for (const value of [{ value: null }, [{ $ref: null, value: null }]]) {
    const operations = ['title', 'badge'].map((path) => ({ op: 'replace', path, value }))
    assert.deepEqual(patch(from, operations), user())
  }
})

describe('a value that only resembles a wrapped one is rejected', () => {
  for (const value of [
    { value: 'X', display: 'Y' },
    { $ref: '../Users/1', value: 'X' },
    { $ref: null },
    [{ value: 'X' }, { value: 'Y' }],
    [['X']],
    { value: ['X', 'Y'] },
  ]) {
    test(JSON.stringify(value), () => {
      for (const send of Object.values(ways)) {
        assert.equal(outcome(send, 'displayName', value), 'rejected: invalidValue')
      }
    })
  }
})

describe('an attribute without a schema keeps what may be more than a wrapped value', () => {
  for (const value of [
    [{ value: 'X' }],
    [{ value: 'X' }, { value: 'Y' }],
    { value: 'X', display: 'Y' },
    { value: { a: 1 } },
  ]) {
    test(JSON.stringify(value), () => {
      for (const [way, send] of Object.entries(ways)) assert.deepEqual(send('badge', value)['badge'], value, way)
    })
  }
})

const address = { value: 'a@b.c', type: 'work' }

describe('a list in JSON text', () => {
  for (const [path, text, stored] of [
    ['emails', JSON.stringify([address]), [address]],
    ['emails', ' ["a@b.c"] ', [{ value: 'a@b.c' }]],
    ['emails', JSON.stringify(address), [address]],
    ['emails', '[]', undefined],
    ['phoneNumbers', '[{"value":5}]', [{ value: '5' }]],
    ['roles', '["viewer","editor"]', [{ value: 'viewer' }, { value: 'editor' }]],
    ['addresses', '[{"locality":"Graz"}]', [{ locality: 'Graz' }]],
  ] as const) {
    test(`for ${path} is that list in every way: ${text}`, () => {
      for (const [way, send] of Object.entries(ways)) assert.deepEqual(send(path, text)[path], stored, way)
    })
  }

  for (const text of ['[Prod] Admin', '["a"', '{x}@example.com']) {
    test(`is only JSON: ${text} is a value`, () => {
      for (const [way, send] of Object.entries(ways))
        assert.deepEqual(send('roles', text)['roles'], [{ value: text }], way)
    })
  }

  test('is counted as the values that it contains', () => {
    const text = `[${'1,'.repeat(60_000)}1]`
    for (const send of Object.values(ways)) assert.equal(outcome(send, 'roles', text), 'rejected: invalidValue')
  })
})

test('a dotted name of a list applies to all elements of the list, in any order of the names', () => {
  const emails = ['a@b.c', 'd@e.f']
  const stored = emails.map((value) => ({ value, type: 'work' }))
  for (const attributes of [
    { emails, 'emails.type': 'work' },
    { 'emails.type': 'work', emails },
  ]) {
    assert.deepEqual(parseResource(userType, { ...named, ...attributes })['emails'], stored)
    assert.deepEqual(added([{ op: 'add', value: attributes }])['emails'], stored)
  }
})

table('A value filter on a list without a schema', [
  {
    why: 'removes a text',
    from: { tags: ['x', 'y'] },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: { tags: ['y'] },
  },
  {
    why: 'removes a number',
    from: { levels: [3, 4] },
    operations: [{ op: 'remove', path: 'levels[value gt 3]' }],
    to: { levels: [3] },
  },
  {
    why: 'removes the last text',
    from: { tags: ['x'] },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: {},
  },
  {
    why: 'removes a single text',
    from: { tags: 'x' },
    operations: [{ op: 'remove', path: 'tags[value eq "x"]' }],
    to: {},
  },
  {
    why: 'leaves another single text',
    from: { tags: 'x' },
    operations: [{ op: 'remove', path: 'tags[value eq "y"]' }],
    to: { tags: 'x' },
  },
  {
    why: 'replaces a text by a text, an object with it, or its value',
    from: { tags: ['a', 'b', 'c', 'd'] },
    operations: [
      { op: 'replace', path: 'tags[value eq "a"]', value: 'A' },
      { op: 'replace', path: 'tags[value eq "b"]', value: { value: 'B' } },
      { op: 'replace', path: 'tags[value eq "c"].value', value: 'C' },
      { op: 'replace', path: 'tags[value eq "d"]', value: [{ $ref: null, value: 'D' }] },
    ],
    to: { tags: ['A', 'B', 'C', 'D'] },
  },
  {
    why: 'gives a text other parts',
    from: { tags: ['x', null, ['y']] },
    operations: [{ op: 'add', path: 'tags[value eq "x"].display', value: 'X' }],
    to: { tags: [{ value: 'x', display: 'X' }, null, ['y']] },
  },
  {
    why: 'works in an extension',
    from: { [acme]: { sites: ['north', 'south'] } },
    operations: [{ op: 'remove', path: `${acme}:sites[value eq "north"]` }],
    to: { [acme]: { sites: ['south'] } },
  },
])

table('A list without a schema', [
  {
    why: 'of texts gets a wrapped value as a text',
    from: { tags: ['x'] },
    operations: [{ op: 'add', path: 'tags', value: [{ $ref: null, value: 'y' }] }],
    to: { tags: ['x', 'y'] },
  },
])

table('An object without a schema', [
  {
    why: 'is made of a text that gets other parts',
    from: { badge: '1' },
    operations: [{ op: 'add', path: 'badge.display', value: 'One' }],
    to: { badge: { value: '1', display: 'One' } },
  },
])

const managed = { [enterprise]: { manager: { value: 'm-4' } } }

table('The manager', [
  ...[`${enterprise}:manager[value eq "m-4"]`, 'manager[value eq "m-4"]'].map((path) => ({
    why: `is removed by ${path}`,
    from: managed,
    operations: [{ op: 'Remove', path }],
    to: {},
  })),
  {
    why: 'is replaced by a value filter',
    from: managed,
    operations: [{ op: 'replace', path: 'manager[value eq "m-4"]', value: 'm-5' }],
    to: { [enterprise]: { manager: { value: 'm-5' } } },
  },
  {
    why: 'is left by the filter of another one',
    from: managed,
    operations: [{ op: 'remove', path: 'manager[value eq "m-5"]' }],
    to: managed,
  },
  ...['m-4', ['m-4'], { value: 'm-4' }, [{ $ref: null, value: 'm-4' }]].map((value) => ({
    why: `is removed with the value ${JSON.stringify(value)}`,
    from: managed,
    operations: [{ op: 'remove', path: 'manager', value }],
    to: {},
  })),
  ...['m-5', ['m-5'], { value: 'm-5' }, [{ $ref: null, value: 'm-5' }]].map((value) => ({
    why: `is left by a removal with the value ${JSON.stringify(value)}`,
    from: managed,
    operations: [
      { op: 'remove', path: 'manager', value },
      { op: 'remove', path: 'manager.value', value },
    ],
    to: managed,
  })),
])

table('A removal with a value', [
  {
    why: 'leaves single values that differ',
    from: { title: 'Lead', badge: 'B-17', name: { givenName: 'Theo' }, emails: [work] },
    operations: [
      { op: 'remove', path: 'title', value: 'Guide' },
      { op: 'remove', path: 'badge', value: 'B-18' },
      { op: 'remove', path: 'name.givenName', value: 'Tom' },
      { op: 'remove', path: 'emails[type eq "work"].value', value: 'other@example.com' },
      { op: 'remove', path: 'emails', value: '[{"value":"other@example.com"}]' },
    ],
    to: { title: 'Lead', badge: 'B-17', name: { givenName: 'Theo' }, emails: [work] },
  },
  {
    why: 'removes those that are equal, and any with an empty value',
    from: { title: 'Lead', badge: 'B-17', nickName: 'Tom', name: { givenName: 'Theo' }, emails: [work] },
    operations: [
      { op: 'remove', path: 'title', value: 'lead' },
      { op: 'remove', path: 'badge', value: [{ $ref: null, value: 'B-17' }] },
      { op: 'remove', path: 'nickName', value: '' },
      { op: 'remove', path: 'name.givenName', value: ['Theo'] },
      { op: 'remove', path: 'emails', value: `[{"value":"${work.value}"}]` },
    ],
    to: {},
  },
])

for (const [filter, isMatch] of Object.entries({
  'tags[value eq "x"]': true,
  'tags[value eq "z"]': false,
  'tags[value sw "x" and value ew "x"]': true,
  'tags[not (value eq "x")]': true,
  'tags.value eq "y"': true,
  'tags.value ne "x"': true,
  'tags.value pr': true,
  'tags[display pr]': false,
  'levels[value ge 4]': true,
  'levels[value gt 4]': false,
  [`${acme}:sites[value eq "north"]`]: true,
  'manager[value eq "m-4"]': true,
  'manager[value eq "m-5"]': false,
})) {
  test(`the filter ${filter} is ${isMatch} for lists of texts and numbers`, () => {
    const resource = user({ tags: ['x', 'y'], levels: [3, 4], [acme]: { sites: ['north'] }, ...managed })
    assert.equal(matches(parseFilter(filter, userType), resource), isMatch)
  })
}

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
const wrapped = fc.tuple(scalar, fc.constantFrom(...Object.values(shapes))).map(([value, write]) => write(value))
const sent = fc.oneof(fc.tuple(known, anyShape), fc.tuple(unknown, wrapped))

test('a value has the same effect, or the same error, in every way', () => {
  fc.assert(
    fc.property(sent, ([path, value]) => {
      const expected = outcome(post, path, value)
      for (const [way, send] of Object.entries(ways)) {
        assert.deepEqual(outcome(send, path, value), expected, way)
      }
    }),
    { numRuns: cases(3000) },
  )
})
