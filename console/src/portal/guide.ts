/** A value of the portal that the administrator enters at the identity provider; `to-copy` is entered in the portal. */
export type GuideValue =
  | 'endpoint'
  | 'endpoint-for-entra'
  | 'secret'
  | 'token-endpoint'
  | 'client-id'
  | 'client-secret'
  | 'to-copy'
  | 'product'
  | 'test-email'

/** How the provider proves who it is: with the SCIM secret, or with an OAuth client of either type. */
export type SignIn = (typeof signInNames)[number]

export const signInNames = ['token', 'secret', 'federated'] as const

/** A field or switch of the identity provider's form, labelled as it is there. */
export interface GuideField {
  readonly label: string
  /** A value of the portal, a literal text to enter or choose, or whether a switch is to be on. */
  readonly value: GuideValue | { readonly text: string } | boolean
}

/** One numbered step: its instruction is in the texts, its fields are drawn. */
export interface GuideStep {
  /** The key of the instruction in the texts. */
  readonly text: StepText
  /** Where to click, in the provider's own words, in order. */
  readonly path?: readonly string[]
  /** The way to sign in that needs the step; all, if it is left out. */
  readonly signIn?: SignIn
  /** The form that the drawing shows. */
  readonly form?: { readonly title: string; readonly fields: readonly GuideField[]; readonly button?: string }
}

/** A catalog of applications that may list the product. */
export type Catalog = 'okta' | 'entra'

/** One way to connect a provider: some have two. */
export interface GuideVariant {
  readonly id: 'standard' | 'private-app' | 'catalog-app'
  /** The catalog that must list the product. */
  readonly catalog?: Catalog
  readonly steps: readonly GuideStep[]
}

export interface Guide {
  readonly variants: readonly [GuideVariant, ...GuideVariant[]]
  /** The provider's own page about these settings. */
  readonly help?: string
  /** Where the administrator signs in to the provider's admin console; undefined if each customer has an own address. */
  readonly console?: string
  /** The key of what the administrator should know first. */
  readonly note?: StepText
  /** The attribute of the provider that is the source of each SCIM attribute; true: the provider sets it by itself. */
  readonly sources?: Readonly<Partial<Record<AttributeName, string | true>>>
  /** The form of the address that this provider needs. */
  readonly endpoint?: 'endpoint-for-entra'
  /** The ways to sign in to choose from, the recommended one first; only with the SCIM secret, if they are left out. */
  readonly signIns?: readonly SignIn[]
  /** Whether the labels are also known in the languages of the provider's own pages. */
  readonly hasLocalLabels?: boolean
  /** Whether the provider is read, instead of sending requests. */
  readonly isRead?: boolean
  /** Behaviors of the checklist that this provider never shows. */
  readonly never?: readonly Behavior[]
}

export const on = (label: string): GuideField => ({ label, value: true })
export const off = (label: string): GuideField => ({ label, value: false })
export const text = (label: string, value: string): GuideField => ({ label, value: { text: value } })

/** The query that makes Entra ID send requests as the RFCs say. */
const entraFlag = '?aadOptscim062020'

/** The base URL in the form that a provider needs. */
export function endpointFor(form: 'endpoint' | 'endpoint-for-entra', endpoint: string): string {
  return form === 'endpoint' ? endpoint : `${endpoint}${entraFlag}`
}

/** The behaviours that are observed of a directory, as its health reports them. */
export const behaviors = [
  'connection_tested',
  'user_created',
  'user_updated',
  'user_deactivated',
  'user_reactivated',
  'user_deleted',
  'group_pushed',
  'member_added',
  'member_removed',
] as const

export type Behavior = (typeof behaviors)[number]

/** The behaviors that show that everything works; the others are shown once they are seen. */
export const checklist = [
  'connection_tested',
  'user_created',
  'user_updated',
  'user_deactivated',
  'group_pushed',
] as const satisfies readonly Behavior[]

export type StepText =
  | 'createApp'
  | 'addCatalogApp'
  | 'enableScim'
  | 'enterConnection'
  | 'saveConnection'
  | 'enableActions'
  | 'checkMappings'
  | 'assign'
  | 'oktaLicense'
  | 'oktaCreate'
  | 'oktaGeneral'
  | 'oktaSaml'
  | 'oktaFinish'
  | 'oktaSave'
  | 'oktaPushGroups'
  | 'entraCreate'
  | 'entraClientCredentials'
  | 'entraWorkloadIdentity'
  | 'entraFederation'
  | 'entraConfiguration'
  | 'entraAssign'
  | 'entraStart'
  | 'oneloginProvisioning'
  | 'oneloginGroups'
  | 'oneloginRules'
  | 'oneloginReapply'
  | 'jumpcloudConnection'
  | 'jumpcloudActivate'
  | 'jumpcloudGroups'
  | 'createRule'
  | 'ripplingInstall'
  | 'roleMappings'
  | 'startSync'
  | 'googleAdministrator'
  | 'googleAllow'
  | 'googleConsent'
  | 'googleFirstSync'
  | 'genericConnection'
  | 'genericMappings'
  | 'genericActions'
  | 'genericAssign'

/** The labels of Entra ID's pages, which are in the administrator's language. */
export type EntraLabel =
  | 'Enterprise apps'
  | 'New application'
  | 'Create your own application'
  | 'Create'
  | 'Provisioning'
  | 'New configuration'
  | 'Tenant URL'
  | 'Secret token'
  | 'Token endpoint'
  | 'Client identifier'
  | 'Client secret'
  | 'Test connection'
  | 'Attribute mapping'
  | 'Users and groups'
  | 'Add user/group'
  | 'Assign'
  | 'Overview'
  | 'Start provisioning'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The attributes that the identity provider should send, by their SCIM names. */
export const attributes = [
  { scim: 'userName', isRequired: true },
  { scim: 'name.givenName', isRequired: false },
  { scim: 'name.familyName', isRequired: false },
  { scim: 'emails[type eq "work"].value', isRequired: false },
  { scim: 'active', isRequired: true },
  { scim: 'displayName', isRequired: false },
  { scim: 'externalId', isRequired: false },
  { scim: 'title', isRequired: false },
  { scim: `${enterprise}:department`, isRequired: false },
  { scim: `${enterprise}:employeeNumber`, isRequired: false },
  { scim: `${enterprise}:manager`, isRequired: false },
] as const

export type AttributeName = (typeof attributes)[number]['scim']
