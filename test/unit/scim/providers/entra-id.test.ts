import { groupType } from '../../../../src/scim/schema/resource-type.ts'
import { enterprise, testQuirks } from './quirks.ts'

const groupCore = 'urn:ietf:params:scim:schemas:core:2.0:Group'

testQuirks('Entra ID', {
  filters: {
    'emails[type eq "work"].value eq "ann@acme.example"': [
      { emails: [{ type: 'work', value: 'ann@acme.example' }] },
      { emails: [{ type: 'home', value: 'ann@acme.example' }] },
    ],
    'emails[type eq "work"].value ne "ann@acme.example"': [
      { emails: [{ type: 'work', value: 'bob@acme.example' }] },
      { emails: [{ type: 'work', value: 'ann@acme.example' }] },
    ],
    'roles[primary eq "True"]': [{ roles: [{ value: 'admin', primary: true }] }, { roles: [{ value: 'admin' }] }],
    'id eq "u1" and manager eq "m1"': [
      { [enterprise]: { manager: { value: 'm1' } } },
      { [enterprise]: { manager: { value: 'm2' } } },
    ],
  },
  bodies: [
    {
      of: groupType,
      sends: {
        schemas: [groupCore, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        displayName: 'Sales',
        meta: { resourceType: 'Group' },
      },
      stores: { schemas: [groupCore], displayName: 'Sales' },
    },
  ],
  patches: [
    { sends: [{ op: 'Replace', path: 'active', value: 'False' }], to: { active: false } },
    {
      sends: [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+41 1' }],
      to: { phoneNumbers: [{ type: 'mobile', value: '+41 1' }] },
    },
    {
      sends: [{ op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+41 1' }],
      to: { phoneNumbers: [{ type: 'mobile', value: '+41 1' }] },
    },
    { sends: [{ op: 'Add', path: 'manager', value: 'm1' }], to: { [enterprise]: { manager: { value: 'm1' } } } },
    {
      sends: [
        { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Ann' }] },
        { op: 'Remove', path: `${enterprise}:manager[value eq "m1"]` },
      ],
      to: { displayName: 'Ann' },
    },
    {
      sends: [{ op: 'replace', value: { 'name.givenName': 'Ann', [`${enterprise}:department`]: 'Ops' } }],
      to: { name: { givenName: 'Ann' }, [enterprise]: { department: 'Ops' } },
    },
  ],
  members: [
    {
      sends: { op: 'Add', path: 'members', value: [{ $ref: null, value: 'u1' }] },
      means: { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    },
    {
      sends: { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u1' }] },
      means: { op: 'remove', path: 'members[value eq "u1"]' },
    },
  ],
})
