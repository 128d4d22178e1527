// Followed on 2026-11-26:
// https://help.okta.com/en-us/content/topics/apps/apps_app_integration_wizard_saml.htm
// https://help.okta.com/en-us/content/topics/apps/apps_app_integration_wizard_scim.htm
// https://help.okta.com/en-us/content/topics/users-groups-profiles/usgp-group-push-prerequisites.htm
// https://developer.okta.com/docs/guides/scim-provisioning-integration-connect/main/
import type { Guide, GuideStep } from '../guide.ts'
import { on, text } from '../guide.ts'

const afterConnection: readonly GuideStep[] = [
  { text: 'oktaSave', path: ['Save'] },
  {
    text: 'enableActions',
    path: ['Provisioning', 'To App', 'Edit'],
    form: {
      title: 'Provisioning to App',
      fields: [on('Create Users'), on('Update User Attributes'), on('Deactivate Users')],
      button: 'Save',
    },
  },
  { text: 'checkMappings', path: ['Provisioning', 'To App', 'Attribute Mappings'] },
  { text: 'assign', path: ['Assignments', 'Assign', 'Assign to Groups'] },
  {
    text: 'oktaPushGroups',
    path: ['Push Groups', 'Push Groups', 'Find groups by name'],
    form: { title: 'Push groups by name', fields: [on('Push group memberships immediately')], button: 'Save' },
  },
]

export const okta: Guide = {
  never: ['user_deleted'],
  note: 'oktaLicense',
  console: 'https://login.okta.com/',
  help: 'https://help.okta.com/en-us/content/topics/apps/apps_app_integration_wizard_scim.htm',
  sources: {
    userName: 'Username',
    'name.givenName': 'user.firstName',
    'name.familyName': 'user.lastName',
    'emails[type eq "work"].value': 'user.email',
    active: true,
    displayName: 'user.displayName',
    externalId: true,
    title: 'user.title',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'user.department',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'user.employeeNumber',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'user.managerId',
  },
  variants: [
    {
      id: 'private-app',
      steps: [
        { text: 'oktaCreate', path: ['Applications', 'Applications', 'Create App Integration', 'SAML 2.0', 'Next'] },
        {
          text: 'oktaGeneral',
          form: {
            title: 'General Settings',
            fields: [{ label: 'App name', value: 'product' }, on('Do not display application icon to users')],
            button: 'Next',
          },
        },
        {
          text: 'oktaSaml',
          form: {
            title: 'SAML Settings',
            fields: [
              { label: 'Single sign-on URL', value: 'endpoint' },
              { label: 'Audience URI (SP Entity ID)', value: 'endpoint' },
            ],
            button: 'Next',
          },
        },
        { text: 'oktaFinish', path: ['Feedback', 'Finish'] },
        {
          text: 'enableScim',
          path: ['General', 'App Settings', 'Edit'],
          form: { title: 'App Settings', fields: [text('Provisioning', 'SCIM')], button: 'Save' },
        },
        {
          text: 'enterConnection',
          path: ['Provisioning', 'Integration', 'Edit'],
          form: {
            title: 'SCIM Connection',
            fields: [
              { label: 'SCIM connector base URL', value: 'endpoint' },
              text('Unique identifier field for users', 'userName'),
              on('Push New Users'),
              on('Push Profile Updates'),
              on('Push Groups'),
              text('Authentication Mode', 'HTTP Header'),
              { label: 'Authorization: Bearer', value: 'secret' },
            ],
            button: 'Test Connector Configuration',
          },
        },
        ...afterConnection,
      ],
    },
    {
      id: 'catalog-app',
      catalog: 'okta',
      steps: [
        {
          text: 'addCatalogApp',
          path: ['Applications', 'Applications', 'Browse App Catalog', 'Add Integration', 'Done'],
        },
        {
          text: 'enterConnection',
          path: ['Provisioning', 'Configure API Integration'],
          form: {
            title: 'Integration',
            fields: [
              on('Enable API integration'),
              { label: 'Base URL', value: 'endpoint' },
              { label: 'API Token', value: 'secret' },
            ],
            button: 'Test API Credentials',
          },
        },
        ...afterConnection,
      ],
    },
  ],
}
