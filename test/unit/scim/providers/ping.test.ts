import { testQuirks } from './quirks.ts'

testQuirks('PingFederate', { filters: { 'userName Eq "TOMAS"': [{}, { userName: 'other' }] } })

testQuirks('PingOne', {
  bodies: [
    {
      sends: {
        userName: 'ann',
        emails: [
          { type: 'work', value: 'ann@acme.example', primary: true },
          { type: 'home', value: 'ann@acme.example', primary: true },
        ],
      },
      stores: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'ann',
        emails: [
          { type: 'work', value: 'ann@acme.example', primary: true },
          { type: 'home', value: 'ann@acme.example', primary: false },
        ],
      },
    },
  ],
})
