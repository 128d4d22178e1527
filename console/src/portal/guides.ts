import type { Guide, GuideField, GuideStep } from './guide.ts'

const on = (label: string): GuideField => ({ label, value: true })
const text = (label: string, value: string): GuideField => ({ label, value: { text: value } })

const oktaActions: readonly GuideStep[] = [
  {
    text: 'enableActions',
    path: ['Provisioning', 'To App', 'Edit'],
    form: {
      title: 'Provisioning to App',
      fields: [on('Create Users'), on('Update User Attributes'), on('Deactivate Users')],
      button: 'Save',
    },
  },
  { text: 'assign', path: ['Assignments', 'Assign', 'Assign to Groups'] },
  { text: 'pushGroups', path: ['Push Groups', 'Push Groups', 'Find groups by name'] },
]

const okta: Guide = {
  never: ['user_deleted'],
  variants: [
    {
      id: 'private-app',
      steps: [
        { text: 'createApp', path: ['Applications', 'Applications', 'Create App Integration', 'SAML 2.0'] },
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
        ...oktaActions,
      ],
    },
    {
      id: 'catalog-app',
      steps: [
        { text: 'addCatalogApp', path: ['Applications', 'Applications', 'Browse App Catalog'] },
        {
          text: 'enterConnection',
          path: ['Provisioning', 'Integration', 'Configure API Integration'],
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
        ...oktaActions,
      ],
    },
  ],
}

const entraConnection: readonly GuideStep[] = [
  {
    text: 'enterConnection',
    path: ['Provisioning', 'Connect your application'],
    form: {
      title: 'Admin Credentials',
      fields: [
        text('Provisioning Mode', 'Automatic'),
        { label: 'Tenant URL', value: 'endpoint-for-entra' },
        { label: 'Secret Token', value: 'secret' },
      ],
      button: 'Test Connection',
    },
  },
  {
    text: 'checkMappings',
    path: ['Provisioning', 'Mappings'],
    form: {
      title: 'Mappings',
      fields: [on('Provision Microsoft Entra ID Users'), on('Provision Microsoft Entra ID Groups')],
      button: 'Save',
    },
  },
  { text: 'assign', path: ['Users and groups', 'Add user/group', 'Assign'] },
  { text: 'startProvisioning', path: ['Overview', 'Start provisioning'] },
]

const entra: Guide = {
  variants: [
    {
      id: 'private-app',
      steps: [
        {
          text: 'createApp',
          path: ['Enterprise applications', 'New application', 'Create your own application', 'Non-gallery'],
        },
        ...entraConnection,
      ],
    },
    {
      id: 'catalog-app',
      steps: [
        { text: 'addCatalogApp', path: ['Enterprise applications', 'New application', 'Microsoft Entra Gallery'] },
        ...entraConnection,
      ],
    },
  ],
}

const onelogin: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['Applications', 'Applications', 'Add App', 'SCIM Provisioner with SAML (SCIM v2 Enterprise)'],
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
        {
          text: 'enableActions',
          path: ['Provisioning'],
          form: {
            title: 'Workflow',
            fields: [
              on('Enable provisioning'),
              text('When users are deleted in OneLogin', 'Delete'),
              text('When user accounts are suspended in OneLogin', 'Suspend'),
            ],
            button: 'Save',
          },
        },
        { text: 'assign', path: ['Users', 'Applications', '+'] },
        { text: 'pushGroups', path: ['Parameters', 'Groups', 'Include in User Provisioning'] },
      ],
    },
  ],
}

const jumpcloud: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        { text: 'createApp', path: ['Access', 'SSO Applications', 'Add New Application', 'Custom Application'] },
        {
          text: 'enterConnection',
          path: ['Identity Management', 'Configuration settings'],
          form: {
            title: 'Identity Management',
            fields: [
              text('API Type', 'SCIM API'),
              text('SCIM Version', 'SCIM 2.0'),
              { label: 'Base URL', value: 'endpoint' },
              { label: 'Token Key', value: 'secret' },
              on('Enable management of User Groups and Group Membership in this application'),
            ],
            button: 'Test Connection',
          },
        },
        { text: 'activate', path: ['Identity Management', 'Activate'] },
        { text: 'assign', path: ['User Groups', 'Save'] },
      ],
    },
  ],
}

const pingone: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'createApp',
          path: ['Integrations', 'Provisioning', 'New Connection', 'Identity Store', 'SCIM Outbound'],
        },
        {
          text: 'enterConnection',
          path: ['Configure authentication'],
          form: {
            title: 'Configure authentication',
            fields: [
              { label: 'SCIM Base URL', value: 'endpoint' },
              text('SCIM Version', '2.0'),
              text('Authentication Method', 'OAuth 2 Bearer Token'),
              { label: 'OAuth Access Token', value: 'secret' },
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
        { text: 'createRule', path: ['Provisioning', 'Rules', 'New Rule'] },
      ],
    },
  ],
}

const rippling: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        { text: 'createApp', path: ['IT', 'Custom App', 'Create New App'] },
        {
          text: 'enterConnection',
          path: ['Settings', 'SCIM provisioning'],
          form: {
            title: 'SCIM provisioning',
            fields: [
              text('SCIM version', '2.0'),
              { label: 'SCIM base URL', value: 'endpoint' },
              { label: 'Bearer token', value: 'secret' },
              on('Supports groups'),
              on('Use PATCH to edit groups'),
            ],
            button: 'Continue',
          },
        },
        { text: 'checkMappings', path: ['Settings', 'SCIM attributes'] },
        { text: 'assign', path: ['Settings', 'App access rules'] },
      ],
    },
  ],
}

const cyberark: Guide = {
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
        { text: 'startProvisioning', path: ['Settings', 'Outbound Provisioning', 'Start Sync'] },
      ],
    },
  ],
}

const google: Guide = {
  never: ['connection_tested', 'user_reactivated'],
  variants: [
    {
      id: 'standard',
      steps: [{ text: 'googleAdministrator' }, { text: 'googleConsent' }, { text: 'googleFirstSync' }],
    },
  ],
}

/** For every provider that speaks SCIM 2.0 and has no guide of its own. */
const generic: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'genericConnection',
          form: {
            title: 'SCIM 2.0',
            fields: [
              { label: 'Base URL', value: 'endpoint' },
              text('Authentication', 'Bearer token'),
              { label: 'Token', value: 'secret' },
            ],
          },
        },
        { text: 'genericMappings' },
        { text: 'genericActions' },
        { text: 'genericAssign' },
      ],
    },
  ],
}

const guides: Readonly<Record<string, Guide>> = {
  'okta-scim-v2': okta,
  'azure-scim-v2': entra,
  'onelogin-scim-v2': onelogin,
  'jumpcloud-scim-v2': jumpcloud,
  'pingone-scim-v2': pingone,
  'rippling-scim-v2': rippling,
  'cyberark-scim-v2': cyberark,
  extdir: google,
}

/** The guide for a provider type; the generic one for types without their own. */
export function guideFor(type: string): Guide {
  return guides[type] ?? generic
}
