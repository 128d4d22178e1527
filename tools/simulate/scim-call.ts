import { RollcallError } from '../../src/client/error.ts'
import type { Json, JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

/** The purpose of a call; latencies are grouped by it. */
export type CallKind =
  | 'test connection'
  | 'look up user'
  | 'create user'
  | 'read user'
  | 'update user'
  | 'check reference'
  | 'reactivate user'
  | 'deactivate user'
  | 'delete user'
  | 'look up group'
  | 'create group'
  | 'rename group'
  | 'delete group'
  | 'add members'
  | 'remove members'

/** A SCIM request as an identity provider sends it. */
export interface ScimRequest {
  readonly kind: CallKind
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the directory's SCIM address, encoded for the request. */
  readonly path: string
  readonly body?: JsonObject
}

/** A successful response. */
export interface ScimResponse {
  readonly status: number
  /** Empty when the response has none. */
  readonly body: JsonObject
}

/** A failed call that is already in the tally. It ends the work on its user or group; the others continue. */
export class CallFailed extends RollcallError {
  override readonly name = 'CallFailed'

  /** The status is 502 if the response was missing or unusable. */
  constructor(message: string, { status = 502, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { code: 'call-failed', status }, { cause })
  }
}

/**
 * The id of the resource in the response.
 * @throws CallFailed when there is none, as identity providers do
 */
export function idOf({ status, body }: ScimResponse): string {
  const id = own(body, 'id')
  if (typeof id !== 'string' || id === '') throw new CallFailed(`the response ${status} has no id`)
  return id
}

/** The resources of a list (RFC 7644 §3.4.2). */
export function resourcesOf({ body }: ScimResponse): JsonObject[] {
  const resources = own(body, 'Resources')
  return Array.isArray(resources) ? resources.filter(isObject) : []
}

/** The number of resources in the whole list, not only on the page of the response. */
export function totalOf({ body }: ScimResponse): number {
  const total = own(body, 'totalResults')
  return typeof total === 'number' ? total : 0
}

/**
 * Sends one request and resolves with a 2xx response.
 * @throws CallFailed for any other response, or none
 */
export type Send = (request: ScimRequest) => Promise<ScimResponse>

export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The body of a PATCH (RFC 7644 §3.5.2). */
export function patchBody(...operations: JsonObject[]): JsonObject {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

/** A text as a filter value, in quotes and escaped (RFC 7644 §3.4.2.2). */
export function quoted(text: string): Json & string {
  return JSON.stringify(text)
}

/** A query value with `%20` for spaces. The apostrophe is encoded as well, as identity providers do. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** A query value with `+` for spaces, as in web forms. */
export function formEncoded(text: string): string {
  return percentEncoded(text).replaceAll('%20', '+')
}
