import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acme, core, enterprise, home, patch, table, user, work } from './patch-cases.ts'

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
    operations: [{ op: 'add', value: { active: true } }],
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
  {
    why: 'that no schema knows is set by a path',
    operations: [
      { op: 'replace', path: 'companyName', value: 'Acme' },
      { op: 'add', path: 'address.streetAddress', value: '1 Main St' },
      { op: 'add', path: 'address.locality', value: 'Bonn' },
      { op: 'add', path: `${core}:badge`, value: { color: 'red' } },
      { op: 'replace', path: `${core}.badge.size`, value: 5 },
      { op: 'replace', path: 'active', value: 'False' },
    ],
    to: {
      companyName: 'Acme',
      address: { streetAddress: '1 Main St', locality: 'Bonn' },
      badge: { color: 'red', size: 5 },
      active: false,
    },
  },
  {
    why: 'that no schema knows is removed by a path',
    from: { companyName: 'Acme', address: { streetAddress: '1 Main St', locality: 'Bonn' }, active: true },
    operations: [
      { op: 'remove', path: 'COMPANYNAME' },
      { op: 'remove', path: 'address.streetAddress' },
      { op: 'remove', path: 'nope.nope' },
      { op: 'replace', path: 'companyName', value: '' },
    ],
    to: { address: { locality: 'Bonn' }, active: true },
  },
  {
    why: 'that no schema knows has elements that a filter selects',
    from: { offices: [{ type: 'main', city: 'Bonn' }, { type: 'branch' }] },
    operations: [
      { op: 'replace', path: 'offices[type eq "main"].city', value: 'Ulm' },
      { op: 'remove', path: 'offices[type eq "branch"]' },
      { op: 'add', value: { 'offices[type eq "new"].city': 'Jena', 'odd[name': 1 } },
    ],
    to: {
      offices: [
        { type: 'main', city: 'Ulm' },
        { type: 'new', city: 'Jena' },
      ],
      'odd[name': 1,
    },
  },
  {
    why: 'is a number or in a list of one where text is expected',
    operations: [
      { op: 'replace', path: 'title', value: ['Buyer'] },
      { op: 'replace', path: 'name', value: [{ givenName: 7 }] },
      { op: 'replace', value: { nickName: 42 } },
    ],
    to: { title: 'Buyer', name: { givenName: '7' }, nickName: '42' },
  },
  { why: 'is no password', operations: [{ op: 'replace', value: { password: 'x', title: 'A' } }], to: { title: 'A' } },
  {
    why: 'is never a password, wherever it is',
    operations: [
      { op: 'add', value: { PassWd: 'x', 'login.userPassword': 'x', credentials: { ' password': 'x', keep: 1 } } },
      { op: 'add', path: `${acme}:password`, value: 'x' },
      { op: 'add', path: `${acme}:login.passwd`, value: 'x' },
      { op: 'add', path: acme, value: { userPassword: 'x', list: [{ passwd: 'x', keep: 2 }] } },
      { op: 'add', path: 'urn:acme:1.0:password', value: 'x' },
      { op: 'add', value: { 'urn:acme:1.0:password': { value: 'x' } } },
      { op: 'add', path: 'urn:acme:1.0:password', value: { value: 'x' } },
      { op: 'add', path: enterprise, value: { password: 'x' } },
      { op: 'add', path: 'emails', value: [{ value: 'a@x', password: 'x' }] },
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'b@x', passwd: { a: 'x' } } },
      { op: 'replace', path: 'name', value: { givenName: 'Ann', PASSWD: 'x' } },
    ],
    to: {
      credentials: { keep: 1 },
      emails: [{ value: 'a@x' }, { type: 'work', value: 'b@x' }],
      name: { givenName: 'Ann' },
      [acme]: { list: [{ keep: 2 }] },
    },
  },
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
    why: 'loses the parts without a schema that are null',
    from: { name: { givenName: 'Tomas', nick: 'Tom' } },
    operations: [{ op: 'replace', path: 'name', value: { nick: null } }],
    to: { name: { givenName: 'Tomas' } },
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
    why: 'is cleared by null and an empty list',
    from: { name: { givenName: 'Tomas' }, [enterprise]: { division: 'D' } },
    operations: [
      { op: 'replace', path: 'name', value: [] },
      { op: 'replace', path: enterprise, value: null },
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
    why: 'keeps the first of several primary values when another value is added',
    from: { emails: [work, { ...home, primary: true }] },
    operations: [{ op: 'add', path: 'emails', value: { value: 'x@y' } }],
    to: { emails: [work, { ...home, primary: false }, { value: 'x@y' }] },
  },
  {
    why: 'keeps the first of several primary values when another value is changed',
    from: { emails: [work, { ...home, primary: true }, { type: 'other', value: 'a@b' }] },
    operations: [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'x@y' }],
    to: { emails: [work, { ...home, primary: false }, { type: 'other', value: 'x@y' }] },
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
    operations: [{ op: 'add', path: 'emails[type eq "work" and primary eq false].value', value: work.value }],
    to: { emails: [{ ...work, primary: false }] },
  },
  {
    why: 'is one when an address is added again, as the primary one',
    from: { addresses: [{ locality: 'Bonn', country: 'DE' }, { locality: 'Bonn' }] },
    operations: [{ op: 'add', path: 'addresses', value: [{ country: 'DE', locality: 'Bonn', primary: true }] }],
    to: { addresses: [{ locality: 'Bonn', country: 'DE', primary: true }, { locality: 'Bonn' }] },
  },
])

test('no path touches a prototype', () => {
  const operations =
    '[{"op":"add","path":"badge","value":{"__proto__":{"admin":true},"a":1}},{"op":"add","path":"constructor","value":"x"}]'
  const changed = patch(user(), JSON.parse(operations))
  assert.equal(changed['constructor'], 'x')
  assert.equal(JSON.stringify(changed['badge']), '{"a":1}')
  assert.equal(Object.getPrototypeOf(changed['badge']), Object.prototype)
})
