// Followed on 2026-11-26; Rippling's own help is only for its customers:
// https://workos.com/docs/integrations/rippling-scim
// https://help.kombo.dev/hc/en-us/articles/35612530773521-Rippling-SCIM-How-do-I-link-my-account
import type { Guide } from '../guide.ts'
import { on, text } from '../guide.ts'

export const rippling: Guide = {
  console: 'https://app.rippling.com/',
  help: 'https://help.rippling.com',
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['IT', 'Third-Party Access', 'Add Integration', 'Create New Custom Integration'],
          form: {
            title: 'Create new integration',
            fields: [{ label: 'Name', value: 'product' }, on('User Management via SCIM')],
            button: 'Continue',
          },
        },
        {
          text: 'enterConnection',
          form: {
            title: 'User Management via SCIM',
            fields: [
              text('SCIM Version', '2.0'),
              { label: 'SCIM base URL', value: 'endpoint' },
              text('SCIM Authorization Method', 'Bearer Token'),
              on('Supports Groups'),
              on('Supports Pagination'),
              on('Create & Delete Groups'),
              on('Use PATCH to edit Groups'),
              text('Supported SCIM Attributes', 'externalId, emails.primary, name.givenName …'),
            ],
            button: 'Continue',
          },
        },
        {
          text: 'ripplingInstall',
          path: ['Install now'],
          form: { title: 'Connect', fields: [{ label: 'Bearer Token', value: 'secret' }], button: 'Continue' },
        },
        { text: 'assign', path: ['App Access Rules'] },
        { text: 'checkMappings', path: ['Attribute Mappings'] },
      ],
    },
  ],
}
