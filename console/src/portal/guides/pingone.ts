// Followed on 2026-11-26:
// https://docs.pingidentity.com/pingone/integrations/p1_scim_provisioning_features.html
// https://docs.pingidentity.com/pingone/integrations/p1_provisioning_creating_rule_types.html
// https://docs.pingidentity.com/pingone/integrations/p1_provisioning_outbound_group_provisioning.html
import type { Guide } from '../guide.ts'
import { on, text } from '../guide.ts'

export const pingone: Guide = {
  console: 'https://www.pingidentity.com/en/account/sign-on.html',
  help: 'https://docs.pingidentity.com/pingone/integrations/p1_scim_provisioning_features.html',
  sources: {
    userName: 'Username',
    'name.givenName': 'Given Name',
    'name.familyName': 'Family Name',
    'emails[type eq "work"].value': 'Email Address',
    active: 'Enabled',
    displayName: 'Formatted',
    externalId: 'External ID',
    title: 'Title',
  },
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['Integrations', 'Provisioning', '+', 'New Connection', 'Identity Store', 'SCIM', 'Select'],
        },
        {
          text: 'enterConnection',
          path: ['Configure authentication'],
          form: {
            title: 'Configure authentication',
            fields: [
              { label: 'SCIM Base URL', value: 'endpoint' },
              text('Users Resource', '/Users'),
              text('SCIM Version', '2.0'),
              text('Authentication Method', 'OAuth 2 Bearer Token'),
              { label: 'OAuth Access Token', value: 'secret' },
              text('Auth Type Header', 'Bearer'),
            ],
            button: 'Test Connection',
          },
        },
        {
          text: 'enableActions',
          path: ['Configure preferences'],
          form: {
            title: 'Configure preferences',
            fields: [
              text('User Identifier', 'userName'),
              on('Allow users to be created'),
              on('Allow users to be updated'),
              on('Allow users to be disabled'),
            ],
            button: 'Save',
          },
        },
        { text: 'createRule', path: ['Provisioning', '+', 'New Rule'] },
        { text: 'checkMappings', path: ['Provisioning', 'Rules', 'Attribute Mapping'] },
      ],
    },
  ],
}
