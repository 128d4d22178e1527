import { testQuirks } from './quirks.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

testQuirks('Okta', {
  bodies: [
    {
      sends: { schemas: [core], id: 'u1', userName: 'ann', groups: [], meta: { resourceType: 'User' }, locale: '' },
      stores: { schemas: [core], userName: 'ann' },
    },
  ],
  patches: [{ sends: [{ op: 'replace', value: { active: false } }], to: { active: false } }],
  members: [
    {
      sends: { op: 'add', path: 'members', value: [{ value: 'u1', display: 'ann@acme.example' }] },
      means: { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    },
  ],
})
