import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const acme = 'urn:acme:2.0:User'

const work = { type: 'work', value: 'tomas@example.com', primary: true }
const home = { type: 'home', value: 'tomas@home.example' }

/** A user with these attributes besides the ones that every user in these tests has. */
function user(attributes: JsonObject = {}): JsonObject {
  const extensions = Object.keys(attributes).filter((name) => name.startsWith('urn:'))
  return { schemas: [core, ...extensions], id: 'u1', userName: 'tomas', ...attributes }
}

function patch(resource: JsonObject, operations: Json): JsonObject {
  return applyPatch(userType, resource, parsePatch({ Operations: operations }, userType))
}

interface Case {
  readonly why: string
  readonly from?: JsonObject
  readonly operations: Json
  readonly to: JsonObject
}

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { why, from = {}, operations, to } of cases) {
      test(why, () => assert.deepEqual(patch(user(from), operations), user(to)))
    }
  })
}

table('a singular attribute', [
  { why: 'is added', operations: [{ op: 'add', path: 'title', value: 'Buyer' }], to: { title: 'Buyer' } },
  {
    why: 'is exchanged by add',
    from: { title: 'Buyer' },
    operations: [{ op: 'Add', path: 'title', value: 'Senior Buyer' }],
    to: { title: 'Senior Buyer' },
  },
  {
    why: 'is exchanged by replace',
    from: { title: 'Buyer' },
    operations: [{ op: 'replace', path: `${core}:title`, value: 'C' }],
    to: { title: 'C' },
  },
  { why: 'is added by replace', operations: [{ op: 'replace', path: 'title', value: 'A' }], to: { title: 'A' } },
  { why: 'is removed', from: { title: 'A' }, operations: [{ op: 'Remove', path: 'title' }], to: {} },
  { why: 'may be removed when it is not there', operations: [{ op: 'remove', path: 'title' }], to: {} },
  {
    why: 'is cleared by null',
    from: { title: 'A' },
    operations: [{ op: 'replace', path: 'title', value: null }],
    to: {},
  },
  { why: 'is cleared by ""', from: { title: 'A' }, operations: [{ op: 'replace', path: 'title', value: '' }], to: {} },
  { why: 'is cleared by []', from: { title: 'A' }, operations: [{ op: 'replace', path: 'title', value: [] }], to: {} },
  {
    why: 'may be a list of one',
    operations: [{ op: 'replace', path: 'active', value: [false] }],
    to: { active: false },
  },
  {
    why: 'may be a boolean in quotes',
    operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    to: { active: false },
  },
  { why: 'may have capitals', operations: [{ op: 'replace', value: { ACTIVE: 'TRUE' } }], to: { active: true } },
  {
    why: 'of several operations has the last value',
    operations: [
      { op: 'Replace', path: 'title', value: 'A' },
      { op: 'Replace', path: 'title', value: 'B' },
    ],
    to: { title: 'B' },
  },
  {
    why: 'of another name stays',
    from: { title: 'A' },
    operations: [{ value: { active: true } }],
    to: { title: 'A', active: true },
  },
  {
    why: 'that is JSON in text stays text',
    operations: [{ op: 'Add', path: 'title', value: '{"id":1}' }],
    to: { title: '{"id":1}' },
  },
  {
    why: 'that no schema knows is kept',
    operations: [{ op: 'replace', value: { shoeSize: 43, 'shoe.color': 'red', legacy: { a: 1 } } }],
    to: { shoeSize: 43, shoe: { color: 'red' }, legacy: { a: 1 } },
  },
  {
    why: 'that no schema knows is exchanged in any letter case',
    from: { shoeSize: 43 },
    operations: [{ op: 'replace', value: { SHOESIZE: 44 } }],
    to: { shoeSize: 44 },
  },
  {
    why: 'that no schema knows is cleared',
    from: { shoeSize: 43 },
    operations: [{ op: 'replace', value: { shoeSize: null } }],
    to: {},
  },
  { why: 'is no password', operations: [{ op: 'replace', value: { password: 'x', title: 'A' } }], to: { title: 'A' } },
])

table('a complex attribute', [
  {
    why: 'keeps the parts that replace does not name',
    from: { name: { givenName: 'Tomas', familyName: 'Weber' } },
    operations: [{ op: 'replace', path: 'name', value: { familyName: 'Lang' } }],
    to: { name: { givenName: 'Tomas', familyName: 'Lang' } },
  },
  {
    why: 'takes parts in by add',
    from: { name: { givenName: 'Tomas' } },
    operations: [{ op: 'add', value: { NAME: { FamilyName: 'Weber' } } }],
    to: { name: { givenName: 'Tomas', familyName: 'Weber' } },
  },
  {
    why: 'loses the parts that are null',
    from: { name: { givenName: 'Tomas', familyName: 'Weber' } },
    operations: [{ op: 'replace', path: 'name', value: { GivenName: null, familyName: 'Lang' } }],
    to: { name: { familyName: 'Lang' } },
  },
  {
    why: 'is deleted with its last part',
    from: { name: { givenName: 'Tomas' } },
    operations: [{ op: 'remove', path: 'name.givenName' }],
    to: {},
  },
  {
    why: 'is deleted when its last part is cleared',
    from: { name: { givenName: 'Tomas' } },
    operations: [{ op: 'replace', path: 'name', value: { givenName: '' } }],
    to: {},
  },
  {
    why: 'is cleared by a list of null',
    from: { name: { givenName: 'Tomas' }, [enterprise]: { division: 'D' } },
    operations: [
      { op: 'replace', path: 'name', value: [null] },
      { op: 'replace', path: enterprise, value: [null] },
    ],
    to: {},
  },
  {
    why: 'is removed as a whole',
    from: { name: { givenName: 'Tomas' } },
    operations: [{ op: 'remove', path: 'name' }],
    to: {},
  },
  {
    why: 'is made of dotted names, never stored as such',
    operations: [{ op: 'replace', value: { 'name.familyName': 'Weber-Lang', 'NAME.givenname': 'Linh' } }],
    to: { name: { familyName: 'Weber-Lang', givenName: 'Linh' } },
  },
  {
    why: 'comes before its dotted parts',
    operations: [{ op: 'replace', value: { 'name.familyName': 'B', name: { familyName: 'A', givenName: 'G' } } }],
    to: { name: { familyName: 'B', givenName: 'G' } },
  },
])

table('a multi-valued attribute', [
  {
    why: 'gets values appended',
    from: { emails: [home] },
    operations: [{ op: 'add', path: 'emails', value: [work] }],
    to: { emails: [home, work] },
  },
  {
    why: 'takes a single object',
    from: { emails: [home] },
    operations: [{ op: 'add', path: 'emails', value: work }],
    to: { emails: [home, work] },
  },
  {
    why: 'does not repeat a value',
    from: { emails: [work, home] },
    operations: [{ op: 'add', path: 'emails', value: [{ value: 'TOMAS@example.com' }, home, home] }],
    to: { emails: [{ ...work, value: 'TOMAS@example.com' }, home] },
  },
  {
    why: 'has values of one type and another',
    from: { phoneNumbers: [{ type: 'work', value: '1' }] },
    operations: [{ op: 'add', path: 'phoneNumbers', value: { type: 'mobile', value: '1' } }],
    to: {
      phoneNumbers: [
        { type: 'work', value: '1' },
        { type: 'mobile', value: '1' },
      ],
    },
  },
  {
    why: 'demotes the former primary value',
    from: { emails: [work, home] },
    operations: [{ op: 'add', path: 'emails', value: [{ ...home, primary: true }] }],
    to: {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  },
  {
    why: 'demotes the former primary value by a path, too',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' }],
    to: {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  },
  {
    why: 'is exchanged as a whole',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails', value: [{ type: 'other', value: 'x@y' }] }],
    to: { emails: [{ type: 'other', value: 'x@y' }] },
  },
  { why: 'is removed', from: { emails: [work] }, operations: [{ op: 'remove', path: 'emails' }], to: {} },
  {
    why: 'is cleared by []',
    from: { emails: [work] },
    operations: [{ op: 'replace', path: 'emails', value: [] }],
    to: {},
  },
  {
    why: 'is cleared by null',
    from: { emails: [work] },
    operations: [{ op: 'replace', path: 'emails', value: null }],
    to: {},
  },
  {
    why: 'stays when nothing is added',
    from: { emails: [work] },
    operations: [{ op: 'add', path: 'emails', value: [] }],
    to: { emails: [work] },
  },
  {
    why: 'loses only the values that remove lists',
    from: { emails: [work, home] },
    operations: [{ op: 'Remove', path: 'emails', value: [{ $ref: null, value: 'Tomas@Home.example' }] }],
    to: { emails: [work] },
  },
  {
    why: 'loses none by an empty list',
    from: { emails: [work] },
    operations: [{ op: 'remove', path: 'emails', value: [] }],
    to: { emails: [work] },
  },
  {
    why: 'keeps a value of another type than remove lists',
    from: { emails: [work, { ...work, type: 'home' }] },
    operations: [{ op: 'remove', path: 'emails', value: [{ type: 'home', value: 'tomas@example.com' }] }],
    to: { emails: [work] },
  },
  {
    why: 'loses an address that remove lists whole',
    from: { addresses: [{ locality: 'Bonn' }, { locality: 'Bonn', type: 'home' }] },
    operations: [{ op: 'remove', path: 'addresses', value: [{ locality: 'Bonn' }] }],
    to: { addresses: [{ locality: 'Bonn', type: 'home' }] },
  },
  {
    why: 'is written in all values by a path without a filter',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails.display', value: 'T' }],
    to: {
      emails: [
        { ...work, display: 'T' },
        { ...home, display: 'T' },
      ],
    },
  },
  {
    why: 'keeps text that is JSON',
    operations: [{ op: 'Add', path: 'roles', value: [{ value: '{"id":"f0c1"}' }] }],
    to: { roles: [{ value: '{"id":"f0c1"}' }] },
  },
])

table('a value that another operation made the same', [
  {
    why: 'is one when their types become the same',
    from: {
      emails: [
        { type: 'home', value: 'a@x' },
        { type: 'work', value: 'a@x', primary: true },
      ],
    },
    operations: [{ op: 'replace', path: 'emails[type eq "work"].type', value: 'Home' }],
    to: { emails: [{ type: 'home', value: 'a@x', primary: true }] },
  },
  {
    why: 'is one when their values become the same',
    from: { emails: [work, { ...work, value: 'other@example.com', primary: false }] },
    operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@x' }],
    to: { emails: [{ ...work, value: 'a@x' }] },
  },
  {
    why: 'is one when a path asks for what is there',
    from: { emails: [work] },
    operations: [{ op: 'add', path: 'emails[type eq "work" and display eq "T"].value', value: work.value }],
    to: { emails: [{ ...work, display: 'T' }] },
  },
  {
    why: 'is one when an address is added again, as the primary one',
    from: { addresses: [{ locality: 'Bonn', country: 'DE' }, { locality: 'Bonn' }] },
    operations: [{ op: 'add', path: 'addresses', value: [{ country: 'DE', locality: 'Bonn', primary: true }] }],
    to: { addresses: [{ locality: 'Bonn', country: 'DE', primary: true }, { locality: 'Bonn' }] },
  },
])

table('a value path', [
  {
    why: 'changes the part behind the bracket',
    from: { emails: [work, home] },
    operations: [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' }],
    to: { emails: [{ ...work, value: 'new@example.com' }, home] },
  },
  {
    why: 'merges an object into the values that it picks',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
    to: { emails: [{ ...work, value: 'new@example.com' }, home] },
  },
  {
    why: 'takes the object in a list of one, or the value as text',
    from: { emails: [work, home] },
    operations: [
      { op: 'replace', path: 'emails[type eq "work"]', value: [{ display: 'T' }] },
      { op: 'replace', path: 'emails[type eq "home"]', value: 'h@x' },
    ],
    to: {
      emails: [
        { ...work, display: 'T' },
        { ...home, value: 'h@x' },
      ],
    },
  },
  {
    why: 'creates a value that replace does not find, as Entra ID needs it',
    operations: [
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 5550111' },
      { op: 'Replace', path: 'addresses[type eq "work"].streetAddress', value: 'Hafenstrasse 12' },
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'purchaser' },
    ],
    to: {
      phoneNumbers: [{ type: 'mobile', value: '+49 30 5550111' }],
      addresses: [{ type: 'work', streetAddress: 'Hafenstrasse 12' }],
      roles: [{ primary: true, value: 'purchaser' }],
    },
  },
  {
    why: 'creates a value of all conditions',
    from: { emails: [home] },
    operations: [{ op: 'add', path: 'emails[type eq "work" and primary eq true]', value: { value: 'a@b' } }],
    to: { emails: [home, { type: 'work', primary: true, value: 'a@b' }] },
  },
  {
    why: 'creates a value once and then finds it',
    operations: [
      { op: 'add', path: 'emails[type eq "work"].primary', value: true },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'a@b' },
    ],
    to: { emails: [{ type: 'work', primary: true, value: 'a@b' }] },
  },
  {
    why: 'creates nothing for null',
    operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: null }],
    to: {},
  },
  {
    why: 'removes the values that it picks',
    from: { emails: [work, home] },
    operations: [{ op: 'remove', path: 'emails[type eq "work" or type eq "home"]' }],
    to: {},
  },
  {
    why: 'may pick nothing to remove',
    from: { emails: [work] },
    operations: [
      { op: 'remove', path: 'emails[type eq "fax"]' },
      { op: 'remove', path: 'emails[type eq "fax"].value' },
      { op: 'remove', path: 'phoneNumbers[type eq "fax"]' },
    ],
    to: { emails: [work] },
  },
  {
    why: 'creates nothing when nothing is left of the value',
    operations: [{ op: 'replace', path: 'emails.display', value: [null] }],
    to: {},
  },
  {
    why: 'keeps a value when the part to remove is not there',
    from: { emails: [{ type: 'work' }] },
    operations: [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
    to: { emails: [{ type: 'work' }] },
  },
  {
    why: 'removes a part',
    from: { emails: [work, home] },
    operations: [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
    to: { emails: [{ type: 'work', value: 'tomas@example.com' }, home] },
  },
  {
    why: 'removes a value together with what it is about',
    from: { emails: [work, home] },
    operations: [{ op: 'Remove', path: 'emails[type eq "work"].value' }],
    to: { emails: [home] },
  },
  {
    why: 'clears a value by null',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: null }],
    to: { emails: [home] },
  },
])

table('an extension', [
  {
    why: 'comes with its first attribute',
    operations: [
      { op: 'Add', path: `${enterprise}:employeeNumber`, value: '2002' },
      { op: 'Replace', path: `${enterprise.toLowerCase()}:DEPARTMENT`, value: 'Procurement' },
    ],
    to: { [enterprise]: { employeeNumber: '2002', department: 'Procurement' } },
  },
  {
    why: 'goes with its last attribute',
    from: { [enterprise]: { department: 'D' } },
    operations: [{ op: 'remove', path: `${enterprise}:department` }],
    to: {},
  },
  {
    why: 'is added as an object',
    from: { [enterprise]: { department: 'D', costCenter: 'C' } },
    operations: [{ op: 'add', value: { [enterprise.toUpperCase()]: { Department: 'Imaging', division: 'X' } } }],
    to: { [enterprise]: { department: 'Imaging', costCenter: 'C', division: 'X' } },
  },
  {
    why: 'is merged by replace, too',
    from: { [enterprise]: { department: 'D', costCenter: 'C' } },
    operations: [{ op: 'replace', path: enterprise, value: { department: null, 'manager.value': 'm', unlisted: 1 } }],
    to: { [enterprise]: { costCenter: 'C', manager: { value: 'm' }, unlisted: 1 } },
  },
  {
    why: 'is removed by its URN',
    from: { [enterprise]: { department: 'D' } },
    operations: [{ op: 'remove', path: enterprise }],
    to: {},
  },
  {
    why: 'is cleared by null',
    from: { [enterprise]: { department: 'D' } },
    operations: [{ op: 'replace', value: { [enterprise]: null } }],
    to: {},
  },
  {
    why: 'comes under its right name when another is sent',
    operations: [
      { op: 'add', value: { 'urn:scim:schemas:extension:enterprise:1.0': { department: 'D' } } },
      { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User:division', value: 'X' },
    ],
    to: { [enterprise]: { department: 'D', division: 'X' } },
  },
  {
    why: 'has a manager given as text',
    operations: [{ op: 'Add', path: `${enterprise}:manager`, value: 'm1' }],
    to: { [enterprise]: { manager: { value: 'm1' } } },
  },
  {
    why: 'has a manager given as a list of one, whose former address goes',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [
      { op: 'Replace', path: `${enterprise}:manager`, value: [{ $ref: null, value: 'm2', displayName: 'M' }] },
    ],
    to: { [enterprise]: { manager: { value: 'm2' } } },
  },
  {
    why: 'has a manager without its URN',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [{ op: 'replace', value: { 'manager.value': 'm2' } }],
    to: { [enterprise]: { manager: { value: 'm2' } } },
  },
  {
    why: 'loses its manager',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [{ op: 'remove', path: `${enterprise}:manager` }],
    to: {},
  },
  {
    why: 'that is not known is kept',
    operations: [{ op: 'add', path: `${acme}:badge`, value: { color: 'red' } }],
    to: { [acme]: { badge: { color: 'red' } } },
  },
  {
    why: 'that is not known is found in any letter case',
    from: { [acme]: { badge: { color: 'red' } } },
    operations: [{ op: 'replace', path: `${acme.toLowerCase()}:BADGE.Color`, value: 'blue' }],
    to: { [acme]: { badge: { color: 'blue' } } },
  },
  {
    why: 'that is not known is merged as an object',
    from: { [acme]: { a: 1, b: 2 } },
    operations: [{ op: 'replace', value: { [acme]: { b: 3, c: null, 'd.e': 4 } } }],
    to: { [acme]: { a: 1, b: 3, d: { e: 4 } } },
  },
  {
    why: 'that is not known is removed',
    from: { [acme]: { a: 1 } },
    operations: [{ op: 'remove', path: acme }],
    to: {},
  },
  {
    why: 'that is not known is removed though it looks like an attribute',
    from: { 'urn:okta:app:2.0:user:custom': { a: 1 } },
    operations: [{ op: 'remove', path: 'urn:okta:app:2.0:user:custom' }],
    to: {},
  },
  {
    why: 'that is not known is changed though it looks like an attribute',
    from: { 'urn:okta:app:2.0:user:custom': { a: 1 } },
    operations: [{ op: 'replace', path: 'urn:okta:app:2.0:user:custom', value: { b: 2 } }],
    to: { 'urn:okta:app:2.0:user:custom': { a: 1, b: 2 } },
  },
  {
    why: 'that is not known has an attribute that looks like an extension',
    operations: [{ op: 'replace', path: 'urn:acme:1.0:level', value: 3 }],
    to: { 'urn:acme:1.0': { level: 3 } },
  },
  {
    why: 'that is not known has a single value that a filter picks',
    from: { [acme]: { badge: { color: 'red' } } },
    operations: [
      { op: 'replace', path: `${acme}:badge[color eq "red"].size`, value: 5 },
      { op: 'remove', path: `${acme}:badge[color eq "blue"]` },
    ],
    to: { [acme]: { badge: { color: 'red', size: 5 } } },
  },
  {
    why: 'keeps the address that comes with a manager',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [{ op: 'replace', value: { 'manager.$ref': '../Users/m2', 'manager.value': 'm2' } }],
    to: { [enterprise]: { manager: { value: 'm2', $ref: '../Users/m2' } } },
  },
  {
    why: 'keeps the address of a manager that came before the manager',
    operations: [
      { op: 'add', path: 'manager.$ref', value: '../Users/m2' },
      { op: 'add', path: 'manager.value', value: 'm2' },
    ],
    to: { [enterprise]: { manager: { value: 'm2', $ref: '../Users/m2' } } },
  },
  {
    why: 'that is not known has lists',
    from: { [acme]: { tags: [{ value: 'a' }] } },
    operations: [
      { op: 'Add', path: `${acme}:tags`, value: [{ value: 'a' }, { value: 'b' }] },
      { op: 'replace', path: `${acme}:tags[value eq "b"].color`, value: 'red' },
      { op: 'remove', path: `${acme}:tags[value eq "a"]` },
    ],
    to: { [acme]: { tags: [{ value: 'b', color: 'red' }] } },
  },
])

describe('a request is rejected', () => {
  const from = user({ emails: [work], title: 'A' })
  for (const { operations, scimType, because } of [
    { operations: [{ op: 'remove', path: 'userName' }], scimType: 'mutability', because: 'userName is required' },
    { operations: [{ op: 'replace', path: 'userName', value: '' }], scimType: 'invalidValue', because: 'it is empty' },
    { operations: [{ op: 'replace', path: 'userName', value: null }], scimType: 'invalidValue', because: 'it is null' },
    {
      operations: [{ op: 'replace', path: 'userName', value: 5 }],
      scimType: 'invalidValue',
      because: 'it is a number',
    },
    {
      operations: [{ op: 'replace', path: 'active', value: 'no' }],
      scimType: 'invalidValue',
      because: 'it is not a boolean',
    },
    { operations: [{ op: 'replace', path: 'title', value: ['a', 'b'] }], scimType: 'invalidValue', because: 'of two' },
    {
      operations: [{ op: 'replace', path: 'name', value: 'Tomas' }],
      scimType: 'invalidValue',
      because: 'a name has parts',
    },
    {
      operations: [{ op: 'replace', path: enterprise, value: 'x' }],
      scimType: 'invalidValue',
      because: 'it is an object',
    },
    {
      operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: [{ value: 'a' }, { value: 'b' }] }],
      scimType: 'invalidValue',
      because: 'of two objects',
    },
    {
      operations: [{ op: 'replace', path: 'emails[type ne "work"].value', value: 'a' }],
      scimType: 'noTarget',
      because: 'ne does not say what to create',
    },
    {
      operations: [{ op: 'add', path: 'emails[type eq "a" or type eq "b"].value', value: 'a' }],
      scimType: 'noTarget',
      because: 'or does not say what to create',
    },
    {
      operations: [{ op: 'replace', path: 'emails[type eq "fax"].type', value: 'home' }],
      scimType: 'noTarget',
      because: 'the new element would not match the filter',
    },
  ]) {
    test(`${JSON.stringify(operations)}: ${because}`, () => {
      assert.throws(() => patch(from, operations), { status: 400, scimType })
    })
  }

  test('as a whole: changes before the error are discarded', () => {
    const before = structuredClone(from)
    assert.throws(() => patch(from, [{ op: 'replace', path: 'title', value: 'lost' }, { op: 'remove' }]))
    assert.throws(() =>
      patch(from, [
        { op: 'replace', path: 'title', value: 'lost' },
        { path: 'active', value: 'no' },
      ]),
    )
    assert.deepEqual(from, before)
  })

  test('for a missing required attribute only after the last operation', () => {
    const operations = [
      { op: 'remove', path: 'userName' },
      { op: 'add', path: 'userName', value: 'new' },
    ]
    assert.equal(patch(from, operations)['userName'], 'new')
  })
})

test('attributes that are not named are kept, including id and meta', () => {
  const meta = { resourceType: 'User', version: 'W/"3"' }
  assert.deepEqual(patch(user({ meta }), [{ op: 'replace', value: { id: 'x', meta: {} } }]), user({ meta }))
})

test('schemas are computed from the extensions present', () => {
  const from = { ...user({ [enterprise]: { division: 'D' } }), schemas: ['urn:scim:schemas:core:1.0'] }
  assert.deepEqual(patch(from, [{ op: 'add', path: `${acme}:a`, value: 1 }])['schemas'], [core, enterprise, acme])
})

test('the order of schemas does not depend on the order of attributes', () => {
  const from = user({ 'urn:b:1.0': { x: 1 }, [acme]: { level: 1 } })
  const value = { [acme]: { level: null }, [`${acme}:level`]: 2, [enterprise]: { division: 'D' } }
  const once = patch(from, [{ op: 'replace', value }])
  assert.deepEqual(once['schemas'], [core, enterprise, acme, 'urn:b:1.0'])
  assert.deepEqual(patch(once, [{ op: 'replace', value }]), once)
})

test('the number of attributes of a resource and of its objects is limited', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
  const tooMany = { status: 400, scimType: 'invalidValue' }
  const full = user({ [acme]: many(1000), name: many(1000) })
  assert.deepEqual(patch(full, [{ op: 'replace', path: `${acme}:x5`, value: 5 }]), full)
  assert.throws(() => patch(full, [{ op: 'add', path: `${acme}:y`, value: 1 }]), tooMany)
  assert.throws(() => patch(full, [{ op: 'add', path: 'name', value: { givenName: 'A' } }]), tooMany)
  const overfull = user(many(999))
  assert.deepEqual(patch(overfull, [{ op: 'replace', value: { x5: 6 } }]), { ...overfull, x5: 6 })
  assert.throws(() => patch(user(many(995)), [{ op: 'add', value: { y: 1, z: 1, a: 1, b: 1 } }]), tooMany)
})

test('a group can be renamed but not left without a name', () => {
  const group = { schemas: [groupType.schema.id], id: 'g', displayName: 'Buyers' }
  const renamed = (operation: Json) => {
    return applyPatch(groupType, group, parsePatch({ Operations: [operation] }, groupType))
  }
  const to = { ...group, displayName: 'Field Ops' }
  assert.deepEqual(renamed({ op: 'replace', value: { id: 'g', displayName: 'Field Ops' } }), to)
  assert.deepEqual(renamed({ op: 'Replace', path: 'displayName', value: 'Field Ops' }), to)
  assert.throws(() => renamed({ op: 'remove', path: 'displayName' }), { scimType: 'mutability' })
  assert.throws(() => renamed({ op: 'replace', value: { displayName: '' } }), { scimType: 'invalidValue' })
})

test('no name touches the prototype', () => {
  const evil = JSON.parse(
    `{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"${acme}":{"__proto__":{"x":1},"a":1}}`,
  )
  const patched = patch(user(), [{ op: 'add', value: evil }])
  assert.deepEqual(patched, user({ constructor: { prototype: { x: 1 } }, [acme]: { a: 1 } }))
  assert.equal(Object.getPrototypeOf(patched[acme]), Object.prototype)
  assert.ok(!('x' in {}))
})
