import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { ProjectionParameters } from '../../../src/scim/projection.ts'
import { includesAttribute, leavesOutOnly, parseProjection, project } from '../../../src/scim/projection.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const custom = 'urn:okta:acme:2.0:user:custom'

const minimal = { schemas: [core, enterprise, custom], id: 'u1' }
const name = { givenName: 'Ann', familyName: 'Lee' }
const emails = [{ value: 'a@x', type: 'work' }, { value: 'b@x' }]
const manager = { value: 'u2', $ref: '../Users/u2' }
const meta = { resourceType: 'User', location: '/Users/u1' }

const user: JsonObject = {
  ...minimal,
  userName: 'ann',
  name,
  emails,
  tags: ['a', 'b'],
  groups: [{ value: 'g1' }],
  [enterprise]: { department: 'Ops', manager, badge: 7 },
  [custom]: { shoeSize: 43 },
  meta,
}

function without(...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(user).filter(([key]) => !names.includes(key)))
}

const cases: { asks: ProjectionParameters; shows: JsonObject }[] = [
  { asks: {}, shows: user },
  { asks: { attributes: '', excludedAttributes: ' , ' }, shows: user },
  { asks: { attributes: undefined, excludedAttributes: null }, shows: user },
  { asks: { attributes: 'userName' }, shows: { ...minimal, userName: 'ann' } },
  { asks: { attributes: 'USERNAME, name' }, shows: { ...minimal, userName: 'ann', name } },
  { asks: { attributes: ['userName', 'name'] }, shows: { ...minimal, userName: 'ann', name } },
  { asks: { Attributes: 'userName' } as ProjectionParameters, shows: { ...minimal, userName: 'ann' } },
  { asks: { attributes: 'id' }, shows: minimal },
  { asks: { attributes: 'favouriteColour' }, shows: minimal },
  { asks: { attributes: 'tags' }, shows: { ...minimal, tags: ['a', 'b'] } },
  { asks: { attributes: 'tags.x' }, shows: minimal },
  { asks: { attributes: 'password' }, shows: minimal },
  { asks: { attributes: 'meta' }, shows: { ...minimal, meta } },
  { asks: { attributes: 'meta.location' }, shows: { ...minimal, meta: { location: '/Users/u1' } } },
  { asks: { attributes: 'name.GivenName' }, shows: { ...minimal, name: { givenName: 'Ann' } } },
  { asks: { attributes: 'name.givenName,name' }, shows: { ...minimal, name } },
  { asks: { attributes: 'name,name.givenName' }, shows: { ...minimal, name } },
  { asks: { attributes: 'name.middleName' }, shows: minimal },
  { asks: { attributes: 'emails.value' }, shows: { ...minimal, emails: [{ value: 'a@x' }, { value: 'b@x' }] } },
  { asks: { attributes: 'emails.type' }, shows: { ...minimal, emails: [{ type: 'work' }] } },
  { asks: { attributes: `${core}:userName` }, shows: { ...minimal, userName: 'ann' } },
  { asks: { attributes: enterprise }, shows: { ...minimal, [enterprise]: user[enterprise] ?? null } },
  {
    asks: { attributes: 'urn:scim:schemas:extension:enterprise:1.0' },
    shows: { ...minimal, [enterprise]: user[enterprise] ?? null },
  },
  {
    asks: { attributes: `${enterprise.toUpperCase()}:Department` },
    shows: { ...minimal, [enterprise]: { department: 'Ops' } },
  },
  { asks: { attributes: 'department' }, shows: { ...minimal, [enterprise]: { department: 'Ops' } } },
  { asks: { attributes: `${enterprise}:badge` }, shows: { ...minimal, [enterprise]: { badge: 7 } } },
  {
    asks: { attributes: `${enterprise}:manager.value` },
    shows: { ...minimal, [enterprise]: { manager: { value: 'u2' } } },
  },
  { asks: { attributes: custom }, shows: { ...minimal, [custom]: { shoeSize: 43 } } },
  { asks: { attributes: `${custom}:shoesize` }, shows: { ...minimal, [custom]: { shoeSize: 43 } } },
  { asks: { attributes: core }, shows: { ...minimal, userName: 'ann', name, emails, groups: [{ value: 'g1' }] } },
  { asks: { excludedAttributes: 'emails,tags' }, shows: without('emails', 'tags') },
  { asks: { excludedAttributes: 'meta' }, shows: without('meta') },
  { asks: { excludedAttributes: 'id,schemas' }, shows: user },
  { asks: { excludedAttributes: 'tags.x' }, shows: user },
  { asks: { excludedAttributes: 'name.givenName' }, shows: { ...user, name: { familyName: 'Lee' } } },
  { asks: { excludedAttributes: 'name.givenName,name.familyName' }, shows: without('name') },
  { asks: { excludedAttributes: 'emails.type' }, shows: { ...user, emails: [{ value: 'a@x' }, { value: 'b@x' }] } },
  { asks: { excludedAttributes: [enterprise, custom] }, shows: without(enterprise, custom) },
  { asks: { excludedAttributes: 'manager,department' }, shows: { ...user, [enterprise]: { badge: 7 } } },
]

for (const { asks, shows } of cases) {
  test(`returns the right part of a user for ${JSON.stringify(asks)}`, () => {
    assert.deepEqual(project(user, parseProjection(asks, userType), userType), shows)
  })
}

for (const asks of [{}, { attributes: 'password,userName' }, { excludedAttributes: 'emails,password.x' }]) {
  test(`returns no password for ${JSON.stringify(asks)}`, () => {
    const shown = project({ ...user, password: 'pw' }, parseProjection(asks, userType), userType)
    assert.equal(Object.hasOwn(shown, 'password'), false)
  })
}

const refused: { asks: ProjectionParameters; says: string }[] = [
  {
    asks: { attributes: 'userName', excludedAttributes: 'emails' },
    says: 'Use either attributes or excludedAttributes, not both.',
  },
  { asks: { attributes: 7 }, says: 'attributes must be a list of attribute names.' },
  { asks: { excludedAttributes: ['emails', {}] }, says: 'excludedAttributes must be a list of attribute names.' },
]

for (const { asks, says } of refused) {
  test(`rejects ${JSON.stringify(asks)}`, () => {
    assert.throws(() => parseProjection(asks, userType), { status: 400, scimType: 'invalidValue', message: says })
  })
}

const tooMany = Array.from({ length: 1_001 }, (_, n) => `name${n}`)

for (const [what, asks] of Object.entries({
  'a text with 1,001 names': { attributes: tooMany.join(',') },
  'a list with 1,001 names': { excludedAttributes: tooMany },
  'a list of texts with 1,001 names': { attributes: [tooMany.slice(0, 500).join(','), tooMany.slice(500).join(',')] },
})) {
  test(`rejects ${what}`, () => {
    const message = `${Object.keys(asks)[0]} must be at most 1000 attribute names.`
    assert.throws(() => parseProjection(asks, userType), { status: 400, scimType: 'invalidValue', message })
  })
}

test('accepts 1,000 names', () => {
  const asks = { attributes: [...tooMany.slice(2), 'title'].join(',') }
  assert.deepEqual(
    project(user, parseProjection(asks, userType), userType),
    project(user, parseProjection({ attributes: 'title' }, userType), userType),
  )
})

const needs: { asks: ProjectionParameters; members: boolean }[] = [
  { asks: {}, members: true },
  { asks: { attributes: 'displayName' }, members: false },
  { asks: { attributes: 'Members.value' }, members: true },
  { asks: { attributes: 'urn:ietf:params:scim:schemas:core:2.0:Group' }, members: true },
  { asks: { excludedAttributes: 'members' }, members: false },
  { asks: { excludedAttributes: 'urn:ietf:params:scim:schemas:core:2.0:Group:members' }, members: false },
  { asks: { excludedAttributes: 'members.display' }, members: true },
  { asks: { excludedAttributes: 'displayName' }, members: true },
]

for (const { asks, members } of needs) {
  test(`members are ${members ? '' : 'not '}needed for ${JSON.stringify(asks)}`, () => {
    assert.equal(includesAttribute(parseProjection(asks, groupType), 'members'), members)
  })
}

test('a projection does not modify the resource and always keeps id and schemas', () => {
  const names = [
    'id',
    'schemas',
    'name',
    'emails.value',
    enterprise,
    `${enterprise}:manager.value`,
    '.',
    'urn:',
    'a.b',
    '__proto__',
  ]
  const some = fc.array(fc.oneof(fc.constantFrom(...names), fc.string()), { minLength: 1 })
  fc.assert(
    fc.property(some, fc.constantFrom('attributes', 'excludedAttributes'), (list, parameter) => {
      const before = structuredClone(user)
      const { id, schemas } = project(user, parseProjection({ [parameter]: list }, userType), userType)
      assert.deepEqual({ schemas, id }, minimal)
      assert.deepEqual(user, before)
    }),
  )
})

for (const [asks, expected] of [
  [{ excludedAttributes: 'members' }, true],
  [{ excludedAttributes: 'Members' }, true],
  [{ excludedAttributes: 'urn:ietf:params:scim:schemas:core:2.0:Group:members' }, false],
  [{ excludedAttributes: 'members.display' }, false],
  [{ excludedAttributes: 'members,displayName' }, false],
  [{ excludedAttributes: 'members,id' }, true],
  [{ excludedAttributes: 'meta' }, false],
  [{ attributes: 'members' }, false],
] as const) {
  test(`${JSON.stringify(asks)} ${expected ? 'leaves out only the members' : 'may leave out stored attributes'}`, () => {
    const projection = parseProjection(asks, groupType) ?? assert.fail()
    assert.equal(leavesOutOnly(projection, 'members', groupType), expected)
  })
}

test('a user without a password and groups is whole when only the groups are left out', () => {
  const projection = parseProjection({ excludedAttributes: 'groups' }, userType) ?? assert.fail()
  assert.ok(leavesOutOnly(projection, 'groups', userType))
  const { groups: _, ...stored } = user
  assert.deepEqual(project(stored, projection, userType), stored)
})
