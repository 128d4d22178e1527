import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { Provisioning } from './lifecycle.ts'

/** What answering takes. */
export interface AnswerParts {
  readonly provisioning: Provisioning
  readonly newId: () => string
  readonly slices: TimeSlices
}

/** A SCIM request for users or groups, apart from how it came in. */
export interface ScimRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `all` stands for the root, where both are searched together. */
  readonly resourceType: 'users' | 'groups' | 'all'
  /** Absent for the collection; a POST to the collection with `isSearch` is a query (RFC 7644 §3.4.3). */
  readonly resourceId: string | undefined
  readonly isSearch: boolean
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly requestId: string
  /** Whether nobody waits for the answer any more: a search then ends. */
  readonly isAbandoned?: () => boolean
}

/** What a SCIM request is answered with. */
export interface ScimResponse {
  readonly status: number
  /** `ETag` and `Location`, where they belong. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, whole or in pieces; undefined for none. */
  readonly body: string | AsyncIterable<string> | undefined
  /** What the request changed; already on disk. */
  readonly events: readonly StoredEvent[]
  /** How many members the request named that nobody in the directory is; they were left out (design §4.3). */
  readonly skippedMembers?: number
}
