import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { userFrom } from '../../../../src/directory/user.ts'
import type { GoogleUser } from '../../../../src/google/client/items.ts'
import { userBody } from '../../../../src/google/mapping/user.ts'
import { fromJsonText } from '../../../../src/scim/json-text.ts'
import { parseResource } from '../../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../../src/scim/schema/resource-type.ts'
import { person } from '../sync/support/people.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const google = 'urn:rollcall:params:scim:schemas:extension:google:2.0:User'

/** The stored form of a Google user. */
function stored(changes: Partial<GoogleUser> = {}) {
  const resource = parseResource(userType, userBody(person('ann', changes), undefined))
  return fromJsonText(userFrom(resource, { id: 'ann', version: 1, createdAt: 0, updatedAt: 0 }).raw)
}

test('a Google user with all fields is mapped to a SCIM user', () => {
  const user = stored({
    givenName: 'Nora',
    familyName: 'Blake',
    fullName: 'Nora Blake',
    primaryEmail: 'nora@acme.example',
    isAdmin: true,
    orgUnitPath: '/Press',
    emails: [
      { address: 'nora@home.example', type: 'home', isPrimary: false },
      { address: 'nora@acme.example', type: 'work', isPrimary: true },
      { address: 'n.blake@acme.example', type: undefined, isPrimary: false },
    ],
    phones: [{ value: '+1 555 0100', type: 'work' }],
    addresses: [{ ...noAddress, type: 'work', formatted: '1 Main St' }],
    organizations: [
      { ...noOrganization, title: 'Guest' },
      { isPrimary: true, name: 'Acme', title: 'Editor', department: 'Press', costCenter: 'CC1' },
    ],
    externalIds: [
      { type: 'account', value: 'A-1' },
      { type: 'organization', value: 'E-77' },
    ],
    relations: [{ type: 'manager', value: 'boss@acme.example' }],
  })
  assert.deepEqual(user, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise, google],
    id: 'ann',
    userName: 'nora@acme.example',
    externalId: 'ann',
    name: { givenName: 'Nora', familyName: 'Blake', formatted: 'Nora Blake' },
    displayName: 'Nora Blake',
    title: 'Editor',
    active: true,
    emails: [
      { value: 'nora@acme.example', type: 'work', primary: true },
      { value: 'n.blake@acme.example' },
      { value: 'nora@home.example', type: 'home' },
    ],
    phoneNumbers: [{ value: '+1 555 0100', type: 'work' }],
    addresses: [{ formatted: '1 Main St', type: 'work' }],
    [enterprise]: { employeeNumber: 'E-77', costCenter: 'CC1', organization: 'Acme', department: 'Press' },
    [google]: {
      orgUnitPath: '/Press',
      isAdmin: true,
      suspended: false,
      archived: false,
      managerEmail: 'boss@acme.example',
    },
  })
})

const noAddress = {
  type: undefined,
  formatted: undefined,
  streetAddress: undefined,
  locality: undefined,
  region: undefined,
  postalCode: undefined,
  country: undefined,
}
const noOrganization = {
  isPrimary: false,
  name: undefined,
  title: undefined,
  department: undefined,
  costCenter: undefined,
}

test('fields that Google does not have are omitted', () => {
  const { name, displayName, emails, ...rest } = stored({ givenName: '', familyName: '', fullName: '' })
  assert.equal(name, undefined)
  assert.equal(displayName, 'ann@acme.example')
  assert.deepEqual(emails, [{ value: 'ann@acme.example', primary: true }])
  assert.deepEqual(Object.keys(rest), ['schemas', 'id', 'userName', 'externalId', google, 'active'])
})

for (const { suspended, archived, active } of [
  { suspended: false, archived: false, active: true },
  { suspended: true, archived: false, active: false },
  { suspended: false, archived: true, active: false },
  { suspended: true, archived: true, active: false },
]) {
  test(`a user with suspended ${suspended} and archived ${archived} has active ${active}`, () => {
    assert.equal(stored({ suspended, archived })['active'], active)
  })
}

test('email addresses that differ only in case are the same', () => {
  const { emails } = stored({
    emails: [
      { address: 'ANN@acme.example', type: undefined, isPrimary: true },
      { address: 'a@acme.example', type: undefined, isPrimary: false },
      { address: 'A@acme.example', type: undefined, isPrimary: false },
    ],
  })
  assert.deepEqual(
    (emails as { value: string }[]).map(({ value }) => value.toLowerCase()),
    ['ann@acme.example', 'a@acme.example'],
  )
})

test('the first organization is used if none is primary', () => {
  assert.equal(stored({ organizations: [{ ...noOrganization, title: 'Editor' }] })['title'], 'Editor')
})

for (const { what, changes, expected } of [
  { what: 'a long name is cut', changes: { fullName: 'x'.repeat(600) }, expected: { displayName: 'x'.repeat(512) } },
  {
    what: 'a name is not cut within a character',
    changes: { fullName: `${'x'.repeat(511)}😀` },
    expected: { displayName: 'x'.repeat(511) },
  },
  {
    what: 'unpaired surrogates are replaced and NUL is removed',
    changes: { fullName: 'A\0n\uD800' },
    expected: { displayName: 'An\uFFFD' },
  },
  {
    what: 'an address that is too long is left out',
    changes: { emails: [{ address: `${'x'.repeat(600)}@a.example`, type: undefined, isPrimary: false }] },
    expected: { emails: [{ value: 'ann@acme.example', primary: true }] },
  },
] as const) {
  test(`values that cannot be stored are dropped: ${what}`, () => {
    const user = stored(changes)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(user[name], value)
  })
}

const text = fc.constantFrom('', 'a', 'B', 'é', '\0', 'x'.repeat(600), '\uD800')
const type = fc.constantFrom(undefined, 'work', 'home', 'manager', 'organization')
const email = fc.record({
  address: fc.constantFrom('a@x.example', 'A@x.example', 'b@x.example'),
  type,
  isPrimary: fc.boolean(),
})
const typed = fc.array(fc.record({ value: text, type }), { maxLength: 4 })
const anyone: fc.Arbitrary<Partial<GoogleUser>> = fc.record({
  ...{ givenName: text, familyName: text, fullName: text, orgUnitPath: text },
  ...{ emails: fc.array(email, { maxLength: 4 }), phones: typed, externalIds: typed, relations: typed },
})

test('any Google user can be mapped and stored, and the order of unordered values makes no difference', () => {
  fc.assert(
    fc.property(anyone, (changes) => {
      const { emails = [], phones = [], externalIds = [] } = changes
      const turned = { emails: emails.toReversed(), phones: phones.toReversed(), externalIds: externalIds.toReversed() }
      assert.deepEqual(stored({ ...changes, ...turned }), stored(changes))
    }),
    { numRuns: 200 },
  )
})
