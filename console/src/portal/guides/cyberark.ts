// Followed on 2026-11-26:
// https://docs.cyberark.com/Idaptive/Latest/en/Content/Developer/scim-management/scim-outbound-provisioning.htm
// https://docs.cyberark.com/Idaptive/Latest/en/Content/Applications/AppsOvw/ProvisionUsers.htm
// https://workos.com/docs/integrations/cyberark-scim
import type { Guide } from '../guide.ts'
import { text } from '../guide.ts'

export const cyberark: Guide = {
  help: 'https://docs.cyberark.com/Idaptive/Latest/en/Content/Developer/scim-management/scim-outbound-provisioning.htm',
  variants: [
    {
      id: 'standard',
      steps: [
        { text: 'createApp', path: ['Apps & Widgets', 'Web Apps', 'Add Web Apps', 'Custom'] },
        {
          text: 'enterConnection',
          path: ['Provisioning', 'Enable provisioning for this application'],
          form: {
            title: 'Provisioning',
            fields: [
              text('Mode', 'Live Mode'),
              { label: 'SCIM Service URL', value: 'endpoint' },
              text('Authorization Type', 'Authorization Header'),
              text('Header Type', 'Bearer Token'),
              { label: 'Bearer Token', value: 'secret' },
            ],
            button: 'Verify',
          },
        },
        { text: 'roleMappings', path: ['Provisioning', 'Role Mappings', 'Add'] },
        { text: 'saveConnection', path: ['Save'] },
        { text: 'startSync', path: ['Settings', 'Users', 'Outbound Provisioning', 'Start Sync'] },
      ],
    },
  ],
}
