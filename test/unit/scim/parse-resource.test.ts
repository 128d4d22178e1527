import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { membersOf } from '../../../src/scim/resource/members.ts'
import { parseReplacement, parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { emailOf, emailValues, familyNameOf, givenNameOf } from '../../../src/scim/resource/user-fields.ts'
import type { ResourceType } from '../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const custom = 'urn:okta:acme:2.0:user:custom'

/** Each adds to a user named `ann`. */
const users: { title: string; sends: JsonObject; stores: JsonObject; schemas?: string[] }[] = [
  { title: 'the schemas that were sent are ignored', sends: { schemas: ['urn:x:y', enterprise] }, stores: {} },
  { title: 'legacy schemas are accepted', sends: { schemas: ['urn:scim:schemas:core:1.0'] }, stores: {} },
  {
    title: 'read-only attributes are ignored',
    sends: { id: 'mine', ID: 'mine', meta: { created: 'then' }, groups: [{ value: 'g1' }] },
    stores: {},
  },
  {
    title: 'a password is dropped in any letter case',
    sends: { PassWord: 'pw', [`${core}:password`]: 'pw' },
    stores: {},
  },
  {
    title: 'passwords are dropped wherever they are',
    sends: {
      ' UserPassword ': 'pw',
      passwd: { value: 'pw' },
      'password.value': 'pw',
      'login.PASSWORD': 'pw',
      credentials: [{ userPassword: 'pw' }, { kind: 'a', deep: [{ passwd: 'pw', keep: 1 }] }],
      emails: [{ value: 'a@x', password: 'pw', notes: { Password: 'pw', keep: 2 } }],
      name: { givenName: 'Ann', passwd: 'pw' },
      [enterprise]: { department: 'Ops', ' userpassword': 'pw', manager: { value: 'm', passwd: 'pw' } },
      [`${enterprise}:password`]: 'pw',
      [custom]: { password: 'pw', level: 3 },
      [`${custom}:passwd`]: 'pw',
      'urn:acme:1.0:password': { value: 'pw' },
      'urn:only:1.0': { password: 'pw' },
    },
    stores: {
      credentials: [{}, { kind: 'a', deep: [{ keep: 1 }] }],
      emails: [{ value: 'a@x', notes: { keep: 2 } }],
      name: { givenName: 'Ann' },
      [enterprise]: { department: 'Ops', manager: { value: 'm' } },
      [custom]: { level: 3 },
    },
    schemas: [core, enterprise, custom],
  },
  {
    title: 'empty values are not stored',
    sends: { title: null, nickName: '', roles: [], badge: null, tags: [] },
    stores: {},
  },
  {
    title: 'names become canonical',
    sends: { DISPLAYNAME: 'Ann', externalID: 'e1' },
    stores: { displayName: 'Ann', externalId: 'e1' },
  },
  {
    title: 'a dotted key sets its part in every element, whichever comes first',
    sends: { 'emails.type': 'work', emails: ['a@x', 'b@x'], tags: ['a', { b: 1 }], 'tags.color': 'red' },
    stores: {
      emails: [
        { value: 'a@x', type: 'work' },
        { value: 'b@x', type: 'work' },
      ],
      tags: [
        { value: 'a', color: 'red' },
        { b: 1, color: 'red' },
      ],
    },
  },
  {
    title: 'elements that a dotted key makes equal are stored once, and one is primary',
    sends: { emails: ['a@x', 'b@x'], 'emails.value': 'c@x', phoneNumbers: ['1', '2'], 'phoneNumbers.primary': true },
    stores: {
      emails: [{ value: 'c@x' }],
      phoneNumbers: [
        { value: '1', primary: true },
        { value: '2', primary: false },
      ],
    },
  },
  {
    title: 'the URN of an extension is known from schemas, and from the key of an object',
    sends: {
      schemas: ['urn:okta:a:2.0:user:custom'],
      'urn:okta:a:2.0:user:custom.dept': 'D',
      'urn:acme:hr:team.size': 2,
      'urn:acme:hr:team': { name: 'T' },
    },
    stores: { 'urn:okta:a:2.0:user:custom': { dept: 'D' }, 'urn:acme:hr:team': { size: 2, name: 'T' } },
    schemas: [core, 'urn:acme:hr:team', 'urn:okta:a:2.0:user:custom'],
  },
  { title: 'active can be sent as text', sends: { active: 'False' }, stores: { active: false } },
  { title: 'active is not added when it is not sent', sends: {}, stores: {} },
  { title: 'a single email is a list', sends: { emails: { value: 'a@x' } }, stores: { emails: [{ value: 'a@x' }] } },
  {
    title: 'unknown attributes are kept',
    sends: { favouriteColour: 'teal', tags: [{ a: null }] },
    stores: { favouriteColour: 'teal', tags: [{ a: null }] },
  },
  {
    title: 'an extension without its URN in schemas is listed',
    sends: { schemas: [core], [enterprise]: { department: 'Ops' } },
    stores: { [enterprise]: { department: 'Ops' } },
    schemas: [core, enterprise],
  },
  {
    title: 'extensions and their attributes are matched in any letter case',
    sends: { [enterprise.toUpperCase()]: { DEPARTMENT: 'Ops', badge: 7, nothing: null } },
    stores: { [enterprise]: { department: 'Ops', badge: 7 } },
    schemas: [core, enterprise],
  },
  {
    title: 'a legacy URN means the extension',
    sends: { 'urn:scim:schemas:extension:enterprise:1.0': { employeeNumber: '12' } },
    stores: { [enterprise]: { employeeNumber: '12' } },
    schemas: [core, enterprise],
  },
  { title: 'an empty extension is dropped', sends: { [enterprise]: { department: '' } }, stores: {} },
  { title: 'an extension can be null', sends: { [enterprise]: null }, stores: {} },
  {
    title: 'an unknown extension is kept',
    sends: { [custom]: { shoeSize: 43, nothing: null } },
    stores: { [custom]: { shoeSize: 43, nothing: null } },
    schemas: [core, custom],
  },
  {
    title: 'a qualified attribute is stored in its extension',
    sends: { [`${enterprise}:department`]: 'Ops', [`${enterprise}:Manager`]: 'u1' },
    stores: { [enterprise]: { department: 'Ops', manager: { value: 'u1' } } },
    schemas: [core, enterprise],
  },
  {
    title: 'a qualified attribute joins the extension object',
    sends: { [enterprise]: { manager: { value: 'u1' } }, [`${enterprise}:manager.$ref`]: '../Users/u1' },
    stores: { [enterprise]: { manager: { value: 'u1', $ref: '../Users/u1' } } },
    schemas: [core, enterprise],
  },
  {
    title: 'a qualified attribute of an unknown extension is stored there',
    sends: { [`${custom}:shoeSize`]: 43, [`${custom}:home.floor`]: 2 },
    stores: { [custom]: { shoeSize: 43, home: { floor: 2 } } },
    schemas: [core, custom],
  },
  {
    title: 'a name after the URN of a known schema may follow a dot',
    sends: {
      [`${core}.title`]: 'Lead',
      [`${enterprise}.department`]: 'Ops',
      [`${enterprise}.manager.value`]: 'u1',
      [`${enterprise}.companyName`]: 'Acme',
    },
    stores: { title: 'Lead', [enterprise]: { department: 'Ops', manager: { value: 'u1' }, companyName: 'Acme' } },
    schemas: [core, enterprise],
  },
  {
    title: 'an extension can be in a list of one, and so can its attributes',
    sends: { [enterprise]: [{ department: ['Ops'] }], [core]: [{ title: ['Lead'] }] },
    stores: { [enterprise]: { department: 'Ops' }, title: 'Lead' },
    schemas: [core, enterprise],
  },
  {
    title: 'roles and emails can be text',
    sends: { roles: ['viewer', 'editor'], emails: 'a@x', phoneNumbers: [5550100] },
    stores: {
      roles: [{ value: 'viewer' }, { value: 'editor' }],
      emails: [{ value: 'a@x' }],
      phoneNumbers: [{ value: '5550100' }],
    },
  },
  {
    title: 'an attribute can be qualified by the core schema',
    sends: { [`${core}:title`]: 'Lead' },
    stores: { title: 'Lead' },
  },
  {
    title: 'core attributes can be in an object under the core URN',
    sends: { [core]: { title: 'Lead', id: 'x' } },
    stores: { title: 'Lead' },
  },
  {
    title: 'a dotted name is a sub-attribute',
    sends: { 'name.givenName': 'Ann', Name: { familyName: 'Lee' }, 'NAME.middlename': 'Q' },
    stores: { name: { givenName: 'Ann', familyName: 'Lee', middleName: 'Q' } },
  },
  {
    title: 'dotted names of a list describe one element',
    sends: { 'emails.value': 'a@x', 'emails.type': 'work' },
    stores: { emails: [{ value: 'a@x', type: 'work' }] },
  },
  { title: 'a dotted name is not stored literally', sends: { 'desk.floor': 2 }, stores: { desk: { floor: 2 } } },
  {
    title: 'a name that is no attribute is kept as it is',
    sends: { 'http://example.com/x': 1 },
    stores: { 'http://example.com/x': 1 },
  },
  {
    title: 'a bare name that only the extension has belongs to it',
    sends: { department: 'Ops' },
    stores: { [enterprise]: { department: 'Ops' } },
    schemas: [core, enterprise],
  },
]

for (const { title, sends, stores, schemas = [core] } of users) {
  test(`user: ${title}`, () => {
    const { schemas: listed, ...resource } = parseResource(userType, { userName: 'ann', ...sends })
    assert.deepEqual(listed, schemas)
    assert.deepEqual(resource, { userName: 'ann', ...stores })
  })
}

test('the order of schemas does not depend on the body', () => {
  const [a, b] = [{ 'urn:aa:1.0': { x: 1 } }, { 'urn:bb:1.0': { x: 1 }, [enterprise]: { department: 'Ops' } }]
  const listed = [core, enterprise, 'urn:aa:1.0', 'urn:bb:1.0']
  assert.deepEqual(parseResource(userType, { userName: 'ann', ...a, ...b })['schemas'], listed)
  assert.deepEqual(parseResource(userType, { userName: 'ann', ...b, ...a })['schemas'], listed)
})

test('the number of attributes is limited, in the body and after merging keys', () => {
  const names = (count: number, prefix = 'x') => {
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))
  }
  const refusal = { status: 400, scimType: 'invalidValue', message: /must not have more than 1000 attributes/ }
  assert.equal(Object.keys(parseResource(userType, { userName: 'ann', ...names(999) })).length, 1001)
  for (const body of [names(1000), { [enterprise]: names(1001) }, { [core]: names(1001) }]) {
    assert.throws(() => parseResource(userType, { userName: 'ann', ...body }), refusal)
  }
  const pieces = { ...names(600, 'badge.x'), badge: names(600, 'y') }
  assert.throws(() => parseResource(userType, { userName: 'ann', ...pieces }), refusal)
})

test('a URN may have 255 characters, and everything that RFC 8141 allows', () => {
  for (const urn of [
    `urn:acme:${'x'.repeat(246)}`,
    "URN:a-1:!$&'()*+,;=:@/%C3%A9._~-",
    'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
  ]) {
    assert.deepEqual(parseResource(userType, { userName: 'ann', [urn]: { level: 1 } })['schemas'], [core, urn])
  }
})

test('schemas come first', () => {
  assert.equal(Object.keys(parseResource(userType, { userName: 'ann', schemas: [] }))[0], 'schemas')
})

const refused: { type: ResourceType; body: unknown; scimType: string; says: string }[] = [
  { type: userType, body: undefined, scimType: 'invalidSyntax', says: 'The body must be a JSON object: a User.' },
  { type: userType, body: null, scimType: 'invalidSyntax', says: 'The body must be a JSON object: a User.' },
  { type: userType, body: [], scimType: 'invalidSyntax', says: 'The body must be a JSON object: a User.' },
  { type: groupType, body: 'x', scimType: 'invalidSyntax', says: 'The body must be a JSON object: a Group.' },
  { type: userType, body: {}, scimType: 'invalidValue', says: 'userName is required: a User must have one.' },
  {
    type: userType,
    body: { userName: '' },
    scimType: 'invalidValue',
    says: 'userName is required: a User must have one.',
  },
  {
    type: groupType,
    body: { displayName: null },
    scimType: 'invalidValue',
    says: 'displayName is required: a Group must have one.',
  },
  ...[' ', '\t\n', '\u00a0\u3000'].flatMap((blank) => [
    {
      type: userType,
      body: { userName: blank },
      scimType: 'invalidValue',
      says: 'userName must not be only white space.',
    },
    {
      type: userType,
      body: { emails: [{ value: blank }] },
      scimType: 'invalidValue',
      says: 'userName must not be only white space.',
    },
    {
      type: groupType,
      body: { displayName: blank },
      scimType: 'invalidValue',
      says: 'displayName must not be only white space.',
    },
  ]),
  {
    type: groupType,
    body: { schemas: [core], displayName: 'Ops' },
    scimType: 'invalidValue',
    says: 'schemas names a User, but this is the endpoint of a Group.',
  },
  {
    type: userType,
    body: { SCHEMAS: ['urn:x', group.toUpperCase()], userName: 'ann' },
    scimType: 'invalidValue',
    says: 'schemas names a Group, but this is the endpoint of a User.',
  },
  {
    type: userType,
    body: { schemas: 7, userName: 'ann' },
    scimType: 'invalidValue',
    says: 'schemas must be a list of URNs, not a number.',
  },
  {
    type: userType,
    body: { schemas: [{}], userName: 'ann' },
    scimType: 'invalidValue',
    says: 'schemas must be a list of URNs, not an array.',
  },
  ...[
    'urn:x',
    'urn:x:y',
    'urn:-a:b',
    'urn:acme:',
    'urn:acme:a b',
    'urn:acme:é',
    'urn:acme:%zz',
    `urn:acme:${'x'.repeat(247)}`,
  ].map((urn) => ({
    type: userType,
    body: { userName: 'ann', [urn]: { level: 1 } },
    scimType: 'invalidValue',
    says: `${JSON.stringify(urn.length > 60 ? `${urn.slice(0, 60)}…` : urn)} is not the URN of an extension: it must be valid (RFC 8141) and at most 255 characters long.`,
  })),
  {
    type: userType,
    body: { userName: true },
    scimType: 'invalidValue',
    says: 'userName must be a string, not a boolean.',
  },
  {
    type: userType,
    body: { 'userName.x': 7 },
    scimType: 'invalidValue',
    says: 'userName must be a string, not an object.',
  },
  {
    type: userType,
    body: { [enterprise]: 'Ops' },
    scimType: 'invalidValue',
    says: `${enterprise} must be an object, not a string.`,
  },
  {
    type: userType,
    body: { [core]: 'Ann' },
    scimType: 'invalidValue',
    says: `${core} must be an object, not a string.`,
  },
  {
    type: userType,
    body: { userName: 'ann', [enterprise]: { department: false } },
    scimType: 'invalidValue',
    says: `${enterprise}:department must be a string, not a boolean.`,
  },
]

for (const { type, body, scimType, says } of refused) {
  test(`rejects ${JSON.stringify(body)} for a ${type.name}`, () => {
    assert.throws(() => parseResource(type, body), { status: 400, scimType, message: says })
  })
}

test('a user without userName gets the email address as userName', () => {
  const emails = [{ value: 'a@x' }, { value: 'b@x', type: 'Work' }]
  assert.equal(parseResource(userType, { emails })['userName'], 'b@x')
})

test('the replacement of a user may leave out the userName, which is not the email address', () => {
  const emails = [{ value: 'a@x' }]
  assert.deepEqual(parseReplacement(userType, { emails }), { schemas: [core], emails })
  assert.equal(parseReplacement(userType, { userName: 'ann' })['userName'], 'ann')
  assert.throws(() => parseReplacement(userType, { userName: ' ' }), { scimType: 'invalidValue' })
  assert.throws(() => parseReplacement(groupType, {}), { scimType: 'invalidValue' })
})

test('a parsed group has no members', () => {
  const body = { displayName: 'Ops', Members: [{ value: 'u1' }], [`${group}:members`]: [], externalId: 'e1' }
  assert.deepEqual(parseResource(groupType, body), { schemas: [group], displayName: 'Ops', externalId: 'e1' })
})

const memberCases: { body: unknown; members: Json | undefined }[] = [
  { body: { displayName: 'Ops' }, members: undefined },
  { body: { members: null }, members: [] },
  { body: { members: [] }, members: [] },
  { body: { MEMBERS: [{ value: 'u1' }] }, members: [{ value: 'u1' }] },
  { body: { [`${group}:Members`]: ['u1'] }, members: ['u1'] },
  { body: { [`${group}.members`]: ['u1'] }, members: ['u1'] },
  { body: { [group]: { members: ['u1'] } }, members: ['u1'] },
  { body: { [group]: 'x' }, members: undefined },
  { body: null, members: undefined },
]

for (const { body, members } of memberCases) {
  test(`the members of ${JSON.stringify(body)} are ${JSON.stringify(members)}`, () => {
    assert.deepEqual(membersOf(body), members)
  })
}

test('no key touches the prototype', () => {
  const body = JSON.parse(`{"userName":"ann","__proto__":{"a":1},"${core}":{"__proto__":{"a":1}},"toString":"x"}`)
  const resource = parseResource(userType, body)
  assert.equal(Object.getPrototypeOf(resource), Object.prototype)
  assert.deepEqual(Object.keys(resource), ['schemas', 'userName', 'toString'])
})

const emailCases: { user: JsonObject; email: string }[] = [
  { user: { userName: 'ann' }, email: 'ann' },
  { user: { userName: 'ann', emails: [{ type: 'work' }] }, email: 'ann' },
  { user: { emails: [{ value: 'first' }, { value: 'second' }] }, email: 'first' },
  { user: { emails: [{ value: 'first' }, { value: 'office', type: 'WORK' }] }, email: 'office' },
  {
    user: {
      emails: [
        { value: 'office', type: 'work' },
        { value: 'main', primary: true },
      ],
    },
    email: 'main',
  },
  { user: {}, email: '' },
]

for (const { user, email } of emailCases) {
  test(`the email of ${JSON.stringify(user)} is "${email}"`, () => assert.equal(emailOf(user), email))
}

test('missing names and emails are empty', () => {
  const user = { name: { givenName: 'Ann', familyName: 'Lee' }, emails: [{ value: 'A@x' }, { type: 'work' }] }
  assert.deepEqual([givenNameOf(user), familyNameOf(user), emailValues(user)], ['Ann', 'Lee', ['A@x']])
  assert.deepEqual([givenNameOf({}), familyNameOf({ name: 'Ann' }), emailValues({})], ['', '', []])
})

/** Bodies as identity providers send them, with the parsed results. */
const traffic: { title: string; type: ResourceType; sends: JsonObject; stores: JsonObject }[] = [
  {
    title: 'Okta, PUT of a profile',
    type: userType,
    sends: {
      schemas: [core],
      userName: 'maya.lindqvist@example.com',
      name: { givenName: 'Maya', familyName: 'Lindqvist-Ode' },
      emails: [
        { primary: true, value: 'maya.lindqvist@example.com', type: 'work', display: 'maya.lindqvist@example.com' },
      ],
      displayName: 'Maya Lindqvist-Ode',
      locale: 'en-US',
      externalId: '00u7maya0000000000a1',
      groups: [],
      password: 'Zt8-placeholder',
      active: true,
      id: 'someone-else',
      meta: { resourceType: 'User' },
    },
    stores: {
      schemas: [core],
      userName: 'maya.lindqvist@example.com',
      name: { givenName: 'Maya', familyName: 'Lindqvist-Ode' },
      emails: [
        { primary: true, value: 'maya.lindqvist@example.com', type: 'work', display: 'maya.lindqvist@example.com' },
      ],
      displayName: 'Maya Lindqvist-Ode',
      locale: 'en-US',
      externalId: '00u7maya0000000000a1',
      active: true,
    },
  },
  {
    title: 'Entra ID, POST of a user',
    type: userType,
    sends: {
      schemas: [core, enterprise],
      externalId: 'tomas.weber',
      userName: 'tomas.weber@example.com',
      active: true,
      meta: { resourceType: 'User' },
      name: { formatted: 'Tomas Weber', familyName: 'Weber', givenName: 'Tomas' },
      roles: [],
      [enterprise]: { department: 'Procurement', employeeNumber: '2002' },
    },
    stores: {
      schemas: [core, enterprise],
      externalId: 'tomas.weber',
      userName: 'tomas.weber@example.com',
      active: true,
      name: { formatted: 'Tomas Weber', familyName: 'Weber', givenName: 'Tomas' },
      [enterprise]: { department: 'Procurement', employeeNumber: '2002' },
    },
  },
  {
    title: 'Entra ID, POST of a group',
    type: groupType,
    sends: {
      schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '3f0c7a52-6a0e-4d0b-9a1d-0b6c5e7f1a11',
      displayName: 'Buyers EMEA',
      meta: { resourceType: 'Group' },
    },
    stores: { schemas: [group], externalId: '3f0c7a52-6a0e-4d0b-9a1d-0b6c5e7f1a11', displayName: 'Buyers EMEA' },
  },
  {
    title: 'OneLogin, PUT with a text boolean and a bare email object',
    type: userType,
    sends: {
      schemas: ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
      groups: [],
      userName: 'priya.nair@example.com',
      emails: { value: 'priya.nair@example.com', type: 'work', primary: true },
      title: null,
      active: 'true',
    },
    stores: {
      schemas: [core],
      userName: 'priya.nair@example.com',
      emails: [{ value: 'priya.nair@example.com', type: 'work', primary: true }],
      active: true,
    },
  },
  {
    title: 'PingOne, PUT of two primary email addresses',
    type: userType,
    sends: {
      schemas: [core],
      userName: 'hana.kovac@example.com',
      emails: [
        { value: 'hana.kovac@example.com', type: 'work', primary: true },
        { value: 'hana.kovac@example.com', type: 'other', primary: true },
      ],
    },
    stores: {
      schemas: [core],
      userName: 'hana.kovac@example.com',
      emails: [
        { value: 'hana.kovac@example.com', type: 'work', primary: true },
        { value: 'hana.kovac@example.com', type: 'other', primary: false },
      ],
    },
  },
  {
    title: 'an HR system, POST under a legacy URN',
    type: userType,
    sends: {
      schemas: [core, 'urn:scim:schemas:extension:enterprise:2.0'],
      userName: 'yusuf.karaca@example.com',
      emails: [{ value: 'yusuf.karaca@example.com', type: 'Work', primary: true }],
      'urn:scim:schemas:extension:enterprise:2.0': { employeeNumber: '9001', department: 'People' },
    },
    stores: {
      schemas: [core, enterprise],
      userName: 'yusuf.karaca@example.com',
      emails: [{ value: 'yusuf.karaca@example.com', type: 'Work', primary: true }],
      [enterprise]: { employeeNumber: '9001', department: 'People' },
    },
  },
]

for (const { title, type, sends, stores } of traffic) {
  test(`traffic: ${title}`, () => assert.deepEqual(parseResource(type, sends), stores))
}

const keys = fc.oneof(
  fc.constantFrom(
    'userName',
    'NAME',
    'name.givenName',
    'emails',
    'emails.value',
    'emails.primary',
    'Emails',
    'active',
    'manager',
    'x.y',
    '.',
  ),
  fc.constantFrom(
    enterprise,
    `${enterprise}:department`,
    core,
    `${core}:title`,
    custom,
    `${custom}:a.b`,
    'urn:',
    'urn:a',
  ),
  fc.string({ maxLength: 5 }),
)

test('any body is rejected with 400 or parsed to a stable form', () => {
  const body = fc.dictionary(keys, fc.oneof(fc.string(), fc.boolean(), fc.jsonValue({ maxDepth: 3 })))
  fc.assert(
    fc.property(body, (sent) => {
      const resource = attempt(() => parseResource(userType, { ...sent, userName: 'ann' }))
      if (resource !== undefined) assert.deepEqual(parseResource(userType, resource), resource)
    }),
    { numRuns: cases(500) },
  )
})

function attempt(parse: () => JsonObject): JsonObject | undefined {
  try {
    return parse()
  } catch (error) {
    assert.ok(error instanceof ScimError && error.status === 400)
    return undefined
  }
}
