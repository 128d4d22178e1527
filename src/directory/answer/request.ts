import type { StoredEvent } from '../event.ts'

/** A SCIM request for users or groups, apart from how it came in. */
export interface ScimRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resourceType: 'users' | 'groups'
  /** Absent for the collection; a POST to the collection with `isSearch` is a query (RFC 7644 §3.4.3). */
  readonly resourceId: string | undefined
  readonly isSearch: boolean
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly requestId: string
}

/** What a SCIM request is answered with. */
export interface ScimAnswer {
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
