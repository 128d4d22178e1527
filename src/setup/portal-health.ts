import { isOutsideDetail } from '../directory/allowed-domains.ts'
import type { SyncRun } from '../google/google-store.ts'
import { later } from './portal-oauth.ts'

/** Observations about an identity provider, which are part of the directory's health. Times are ISO 8601 in UTC. */
export interface ObservedHealth {
  readonly last_request_at: string | null
  readonly last_success_at: string | null
  readonly failed_authentications: {
    readonly last_at: string | null
    readonly since_last_success: number
    /** What was wrong with the last one, if it was more than a wrong or missing secret. */
    readonly last_problem: string | null
  }
  readonly behaviors: Readonly<Record<string, { readonly first_at: string; readonly last_at: string } | null>>
}

/** A refused request: a part of its record in the request log. */
export interface RefusedRequest {
  readonly at: string
  readonly method: string
  readonly subject: string | null
  readonly status: number
  readonly scim_type: string | null
  readonly detail: string | null
}

/** The last refused request in the portal, which explains some reasons in the customer's language. */
export interface PortalRefusal extends RefusedRequest {
  /** Whether an address was outside the allowed domains. */
  readonly is_outside_domain: boolean
}

/**
 * The health of a connection for the customer's administrator: only what they can fix, and nothing about the product's
 * endpoint.
 */
export interface PortalHealth {
  /** `waiting` until the identity provider sends its first request, or the first sync with Google Workspace has ended. */
  readonly state: 'waiting' | 'healthy' | 'attention' | 'failing'
  readonly last_request_at: string | null
  /** When its credentials were right last: for a request, or for an access token. */
  readonly signed_in_at: string | null
  readonly failed_authentications: ObservedHealth['failed_authentications']
  readonly behaviors: ObservedHealth['behaviors']
  /** The last refused request, unless it has succeeded since. */
  readonly last_refused: PortalRefusal | null
  /** The last sync with Google Workspace that has ended. */
  readonly last_sync: { readonly at: string; readonly has_failed: boolean } | null
}

interface PortalFacts {
  readonly isOff: boolean
  readonly tokenIssuedAt: string | null
  /** The last two syncs, the newest first; undefined for a directory that receives requests. */
  readonly syncs: readonly Pick<SyncRun, 'state' | 'finishedAt'>[] | undefined
}

export function portalHealth(
  observed: ObservedHealth,
  refused: RefusedRequest | undefined,
  { isOff, tokenIssuedAt, syncs }: PortalFacts,
): PortalHealth {
  const { last_request_at, behaviors, failed_authentications: failed } = observed
  const { since_last_success, last_at, last_problem } = failed
  const failed_authentications = { since_last_success, last_at, last_problem }
  const last_refused = refused === undefined ? null : withFields(refused)
  const last_sync = lastSync(syncs ?? [])
  const state = syncs === undefined ? stateOf(observed, refused, isOff) : syncedState(last_sync, isOff)
  const signed_in_at = later(last_request_at, tokenIssuedAt)
  return { state, last_request_at, signed_in_at, failed_authentications, behaviors, last_refused, last_sync }
}

function lastSync(syncs: NonNullable<PortalFacts['syncs']>): PortalHealth['last_sync'] {
  const ended = syncs.find(({ finishedAt }) => finishedAt !== undefined)
  if (ended?.finishedAt === undefined) return null
  return { at: new Date(ended.finishedAt).toISOString(), has_failed: ended.state === 'failed' }
}

function syncedState(last: PortalHealth['last_sync'], isOff: boolean): PortalHealth['state'] {
  if (isOff) return 'failing'
  if (last === null) return 'waiting'
  return last.has_failed ? 'attention' : 'healthy'
}

/** Removes the address and the body of a request, which are not for the page. */
function withFields({ at, method, subject, status, scim_type, detail }: RefusedRequest): PortalRefusal {
  return { at, method, subject, status, scim_type, detail, is_outside_domain: isOutsideDetail(detail) }
}

function stateOf(observed: ObservedHealth, refused: RefusedRequest | undefined, isOff: boolean): PortalHealth['state'] {
  const { last_success_at: success, failed_authentications: failed } = observed
  if (isOff || failed.since_last_success > 0) return 'failing'
  if (success === null) return refused === undefined ? 'waiting' : 'attention'
  return refused !== undefined && refused.at > success ? 'attention' : 'healthy'
}
