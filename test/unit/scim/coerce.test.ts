import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json } from '../../../src/scim/json.ts'
import { maxAttributes, maxValueDepth } from '../../../src/scim/limits.ts'
import { coerceAttribute } from '../../../src/scim/resource/coerce.ts'
import { coreAttribute, resolveAttributePath } from '../../../src/scim/schema/attribute-path.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import type { Attribute } from '../../../src/scim/schema/schema.ts'
import { attribute, unknownAttribute } from '../../../src/scim/schema/schema.ts'

const extra: Readonly<Record<string, Attribute>> = {
  logins: attribute('logins', 'A count.', { type: 'integer' }),
  score: attribute('score', 'A ratio.', { type: 'decimal' }),
  hiredAt: attribute('hiredAt', 'A date.', { type: 'dateTime' }),
  badge: unknownAttribute('badge'),
}

function named(name: string): Attribute {
  const known = extra[name] ?? resolveAttributePath(name, userType)?.attribute ?? coreAttribute(name, groupType)
  assert.ok(known)
  return known
}

const work = { value: 'ann@example.com', type: 'work' }
const home = { value: 'ann@example.net', type: 'home' }

const accepted: { title: string; name: string; value: Json; becomes: Json | undefined }[] = [
  { title: 'text is unchanged', name: 'displayName', value: '  ANN  ', becomes: '  ANN  ' },
  { title: 'null is unassigned', name: 'displayName', value: null, becomes: undefined },
  { title: 'empty text is unassigned', name: 'displayName', value: '', becomes: undefined },
  { title: 'an empty array is unassigned', name: 'displayName', value: [], becomes: undefined },
  { title: 'a boolean is unchanged', name: 'active', value: false, becomes: false },
  { title: '"False" is false', name: 'active', value: 'False', becomes: false },
  { title: '"TRUE" is true', name: 'active', value: 'TRUE', becomes: true },
  { title: '[false] is false', name: 'active', value: [false], becomes: false },
  { title: '"true" stays a string in a string attribute', name: 'displayName', value: 'true', becomes: 'true' },
  {
    title: 'base64 is unchanged',
    name: 'x509Certificates',
    value: [{ value: 'MIIB+/8=' }],
    becomes: [{ value: 'MIIB+/8=' }],
  },
  {
    title: 'base64 can have line breaks',
    name: 'x509Certificates',
    value: { value: 'MI\r\nI_-==\n' },
    becomes: [{ value: 'MI\r\nI_-==\n' }],
  },
  { title: 'text in a list of one is that text', name: 'displayName', value: ['Ann'], becomes: 'Ann' },
  {
    title: 'an object in a list of one is that object',
    name: 'name',
    value: [{ givenName: 'Ann' }],
    becomes: { givenName: 'Ann' },
  },
  { title: 'a number for text is its digits', name: 'displayName', value: 4711, becomes: '4711' },
  { title: 'a negative decimal for text is its digits', name: 'displayName', value: -1.5, becomes: '-1.5' },
  { title: 'empty text for a boolean is unassigned', name: 'active', value: '', becomes: undefined },
  {
    title: 'text for an object with a value is that value',
    name: 'roles',
    value: ['viewer'],
    becomes: [{ value: 'viewer' }],
  },
  { title: 'text for a list of objects is one of them', name: 'emails', value: 'a@x', becomes: [{ value: 'a@x' }] },
  {
    title: 'a number for an object with a value is its digits',
    name: 'phoneNumbers',
    value: [5550100],
    becomes: [{ value: '5550100' }],
  },
  { title: 'an integer is unchanged', name: 'logins', value: 3, becomes: 3 },
  { title: 'an integer can be sent as text', name: 'logins', value: '-12', becomes: -12 },
  { title: 'a decimal can be sent as text', name: 'score', value: '1.50', becomes: 1.5 },
  {
    title: 'a dateTime is unchanged',
    name: 'hiredAt',
    value: '2026-11-20T08:00:00Z',
    becomes: '2026-11-20T08:00:00Z',
  },
  { title: 'an empty dateTime is unassigned', name: 'hiredAt', value: '', becomes: undefined },
  { title: 'a single value of a multi-valued attribute is wrapped', name: 'emails', value: work, becomes: [work] },
  { title: 'empty elements are dropped', name: 'emails', value: [null, {}, '', { value: '' }, work], becomes: [work] },
  {
    title: 'a list of empty elements is unassigned',
    name: 'emails',
    value: [null, { value: null }],
    becomes: undefined,
  },
  {
    title: 'a role that is a JSON document stays a string',
    name: 'roles',
    value: [{ value: '{"id":1}' }],
    becomes: [{ value: '{"id":1}' }],
  },
  {
    title: 'names of sub-attributes become canonical',
    name: 'name',
    value: { GIVENNAME: 'Ann', familyname: 'Lee' },
    becomes: { givenName: 'Ann', familyName: 'Lee' },
  },
  {
    title: 'unknown sub-attributes are kept, null ones dropped',
    name: 'name',
    value: { givenName: 'Ann', initials: ['A'], suffix: null },
    becomes: { givenName: 'Ann', initials: ['A'] },
  },
  { title: 'an object without values is unassigned', name: 'name', value: { givenName: '' }, becomes: undefined },
  { title: 'empty text for an object is unassigned', name: 'name', value: '', becomes: undefined },
  { title: 'a manager can be an id', name: 'manager', value: 'u1', becomes: { value: 'u1' } },
  { title: 'a manager can be in an array', name: 'manager', value: [{ value: 'u1' }], becomes: { value: 'u1' } },
  { title: 'an empty manager is unassigned', name: 'manager', value: '', becomes: undefined },
  {
    title: 'a read-only sub-attribute is dropped',
    name: 'manager',
    value: { value: 'u1', displayName: 'Bo' },
    becomes: { value: 'u1' },
  },
  {
    title: 'only the first primary element stays primary',
    name: 'emails',
    value: [
      { ...work, primary: true },
      { ...home, primary: true },
    ],
    becomes: [
      { ...work, primary: true },
      { ...home, primary: false },
    ],
  },
  {
    title: 'a repeated type and value is dropped',
    name: 'emails',
    value: [work, { ...work }, home],
    becomes: [work, home],
  },
  {
    title: 'a repeated type and value in another case is dropped when the attribute ignores case',
    name: 'emails',
    value: [work, { ...work, type: 'WORK', value: work.value.toUpperCase() }, { value: work.value }],
    becomes: [work, { value: work.value }],
  },
  {
    title: 'the same value in another case is kept when the attribute is case-exact',
    name: 'photos',
    value: [{ value: 'https://x/a' }, { value: 'https://x/A' }, { value: 'https://x/a' }],
    becomes: [{ value: 'https://x/a' }, { value: 'https://x/A' }],
  },
  {
    title: 'the same value with two types is kept',
    name: 'emails',
    value: [work, { ...work, type: 'other' }],
    becomes: [work, { ...work, type: 'other' }],
  },
  {
    title: 'a merged duplicate is primary when either is',
    name: 'emails',
    value: [work, { ...work, primary: 'True' }],
    becomes: [{ ...work, primary: true }],
  },
  {
    title: 'addresses have no value and all are kept',
    name: 'addresses',
    value: [{ locality: 'Oslo' }, { locality: 'Oslo' }],
    becomes: [{ locality: 'Oslo' }, { locality: 'Oslo' }],
  },
  {
    title: 'an unknown attribute is unchanged',
    name: 'badge',
    value: [{ a: [1, null] }],
    becomes: [{ a: [1, null] }],
  },
  { title: 'an unknown attribute can be unassigned', name: 'badge', value: [], becomes: undefined },
]

for (const { title, name, value, becomes } of accepted) {
  test(title, () => assert.deepEqual(coerceAttribute(named(name), value), becomes))
}

const refused: { name: string; value: Json; says: string }[] = [
  { name: 'displayName', value: 1e21, says: 'displayName must be a string, not a number.' },
  { name: 'displayName', value: 1e-7, says: 'displayName must be a string, not a number.' },
  { name: 'displayName', value: ['Ann', 'Lee'], says: 'displayName must be a single value, not an array of 2.' },
  { name: 'x509Certificates', value: [{ value: 7 }], says: 'x509Certificates.value must be a string, not a number.' },
  { name: 'emails', value: [true], says: 'emails must be an object, not a boolean.' },
  { name: 'x509Certificates', value: { value: 'no base64!' }, says: 'x509Certificates.value must be valid base64.' },
  { name: 'x509Certificates', value: { value: 'MII=B' }, says: 'x509Certificates.value must be valid base64.' },
  { name: 'displayName', value: true, says: 'displayName must be a string, not a boolean.' },
  { name: 'displayName', value: {}, says: 'displayName must be a string, not an object.' },
  { name: 'displayName', value: [['Ann']], says: 'displayName must be a string, not an array.' },
  { name: 'active', value: [false, true], says: 'active must be a single value, not an array of 2.' },
  { name: 'emails', value: [[work]], says: 'emails must be an object, not an array.' },
  { name: 'addresses', value: ['Oslo'], says: 'addresses must be an object, not a string.' },
  { name: 'name', value: 'Ann Lee', says: 'name must be an object, not a string.' },
  { name: 'active', value: 'yes', says: 'active must be true or false, not a string.' },
  { name: 'active', value: 1, says: 'active must be true or false, not a number.' },
  { name: 'logins', value: 1.5, says: 'logins must be an integer, not a number.' },
  { name: 'logins', value: '1e3', says: 'logins must be an integer, not a string.' },
  { name: 'score', value: 'much', says: 'score must be a number, not a string.' },
  {
    name: 'hiredAt',
    value: 'tomorrow',
    says: 'hiredAt must be a date and time such as "2026-11-20T08:00:00Z", not a string.',
  },
]

for (const { name, value, says } of refused) {
  test(`rejects ${JSON.stringify(value)} for ${name}`, () => {
    const refusal = { status: 400, scimType: 'invalidValue', message: says }
    assert.throws(() => coerceAttribute(named(name), value), refusal)
  })
}

test('an error uses the name passed by the caller', () => {
  const path = 'emails[type eq "work"].value'
  assert.throws(() => coerceAttribute(named('userName'), true, path), {
    message: `${path} must be a string, not a boolean.`,
  })
})

function nested(levels: number): Json {
  return levels === 0 ? 'x' : [nested(levels - 1)]
}

test('nesting is limited everywhere', () => {
  assert.deepEqual(coerceAttribute(named('badge'), nested(maxValueDepth)), nested(maxValueDepth))
  const tooDeep = nested(maxValueDepth + 1)
  const refusal = { scimType: 'invalidValue', message: /must not be nested deeper than 32 levels/ }
  assert.throws(() => coerceAttribute(named('badge'), tooDeep), refusal)
  assert.throws(() => coerceAttribute(named('name'), { initials: tooDeep }), refusal)
})

test('the number of properties of a stored object is limited', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
  const refusal = { scimType: 'invalidValue', message: /must not have more than 1000 attributes/ }
  for (const name of ['badge', 'name']) {
    assert.deepEqual(coerceAttribute(named(name), names(maxAttributes)), names(maxAttributes))
    assert.throws(() => coerceAttribute(named(name), names(maxAttributes + 1)), refusal)
  }
  assert.throws(() => coerceAttribute(named('emails'), [names(maxAttributes + 1)]), refusal)
})

test('a hundred thousand levels are rejected without a stack overflow', () => {
  const abyss: Json = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  const wrapped: Json = JSON.parse(`${'{"$ref":null,"value":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
  for (const name of ['badge', 'displayName', 'emails', 'name', 'active']) {
    for (const value of [abyss, wrapped])
      assert.throws(() => coerceAttribute(named(name), value), { scimType: 'invalidValue' })
  }
})

test('no name touches the prototype', () => {
  const sent: Json = JSON.parse('{"givenName":"Ann","__proto__":{"admin":true},"constructor":"x"}')
  const coerced = coerceAttribute(named('name'), sent)
  assert.equal(JSON.stringify(coerced), '{"givenName":"Ann","constructor":"x"}')
  assert.equal(Object.getPrototypeOf(coerced), Object.prototype)
})

const attributes = [...userType.schema.attributes.values(), ...Object.values(extra), named('manager'), named('members')]

test('any JSON is rejected as invalidValue or coerced to a stable form', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
  const elements = fc.array(
    fc.record({ value: fc.constantFrom('a', 'b'), type: fc.constantFrom('x', ''), primary: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...attributes), fc.oneof(json, elements as fc.Arbitrary<Json>), (definition, value) => {
      const coerced = attempt(() => coerceAttribute(definition, value))
      if (coerced === undefined) return
      assert.deepEqual(coerceAttribute(definition, coerced), coerced)
    }),
  )
})

function attempt(coerce: () => Json | undefined): Json | undefined {
  try {
    return coerce()
  } catch (error) {
    assert.ok(error instanceof ScimError && error.scimType === 'invalidValue')
    return undefined
  }
}
