import type { components } from '../../../src/client/schema.ts'

// What the service answers: the types that are generated from its OpenAPI document, by their names there.

type Schemas = components['schemas']

/** The signed-in user or key; the only form that is not part of the API. */
export interface Session {
  readonly kind: 'api-key' | 'admin'
  readonly name: string | null
  readonly scope: { readonly tenant: string | null; readonly product: string | null; readonly read_only: boolean }
  readonly admin_api: boolean
  /** The provider types that setup links can offer. */
  readonly setup_types: readonly { readonly type: string; readonly label: string }[]
  readonly expires_at: string
  readonly version: string
}

export type ErrorReason = Schemas['ErrorReason']
export type Directory = Schemas['Directory']
export type RemovalLimit = NonNullable<Schemas['Hold']['limit']>
export type User = Schemas['User']
export type Group = Schemas['Group']
export type Member = Schemas['Member']
export type EventType = Schemas['Delivery']['event']
export type DeliveryStatus = Schemas['DeliveryStatus']
export type Delivery = Schemas['Delivery']
export type RefusedRequest = Schemas['RefusedRequest']
export type ListedDeadEvent = Schemas['ListedDeadEvent']
export type OneOfSeveral = Schemas['DeliveryOfOne']
export type Resync = Schemas['Resync']
export type SyncRun = Schemas['SyncRun']
export type Health = Schemas['DirectoryHealth']
export type HealthState = Health['state']
export type BehaviorName = keyof Health['behaviors']
/** The health of a directory in a list. */
export type ListedHealth = Schemas['ListedDirectoryHealth']
/** The state of all directories at once. */
export type Overview = Schemas['Overview']
export type Tenant = Schemas['Tenant']
export type Deprovisioning = Schemas['DeprovisioningTimes']
export type SetupLink = Schemas['SetupLink']
export type SetupLinkState = SetupLink['state']
export type Hold = Schemas['Hold']
export type HoldReason = Schemas['HoldReason']
export type Adoption = Schemas['AdoptionPlan']
export type AdoptionEntry = Adoption['entries'][number]
export type AppliedAdoption = Schemas['AppliedAdoption']
export type ScimRequest = Schemas['LoggedRequest'] & {
  /** Only in traces. */
  readonly body?: unknown
}
export type Explanation = Schemas['Explanation']
export type SearchHit = Schemas['SearchHit']
export type Verdict = Explanation['verdict']
export type ApiKey = Schemas['ApiKey'] & Partial<Pick<Schemas['NewApiKey'], 'key'>>
/** The secret is only in the answer to its creation. */
export type OAuthClient = Schemas['OAuthClient'] & Partial<Pick<Schemas['NewOAuthClient'], 'client_secret'>>
export type ServiceSetting = Schemas['Setting']
export type AdminToken = Schemas['AdminToken']
/** The answer to an erasure; its id, its receipt and the key of that are null in a dry run. */
export type Erasure = Schemas['Erasure']
export type ListedErasure = Schemas['ListedErasure']
export type AuditEntry = Schemas['AuditEntry']
export type AuditChain = Schemas['IntactAuditChain'] | Schemas['BrokenAuditChain']
export type MappingRun = Schemas['MappingRun']
export type MappingPreview = Schemas['MappingPreview']
export type RoleReason = Schemas['RoleReason']
export type UserRoles = Schemas['UserRoles']
export type SeenAttribute = Schemas['SeenAttribute']

/** An event of any type, as its payload is listed. */
export interface DirectoryEvent {
  readonly id: string
  readonly sequence: number
  readonly event: string
  readonly tenant: string
  readonly product: string
  readonly directory_id: string
  readonly created_at: string
  readonly request_id?: string
  readonly data: Readonly<Record<string, unknown>>
  readonly changes?: Readonly<
    Record<string, { readonly from: unknown; readonly to: unknown; readonly because?: readonly RoleReason[] }>
  >
}

export interface DeadEvent {
  readonly sequence: number
  readonly died_at: string
  readonly reason: string
  /** Whether somebody skipped it; the reason is theirs then. */
  readonly skipped: boolean
  readonly payload: DirectoryEvent
}

export interface TraceDelivery {
  readonly at: string
  readonly target: string
  readonly attempt: number
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly response_body: string | null
}

export interface Trace {
  /** Null when it is no longer in the log, and for sync runs. */
  readonly request: ScimRequest | null
  readonly changes: readonly {
    readonly resource: { readonly type: string; readonly id: string }
    readonly before: unknown
    readonly after: unknown
  }[]
  readonly events: readonly (DirectoryEvent & { readonly deliveries: readonly TraceDelivery[] })[]
}

/** An entry of a timeline; what else it has depends on its kind. */
export interface TimelineEntry {
  readonly at: string
  readonly kind: 'request' | 'change' | 'event' | 'delivery'
  readonly [field: string]: unknown
}
