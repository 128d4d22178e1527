import { testQuirks } from './quirks.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

testQuirks('OneLogin', {
  bodies: [
    {
      sends: {
        schemas: ['urn:scim:schemas:core:1.0'],
        userName: 'ann',
        externalId: null,
        active: 'true',
        emails: { value: 'ann@acme.example' },
        groups: [],
      },
      stores: { schemas: [core], userName: 'ann', active: true, emails: [{ value: 'ann@acme.example' }] },
    },
  ],
  members: [
    {
      sends: { op: 'add', path: 'members[value eq "u1"]' },
      means: { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    },
  ],
})
