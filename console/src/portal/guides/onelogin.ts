// Followed on 2026-11-26:
// https://developers.onelogin.com/scim/create-app
// https://onelogin.service-now.com/support (provisioning: admin approval, parameters, rules, entitlement mappings)
import type { Guide } from '../guide.ts'
import { off, on, text } from '../guide.ts'

export const onelogin: Guide = {
  console: 'https://app.onelogin.com/login',
  help: 'https://developers.onelogin.com/scim/create-app',
  sources: {
    userName: 'SCIM Username',
    'name.givenName': '{$user.firstname}',
    'name.familyName': '{$user.lastname}',
    'emails[type eq "work"].value': '{$user.email}',
    active: '{$user.status}',
    displayName: '{$user.display_name}',
    externalId: '{$user.id}',
    title: '{$user.title}',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': '{$user.department}',
  },
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['Applications', 'Applications', 'Add App', 'SCIM Provisioner with SAML (SCIM v2 Enterprise)', 'Save'],
        },
        {
          text: 'enterConnection',
          path: ['Configuration', 'API Connection'],
          form: {
            title: 'API Connection',
            fields: [
              { label: 'SCIM Base URL', value: 'endpoint' },
              { label: 'SCIM Bearer Token', value: 'secret' },
            ],
            button: 'Enable',
          },
        },
        { text: 'saveConnection', path: ['Save'] },
        {
          text: 'oneloginProvisioning',
          path: ['Provisioning', 'Workflow'],
          form: {
            title: 'Workflow',
            fields: [
              on('Enable provisioning'),
              off('Require admin approval: Create user'),
              off('Require admin approval: Delete user'),
              off('Require admin approval: Update user'),
              text('When users are deleted in OneLogin …', 'Delete'),
              text('When user accounts are suspended in OneLogin …', 'Suspend'),
            ],
            button: 'Save',
          },
        },
        {
          text: 'oneloginGroups',
          path: ['Parameters', 'Groups'],
          form: { title: 'Edit Field Groups', fields: [on('Include in User Provisioning')], button: 'Save' },
        },
        {
          text: 'oneloginRules',
          path: ['Rules', 'Add Rule', 'Actions'],
          form: {
            title: 'Actions',
            fields: [
              text('Set Groups', 'Map from OneLogin'),
              text('For each', 'role'),
              text('with value that matches', '.*'),
            ],
            button: 'Save',
          },
        },
        { text: 'assign', path: ['Users', 'Users', 'Applications', '+'] },
        { text: 'oneloginReapply', path: ['More Actions', 'Reapply entitlement mappings'] },
      ],
    },
  ],
}
