// Followed on 2026-11-26:
// https://jumpcloud.com/support/provision-and-manage-users-and-groups-in-apps-using-custom-scim-identity-management-integration
// https://jumpcloud.com/support/get-started-scim-identity-management
import type { Guide } from '../guide.ts'
import { on, text } from '../guide.ts'

export const jumpcloud: Guide = {
  console: 'https://console.jumpcloud.com/login/admin',
  help: 'https://jumpcloud.com/support/provision-and-manage-users-and-groups-in-apps-using-custom-scim-identity-management-integration',
  sources: {
    userName: 'username',
    'name.givenName': 'firstname',
    'name.familyName': 'lastname',
    'emails[type eq "work"].value': 'email',
    active: true,
    displayName: 'displayname',
    externalId: 'employeeIdentifier',
    title: 'jobTitle',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'department',
  },
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['Access', 'SSO Applications', 'Add New Application', 'Custom Application'],
          form: {
            title: 'Custom Application',
            fields: [on('Export users to this app (Identity Management)')],
            button: 'Next',
          },
        },
        {
          text: 'jumpcloudConnection',
          path: ['Identity Management', 'Configuration settings'],
          form: {
            title: 'Identity Management',
            fields: [
              text('API Type', 'SCIM API'),
              text('SCIM Version', 'SCIM 2.0'),
              { label: 'Base URL', value: 'endpoint' },
              { label: 'Token Key', value: 'secret' },
              { label: 'Test User Email', value: 'test-email' },
            ],
            button: 'Test Connection',
          },
        },
        { text: 'jumpcloudActivate', path: ['Activate'] },
        {
          text: 'jumpcloudGroups',
          form: {
            title: 'Group Management',
            fields: [on('Enable management of User Groups and Group Membership in this application')],
            button: 'Save',
          },
        },
        { text: 'assign', path: ['User Groups', 'Save'] },
      ],
    },
  ],
}
