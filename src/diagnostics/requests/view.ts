import type { LoggedRequest } from './request-log-store.ts'
import { listedSequences, parseRanges } from './sequences.ts'

/** A request of the log as the API returns it. */
export interface RequestView {
  readonly id: string
  /** ISO 8601, in UTC: time of arrival. */
  readonly at: string
  readonly method: string
  /** The path below the directory's SCIM address, with the query. */
  readonly path: string
  readonly status: number
  readonly scim_type: string | null
  /** The reason of a refusal. */
  readonly detail: string | null
  readonly duration_ms: number
  readonly user_agent: string | null
  readonly address: string | null
  /** Null for requests that are not about users or groups. */
  readonly resource: { readonly type: 'User' | 'Group'; readonly id: string | null } | null
  /** The userName, displayName or externalId that it was about. */
  readonly subject: string | null
  /** The sequence numbers of its events, up to 1,000. */
  readonly event_sequences: readonly number[]
}

export function requestView(request: LoggedRequest): RequestView {
  const { id, at, method, path, status, resourceType, resourceId } = request
  return {
    ...{ id, at: new Date(at).toISOString(), method, path, status },
    scim_type: request.scimType,
    detail: request.detail,
    duration_ms: request.durationMs,
    user_agent: request.userAgent,
    address: request.address,
    resource: resourceType === null ? null : { type: resourceType, id: resourceId },
    subject: request.subject,
    event_sequences: listedSequences(parseRanges(request.eventSequences)),
  }
}
