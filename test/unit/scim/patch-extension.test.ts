import { acme, core, enterprise, table } from './patch-cases.ts'

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
    why: 'keeps what the schema does not know of its manager, with and without its URN',
    operations: [{ op: 'replace', value: { 'manager.mail': 'm@x', [enterprise]: { 'manager.phone': '1' } } }],
    to: { [enterprise]: { manager: { phone: '1', mail: 'm@x' } } },
  },
  {
    why: 'loses its manager',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [{ op: 'remove', path: `${enterprise}:manager` }],
    to: {},
  },
  {
    why: 'has attributes that its schema does not know',
    operations: [
      { op: 'add', path: `${enterprise}:companyName`, value: 'Acme' },
      { op: 'add', path: `${enterprise}:office`, value: { city: 'Bonn' } },
      { op: 'add', path: `${enterprise}:roles`, value: [{ value: 'a' }, { value: 'b' }] },
      { op: 'remove', path: `${enterprise}:roles[value eq "a"]` },
      { op: 'replace', path: `${enterprise}:roles[primary eq "True"].value`, value: 'c' },
      { op: 'replace', path: `${enterprise}:roles[primary eq "True"].display`, value: 'C' },
    ],
    to: {
      [enterprise]: {
        companyName: 'Acme',
        office: { city: 'Bonn' },
        roles: [{ value: 'b' }, { primary: true, value: 'c', display: 'C' }],
      },
    },
  },
  {
    why: 'loses attributes that its schema does not know',
    from: { [enterprise]: { companyName: 'Acme', office: { city: 'Bonn', floor: 2 }, division: 'D' } },
    operations: [
      { op: 'remove', path: `${enterprise}:COMPANYNAME` },
      { op: 'remove', path: `${enterprise}.office.city` },
      { op: 'replace', path: `${enterprise}:division`, value: '' },
    ],
    to: { [enterprise]: { office: { floor: 2 } } },
  },
  {
    why: 'takes the legacy keys of Entra ID without a path',
    operations: [
      {
        op: 'replace',
        value: {
          'name.givenName': 'Linh',
          companyName: 'Acme',
          'address.streetAddress': '1 Main St',
          [`${enterprise}:department`]: 'Ops',
          [`${enterprise}:companyName`]: 'Acme',
          [`${enterprise}:office`]: { city: 'Bonn' },
          [`${enterprise}.division`]: 'X',
          [`${core}:badge`]: { color: 'red' },
          active: 'False',
        },
      },
    ],
    to: {
      name: { givenName: 'Linh' },
      companyName: 'Acme',
      address: { streetAddress: '1 Main St' },
      badge: { color: 'red' },
      active: false,
      [enterprise]: { department: 'Ops', companyName: 'Acme', office: { city: 'Bonn' }, division: 'X' },
    },
  },
  {
    why: 'is found after a dot instead of a colon',
    from: { [acme]: { level: 1 } },
    operations: [
      { op: 'replace', path: `${enterprise}.manager`, value: 'm1' },
      { op: 'replace', path: `${core}.title`, value: 'Lead' },
      { op: 'replace', path: `${acme}.badge`, value: 'b' },
    ],
    to: { title: 'Lead', [enterprise]: { manager: { value: 'm1' } }, [acme]: { level: 1, badge: 'b' } },
  },
  {
    why: 'may be in a list of one',
    operations: [
      { op: 'replace', path: enterprise, value: [{ department: ['Ops'] }] },
      { op: 'add', value: { [enterprise]: [{ division: 'X' }] } },
    ],
    to: { [enterprise]: { department: 'Ops', division: 'X' } },
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
    why: 'keeps the address that the object of a new manager has',
    from: { [enterprise]: { manager: { value: 'm1', $ref: '../Users/m1' } } },
    operations: [{ op: 'replace', path: 'manager', value: { value: 'm2', $ref: '../Users/m2' } }],
    to: { [enterprise]: { manager: { value: 'm2', $ref: '../Users/m2' } } },
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

const okta = 'urn:okta:app:2.0:user:custom'

table('an unknown URN', [
  {
    why: 'ends where an extension of the resource does',
    from: { [okta]: { a: 1 } },
    operations: [
      { op: 'add', path: `${okta}.dept`, value: 'D' },
      { op: 'add', value: { [`${okta}.site.city`]: 'Bonn' } },
      { op: 'remove', path: `${okta.toUpperCase()}:a` },
    ],
    to: { [okta]: { dept: 'D', site: { city: 'Bonn' } } },
  },
  {
    why: 'ends where an extension does that comes in the same request',
    operations: [
      { op: 'add', value: { [`${okta}.dept`]: 'D', [okta]: { a: 1 } } },
      { op: 'add', path: `${okta}.b`, value: 2 },
    ],
    to: { [okta]: { a: 1, dept: 'D', b: 2 } },
  },
  {
    why: 'may name an attribute of an extension of the resource',
    from: { 'urn:acme:hr': { badge: { color: 'red' } } },
    operations: [{ op: 'replace', path: 'urn:acme:hr:badge', value: { size: 2 } }],
    to: { 'urn:acme:hr': { badge: { color: 'red', size: 2 } } },
  },
  {
    why: 'that ends in the name of a password is ignored',
    operations: [
      { op: 'add', path: `${acme}:password`, value: 'x' },
      { op: 'add', path: 'urn:acme:hr:password', value: { a: 1 } },
    ],
    to: {},
  },
])
