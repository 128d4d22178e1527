import { enterprise, testQuirks } from './quirks.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const oldEnterprise = 'urn:scim:schemas:extension:enterprise:1.0'

testQuirks('Connectors of HR systems', {
  bodies: [
    {
      sends: { schemas: [core, oldEnterprise], userName: 'ann', [oldEnterprise]: { department: 'People' } },
      stores: { schemas: [core, enterprise], userName: 'ann', [enterprise]: { department: 'People' } },
    },
  ],
})
