import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { FurtherEvents } from '../directory/directory-store.ts'
import type { Cause, StoredEvent } from '../directory/event.ts'
import type { Provisioning } from '../provisioning/lifecycle.ts'
import type { ScimProfile } from '../scim/schema/resource-type.ts'
import type { DirectoryAccess } from './access.ts'

/** The endpoints of users and groups; the root means both kinds together. */
export type ScimEndpoint =
  | '/'
  | '/.search'
  | '/Users'
  | '/Users/.search'
  | '/Users/:id'
  | '/Groups'
  | '/Groups/.search'
  | '/Groups/:id'

export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A SCIM request for users or groups, independent of its transport. */
export interface ScimRequest {
  readonly method: ScimMethod
  readonly endpoint: ScimEndpoint
  /** Empty for endpoints without `:id`. */
  readonly resourceId: string
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly requestId: string
  /** Arrival of the request, in Unix milliseconds; undefined: just now. */
  readonly receivedAt?: number | undefined
  /** Returns whether the client has closed the connection, which ends a search or bulk request. */
  readonly isAbandoned?: () => boolean
}

/** The response to a SCIM request. */
export interface ScimResponse {
  readonly status: number
  /** `ETag`, `Location` and `Content-Location`, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, whole or in pieces; undefined for none. */
  readonly body: string | AsyncIterable<string> | undefined
  /** The events of the request; already committed. */
  readonly events: readonly StoredEvent[]
  readonly furtherEvents?: FurtherEvents | undefined
  /** The userName or displayName of the resource that was read. */
  readonly resourceName?: string
  /** The number of members that were left out because the directory has no user or group with their id. */
  readonly skippedMembers?: number
}

/** An authorized caller. */
export interface ScimCaller {
  /** The record at the time when the secret was verified. */
  readonly directory: Directory
  readonly secret: string | undefined
}

/** The parts that handle SCIM requests. */
export interface ServiceProvider {
  readonly access: DirectoryAccess
  readonly provisioning: Provisioning
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly slices: TimeSlices
  /** The public address of the service, without a trailing slash. */
  readonly externalUrl: () => string
  /** Called after a commit with new events, with the directory record that the write was authorized for. */
  readonly onCommit: (directory: Directory) => void
  /** Called when members were left out because the directory has no user or group with their id. */
  readonly onSkippedMembers: (skipped: { directoryId: string; requestId: string; count: number }) => void
  /** Called with an unexpected error of one operation of a bulk request. */
  readonly onOperationError: (error: unknown, requestId: string) => void
}

/** The context of one operation. */
export interface OperationContext extends Pick<ServiceProvider, 'provisioning' | 'newId' | 'slices'> {
  /** The current record. In a strict directory, names of groups are unique. */
  readonly directory: Directory
  readonly profile: ScimProfile
  /** The address of the directory's service provider. */
  readonly scimUrl: string
  readonly cause: Cause
}

/**
 * Performs one SCIM operation: parses the request, makes the change and builds the response.
 *
 * @throws ScimError, DirectoryError when the request is invalid or the change is not allowed
 * @throws DirectoryChangedError
 */
export type Operation = (context: OperationContext, request: ScimRequest) => Promise<ScimResponse>
