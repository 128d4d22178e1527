import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoogleUser } from '../../../../src/google/client/items.ts'
import { parseUser, userFields } from '../../../../src/google/client/parse.ts'
import type { JsonObject } from '../../../../src/scim/json.ts'

/** A user as the API returns it, including fields that are not requested. */
const nora: JsonObject = {
  kind: 'admin#directory#user',
  id: '100000000000000000001',
  etag: '"abc/ghi"',
  primaryEmail: 'nora.blake@example.com',
  name: { givenName: 'Nora', familyName: 'Blake', fullName: 'Nora Blake' },
  isAdmin: false,
  lastLoginTime: '1970-01-01T00:00:00.000Z',
  suspended: false,
  archived: false,
  emails: [
    { address: 'nora.blake@example.com', primary: true },
    { address: 'n.blake@example.com' },
    { address: 'nora@home.example.com', type: 'home' },
  ],
  externalIds: [{ value: 'E-77', type: 'organization' }],
  organizations: [{ name: 'Example', title: 'Editor', department: 'Press', costCenter: 'CC1', primary: true }],
  relations: [{ value: 'boss@example.com', type: 'manager' }],
  phones: [{ value: '+1 555 0100', type: 'custom', customType: 'desk' }],
  addresses: [{ type: 'work', formatted: '1 Main St' }],
  orgUnitPath: '/Press',
  recoveryPhone: '+15550100',
}

const parsedNora: GoogleUser = {
  id: '100000000000000000001',
  primaryEmail: 'nora.blake@example.com',
  givenName: 'Nora',
  familyName: 'Blake',
  fullName: 'Nora Blake',
  suspended: false,
  archived: false,
  isAdmin: false,
  orgUnitPath: '/Press',
  emails: [
    { address: 'nora.blake@example.com', type: undefined, isPrimary: true },
    { address: 'n.blake@example.com', type: undefined, isPrimary: false },
    { address: 'nora@home.example.com', type: 'home', isPrimary: false },
  ],
  phones: [{ value: '+1 555 0100', type: 'desk' }],
  addresses: [
    {
      type: 'work',
      formatted: '1 Main St',
      streetAddress: undefined,
      locality: undefined,
      region: undefined,
      postalCode: undefined,
      country: undefined,
    },
  ],
  organizations: [{ isPrimary: true, name: 'Example', title: 'Editor', department: 'Press', costCenter: 'CC1' }],
  externalIds: [{ value: 'E-77', type: 'organization' }],
  relations: [{ value: 'boss@example.com', type: 'manager' }],
}

test('all mapped fields of a user are parsed, and no others', () => {
  assert.deepEqual(parseUser(nora), parsedNora)
})

test('the requested fields are enough', () => {
  const asked = userFields.split(',').map((name) => [name, nora[name] ?? null])
  assert.deepEqual(parseUser(Object.fromEntries(asked)), parsedNora)
})

test('a user needs only an id and an address', () => {
  const bare = parseUser({ id: '1', primaryEmail: 'a@example.com' })
  assert.deepEqual(bare, {
    ...{ id: '1', primaryEmail: 'a@example.com', givenName: '', familyName: '', fullName: '' },
    ...{ suspended: false, archived: false, isAdmin: false, orgUnitPath: undefined, emails: [], phones: [] },
    ...{ addresses: [], organizations: [], externalIds: [], relations: [] },
  })
})

for (const { field, value, because } of [
  { field: 'id', value: null, because: 'the id is missing' },
  { field: 'id', value: 100, because: 'the id is a number' },
  { field: 'primaryEmail', value: null, because: 'the address is missing' },
  { field: 'primaryEmail', value: 'nora', because: 'the address is none' },
]) {
  test(`a user is invalid if ${because}`, () => assert.equal(parseUser({ ...nora, [field]: value }), undefined))
}

for (const { field, value, reads } of [
  { field: 'name', value: 'Nora', reads: { givenName: '', familyName: '', fullName: '' } },
  { field: 'name', value: { givenName: '', familyName: 'Blake' }, reads: { givenName: '', familyName: 'Blake' } },
  { field: 'suspended', value: true, reads: { suspended: true } },
  { field: 'suspended', value: 'true', reads: { suspended: false } },
  { field: 'archived', value: true, reads: { archived: true } },
  { field: 'isAdmin', value: true, reads: { isAdmin: true } },
  { field: 'orgUnitPath', value: 7, reads: { orgUnitPath: undefined } },
  { field: 'emails', value: 'nora@example.com', reads: { emails: [] } },
  { field: 'emails', value: [null, 7, {}, { address: 'nobody' }], reads: { emails: [] } },
  { field: 'phones', value: [{ type: 'work' }, { value: '' }], reads: { phones: [] } },
  { field: 'phones', value: [{ value: '1', type: 'custom' }], reads: { phones: [{ value: '1', type: 'custom' }] } },
  { field: 'relations', value: { value: 'a@example.com' }, reads: { relations: [] } },
] satisfies { field: string; value: unknown; reads: Partial<GoogleUser> }[]) {
  test(`${field} ${JSON.stringify(value)} reads as ${JSON.stringify(reads)}`, () => {
    assert.partialDeepStrictEqual(parseUser({ ...nora, [field]: value } as JsonObject), reads)
  })
}

test('at most a hundred values of an attribute are parsed', () => {
  const phones = Array.from({ length: 1_000 }, (_, at) => ({ value: String(at) }))
  assert.equal(parseUser({ ...nora, phones })?.phones.length, 100)
})

test('attributes are not read from the prototype', () => {
  assert.equal(parseUser(JSON.parse('{"__proto__":{"id":"1","primaryEmail":"a@example.com"}}')), undefined)
})
