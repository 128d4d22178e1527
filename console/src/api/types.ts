/** What the service answers, by the names of its API. */

export interface Session {
  readonly kind: 'api-key' | 'admin'
  readonly name: string | null
  readonly scope: { readonly tenant: string | null; readonly product: string | null; readonly read_only: boolean }
  readonly admin_api: boolean
  readonly expires_at: string
  readonly version: string
}

export interface RemovalLimit {
  readonly percent: number
  readonly minimum: number
  readonly window_seconds: number
}

export interface Directory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
  readonly log_webhook_events: boolean
  readonly log_scim_requests?: boolean
  readonly deactivated: boolean
  readonly removal_limit?: RemovalLimit | null
  readonly scim: { readonly path: string; readonly secret: string; readonly endpoint: string }
  readonly webhook: { readonly endpoint: string; readonly secret: string }
  readonly extdir_domain?: string
  readonly extdir_authorization_url?: string
  readonly extdir_authorization_status?: 'none' | 'authorized' | 'needs_authorization'
  readonly extdir_authorization_error?: string | null
  readonly extdir_pending_connection?: { readonly workspace: string | null; readonly reason: string }
}

export interface User {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly active: boolean
  readonly raw: Readonly<Record<string, unknown>>
}

export interface Group {
  readonly id: string
  readonly name: string
  readonly raw: Readonly<Record<string, unknown>>
}

export interface DeliveryStatus {
  readonly state: 'off' | 'flowing' | 'failing' | 'paused' | 'held'
  readonly delivered_sequence: number
  readonly last_sequence: number
  readonly undelivered: number
  readonly failures: number
  readonly failing_since: string | null
  readonly next_attempt_at: string | null
  readonly paused: { readonly reason: 'gone' | 'failing' | 'operator'; readonly at: string } | null
  readonly dead_events: number
}

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
  readonly changes?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
}

export interface DeadEvent {
  readonly sequence: number
  readonly died_at: string
  readonly reason: string
  readonly payload: DirectoryEvent
}

export interface Delivery {
  readonly id: string
  readonly sequence: number
  readonly event_id: string
  readonly event: string
  readonly event_count: number
  readonly webhook_endpoint: string
  readonly status_code: number | null
  readonly latency_ms: number
  readonly attempt: number
  readonly error: string | null
  readonly delivered: boolean
  readonly created_at: string
  readonly payload: unknown
  readonly response_body: string
}

export interface Resync {
  readonly sync_id: string
  readonly state: 'running' | 'completed'
  readonly users: number
  readonly groups: number
  readonly members: number
  readonly started_at: string
  readonly completed_at: string | null
}

export interface SyncRun {
  readonly id: string
  readonly state: 'running' | 'completed' | 'held' | 'failed' | 'superseded'
  readonly phase: string
  readonly trigger: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly requests: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly held: number
  readonly skipped: number
  readonly members_added: number
  readonly members_removed: number
  readonly error: string | null
}

export type HealthState = 'healthy' | 'attention' | 'failing'

export const behaviorNames = [
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
export type BehaviorName = (typeof behaviorNames)[number]

export interface Health {
  readonly state: HealthState
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly since: string | null }[]
  readonly last_request_at: string | null
  readonly last_success_at: string | null
  readonly last_change_at: string | null
  readonly failed_authentications: {
    readonly count: number
    readonly last_at: string | null
    readonly last_address: string | null
    readonly since_last_success: number
  }
  /** Null without an endpoint. */
  readonly delivery: {
    readonly state: 'off' | 'flowing' | 'failing' | 'paused'
    readonly dead_events: number
    readonly last_error: string | null
  } | null
  /** Undefined or null when nothing is held. */
  readonly hold?: object | null
  readonly behaviors: Readonly<Record<BehaviorName, { readonly first_at: string; readonly last_at: string } | null>>
}

/** The health of a directory in a list. */
export interface ListedHealth extends Health {
  readonly directory_id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
}

export interface Deprovisioning {
  readonly count: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
  readonly target_ms: number
  readonly overdue: readonly {
    readonly user_id: string
    readonly subject: string | null
    readonly since: string
    readonly sequence: number
  }[]
}

export interface Hold {
  readonly held: boolean
  readonly since: string | null
  readonly reason: 'users' | 'memberships' | null
  readonly limit: RemovalLimit | null
  readonly removals: number
  readonly active_users: number
  readonly first_sequence: number | null
  readonly users: readonly {
    readonly id: string
    readonly email: string
    readonly removed_at: string
    readonly returned_at: string | null
  }[]
}

export interface ScimRequest {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly scim_type: string | null
  readonly detail: string | null
  readonly duration_ms: number
  readonly user_agent: string | null
  readonly address: string | null
  readonly resource: { readonly type: string; readonly id: string | null } | null
  readonly subject: string | null
  readonly event_sequences: readonly number[]
  /** Only in traces. */
  readonly body?: unknown
}

export interface TraceDelivery {
  readonly at: string
  readonly target: string
  readonly attempt: number
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
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

export const verdicts = [
  'never-sent',
  'looked-up-only',
  'refused',
  'unauthorized',
  'waiting',
  'failing',
  'dead',
  'held',
  'delivered',
  'deactivated',
  'deleted',
] as const
export type Verdict = (typeof verdicts)[number]

export interface Explanation {
  readonly verdict: Verdict
  readonly at: string | null
  readonly sentence: string
  readonly advice: string
  /** The same, for the customer's administrator. */
  readonly for_customer: string
  readonly evidence: readonly TimelineEntry[]
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scope: { readonly tenant: string | null; readonly product: string | null; readonly readOnly: boolean }
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  /** Only in the response that creates the key. */
  readonly key?: string
}

export interface AdminToken {
  readonly id: string
  readonly user: { readonly id: string; readonly email: string }
  readonly disabled: boolean
  readonly created_at: string
  readonly last_used_at: string
}

export interface AuditEntry {
  readonly sequence: number
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null }
  readonly request_id: string | null
  readonly address: string | null
  readonly target: {
    readonly kind: string
    readonly id: string | null
    readonly tenant: string | null
    readonly product: string | null
  }
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>> | null
}
