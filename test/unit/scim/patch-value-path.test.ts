import { enterprise, home, table, work } from './patch-cases.ts'

table('a value path', [
  {
    why: 'changes the part behind the bracket',
    from: { emails: [work, home] },
    operations: [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' }],
    to: { emails: [{ ...work, value: 'new@example.com' }, home] },
  },
  {
    why: 'replaces the whole values that it selects',
    from: { emails: [{ ...work, display: 'T' }, home] },
    operations: [
      { op: 'replace', path: 'emails[type eq "work"]', value: { type: 'work', value: 'new@example.com' } },
      { op: 'replace', path: 'emails[value eq "TOMAS@home.example"]', value: { type: 'other' } },
    ],
    to: {
      emails: [
        { type: 'work', value: 'new@example.com' },
        { type: 'other', value: home.value },
      ],
    },
  },
  {
    why: 'replaces every value that it selects, and repeating that changes nothing',
    from: { addresses: [{ type: 'work', locality: 'Bonn' }, { type: 'home', locality: 'Bonn' }, { type: 'other' }] },
    operations: Array.from({ length: 3 }, () => [
      { op: 'replace', path: 'addresses[type eq "work" or type eq "home"]', value: { type: 'work', country: 'DE' } },
      { op: 'replace', path: 'addresses[type eq "other"]', value: { country: 'NL' } },
    ]).flat(),
    to: {
      addresses: [
        { type: 'work', country: 'DE' },
        { type: 'work', country: 'DE' },
        { type: 'other', country: 'NL' },
      ],
    },
  },
  {
    why: 'removes the values that it selects when they are replaced by nothing',
    from: { emails: [work, home] },
    operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: null } }],
    to: { emails: [home] },
  },
  {
    why: 'merges what is added into the values that it selects',
    from: { emails: [work, home] },
    operations: [{ op: 'add', path: 'emails[type eq "work"]', value: { value: 'new@example.com' } }],
    to: { emails: [{ ...work, value: 'new@example.com' }, home] },
  },
  {
    why: 'accepts the object in a list of one',
    from: { emails: [work, home] },
    operations: [{ op: 'add', path: 'emails[type eq "work"]', value: [{ display: 'T' }] }],
    to: { emails: [{ ...work, display: 'T' }, home] },
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
    why: 'creates nothing from an empty value',
    operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: null } }],
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
    operations: [{ op: 'replace', path: 'emails.display', value: [] }],
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

table('a value path to the simple values of a list', [
  {
    why: 'removes one of them',
    from: { tags: ['a', 'b'], levels: [1, 2] },
    operations: [
      { op: 'remove', path: 'tags[value eq "a"]' },
      { op: 'Remove', path: 'levels[value gt 1]' },
    ],
    to: { tags: ['b'], levels: [1] },
  },
  {
    why: 'removes the last one with the list',
    from: { tags: ['a'] },
    operations: [{ op: 'remove', path: 'tags[value eq "A"]' }],
    to: {},
  },
  {
    why: 'replaces one of them',
    from: { tags: ['a', 'b', 'c'] },
    operations: [
      { op: 'replace', path: 'tags[value eq "a"]', value: 'x' },
      { op: 'add', path: 'tags[value eq "b"].value', value: 'y' },
      { op: 'replace', path: 'tags[value eq "c"]', value: [{ $ref: null, value: 'z' }] },
    ],
    to: { tags: ['x', 'y', 'z'] },
  },
  {
    why: 'makes an object of one that gets another part',
    from: { tags: ['a', 'b'] },
    operations: [{ op: 'replace', path: 'tags[value eq "a"].color', value: 'red' }],
    to: { tags: [{ value: 'a', color: 'red' }, 'b'] },
  },
  {
    why: 'does nothing when there is none to remove',
    from: { tags: ['a'] },
    operations: [{ op: 'remove', path: 'tags[value eq "b"]' }],
    to: { tags: ['a'] },
  },
])

table('a single value without a schema', [
  {
    why: 'is removed by a value path',
    from: { badge: 'B' },
    operations: [{ op: 'remove', path: 'badge[value eq "b"]' }],
    to: {},
  },
  {
    why: 'becomes the value of an object that gets another part',
    from: { mentor: 'm' },
    operations: [{ op: 'add', path: 'mentor.displayName', value: 'M' }],
    to: { mentor: { value: 'm', displayName: 'M' } },
  },
])

table('a value path to the manager', [
  {
    why: 'removes that manager',
    from: { [enterprise]: { manager: { value: 'm' } } },
    operations: [{ op: 'Remove', path: 'manager[value eq "m"]' }],
    to: {},
  },
  {
    why: 'leaves another manager',
    from: { [enterprise]: { manager: { value: 'm' } } },
    operations: [{ op: 'Remove', path: `${enterprise}:manager[value eq "n"]` }],
    to: { [enterprise]: { manager: { value: 'm' } } },
  },
  {
    why: 'replaces that manager',
    from: { [enterprise]: { manager: { value: 'm', $ref: '../Users/m' } } },
    operations: [{ op: 'Replace', path: 'manager[value eq "m"].value', value: 'n' }],
    to: { [enterprise]: { manager: { value: 'n' } } },
  },
])

const full = {
  title: 'Lead',
  active: true,
  name: { givenName: 'T', familyName: 'B' },
  emails: [work],
  badge: 'B',
  [enterprise]: { department: 'D', division: 'X', manager: { value: 'm' } },
}

table('a removal that names another value', [
  {
    why: 'removes nothing',
    from: full,
    operations: [
      { op: 'remove', path: 'title', value: 'Boss' },
      { op: 'remove', path: 'active', value: 'False' },
      { op: 'remove', path: 'name', value: { givenName: 'U' } },
      { op: 'remove', path: 'name.givenName', value: 'U' },
      { op: 'remove', path: 'emails[type eq "work"]', value: home },
      { op: 'remove', path: 'emails[type eq "work"].value', value: 'other@example.com' },
      { op: 'remove', path: 'badge', value: 'C' },
      { op: 'remove', path: 'nickName', value: 'T' },
      { op: 'remove', path: 'manager', value: [{ $ref: null, value: 'n' }] },
      { op: 'remove', path: enterprise, value: { department: 'E', 'manager.value': 'n' } },
    ],
    to: full,
  },
])

table('a removal that names the present value', [
  {
    why: 'removes it',
    from: full,
    operations: [
      { op: 'remove', path: 'title', value: 'LEAD' },
      { op: 'remove', path: 'active', value: 'True' },
      { op: 'remove', path: 'name.givenName', value: 'T' },
      { op: 'remove', path: 'name', value: { familyName: 'B' } },
      { op: 'remove', path: 'emails[type eq "work"]', value: { value: 'tomas@example.com' } },
      { op: 'remove', path: 'badge', value: 'B' },
      { op: 'remove', path: 'manager', value: 'm' },
      { op: 'remove', path: enterprise, value: { department: 'D', division: '' } },
    ],
    to: {},
  },
])
