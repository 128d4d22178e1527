/** What the administrator copies from the portal into a field of the identity provider. */
export type GuideValue = 'endpoint' | 'endpoint-for-entra' | 'secret'

/** A field or switch of the identity provider's form, labelled as it is there. */
export interface GuideField {
  readonly label: string
  /** A value of the portal, a literal text to enter or choose, or `true` for a switch to turn on. */
  readonly value: GuideValue | { readonly text: string } | true
}

/** One numbered step: its instruction is in the texts, its fields are drawn. */
export interface GuideStep {
  /** The key of the instruction in the texts. */
  readonly text: StepText
  /** Where to click, in the provider's own words, in order. */
  readonly path?: readonly string[]
  /** The form that the drawing shows. */
  readonly form?: { readonly title: string; readonly fields: readonly GuideField[]; readonly button?: string }
}

/** One way to connect a provider: some have two. */
export interface GuideVariant {
  readonly id: 'standard' | 'private-app' | 'catalog-app'
  readonly steps: readonly GuideStep[]
}

export interface Guide {
  readonly variants: readonly [GuideVariant, ...GuideVariant[]]
  /** Behaviors of the checklist that this provider never shows. */
  readonly never?: readonly Behavior[]
}

/** What is observed of a directory, as its health reports it. */
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
  | 'enableActions'
  | 'checkMappings'
  | 'assign'
  | 'pushGroups'
  | 'startProvisioning'
  | 'activate'
  | 'createRule'
  | 'roleMappings'
  | 'googleAdministrator'
  | 'googleConsent'
  | 'googleFirstSync'
  | 'genericConnection'
  | 'genericMappings'
  | 'genericActions'
  | 'genericAssign'

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
  { scim: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', isRequired: false },
  { scim: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber', isRequired: false },
  { scim: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', isRequired: false },
] as const

export type AttributeName = (typeof attributes)[number]['scim']
