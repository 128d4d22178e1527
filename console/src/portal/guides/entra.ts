// Followed on 2026-11-26:
// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
// https://learn.microsoft.com/en-us/entra/identity/saas-apps/spaceiq-provisioning-tutorial (the present form)
// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility
// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/customize-application-attributes
// https://github.com/AzureAD/SCIMReferenceCode (Workload-Identity-Federation-for-SCIM-Provisioning.md)
import type { Guide, GuideStep } from '../guide.ts'
import { on, text } from '../guide.ts'

const afterCreation: readonly GuideStep[] = [
  {
    text: 'enterConnection',
    signIn: 'token',
    path: ['Provisioning', 'New configuration'],
    form: {
      title: 'New configuration',
      fields: [
        text('Select authentication method', 'Bearer authentication'),
        { label: 'Tenant URL', value: 'endpoint-for-entra' },
        { label: 'Secret token', value: 'secret' },
      ],
      button: 'Test connection',
    },
  },
  {
    text: 'entraClientCredentials',
    signIn: 'secret',
    path: ['Provisioning', 'New configuration'],
    form: {
      title: 'New configuration',
      fields: [
        text('Select authentication method', 'OAuth2 client credentials grant'),
        { label: 'Tenant URL', value: 'endpoint-for-entra' },
        { label: 'Token endpoint', value: 'token-endpoint' },
        { label: 'Client identifier', value: 'client-id' },
        { label: 'Client secret', value: 'client-secret' },
      ],
      button: 'Test connection',
    },
  },
  {
    text: 'entraWorkloadIdentity',
    signIn: 'federated',
    path: ['Provisioning', 'New configuration', 'Select Workload Identity'],
    form: {
      title: 'New configuration',
      fields: [
        text('Select authentication method', 'Workload Identity Federation'),
        { label: 'Issuer', value: 'to-copy' },
        { label: 'JWKS URL', value: 'to-copy' },
        { label: 'Subject', value: 'to-copy' },
        { label: 'Audience', value: 'to-copy' },
      ],
    },
  },
  {
    text: 'entraFederation',
    signIn: 'federated',
    form: {
      title: 'New configuration',
      fields: [
        { label: 'Client identifier', value: 'client-id' },
        { label: 'Token endpoint', value: 'token-endpoint' },
        { label: 'Tenant URL', value: 'endpoint-for-entra' },
      ],
      button: 'Test connection',
    },
  },
  { text: 'entraConfiguration', path: ['Create'] },
  { text: 'checkMappings', path: ['Attribute mapping'] },
  { text: 'entraAssign', path: ['Users and groups', 'Add user/group', 'Assign'] },
  { text: 'entraStart', path: ['Overview', 'Start provisioning'] },
]

export const entra: Guide = {
  console: 'https://entra.microsoft.com/',
  help: 'https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups',
  endpoint: 'endpoint-for-entra',
  signIns: ['federated', 'secret', 'token'],
  hasLocalLabels: true,
  sources: {
    userName: 'userPrincipalName',
    'name.givenName': 'givenName',
    'name.familyName': 'surname',
    'emails[type eq "work"].value': 'mail',
    active: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")',
    displayName: 'displayName',
    externalId: 'mailNickname',
    title: 'jobTitle',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'department',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'employeeId',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'manager',
  },
  variants: [
    {
      id: 'private-app',
      steps: [
        {
          text: 'entraCreate',
          path: ['Enterprise apps', 'New application', 'Create your own application'],
          form: {
            title: 'Create your own application',
            fields: [
              { label: 'What’s the name of your app?', value: 'product' },
              on('Integrate any other application you don’t find in the gallery (Non-gallery)'),
            ],
            button: 'Create',
          },
        },
        ...afterCreation,
      ],
    },
    {
      id: 'catalog-app',
      catalog: 'entra',
      steps: [{ text: 'addCatalogApp', path: ['Enterprise apps', 'New application', 'Create'] }, ...afterCreation],
    },
  ],
}
