import type { Json, JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

/** What a call is for; latencies are summed up under these names. */
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
  | 'add members'
  | 'remove members'

/** A SCIM request as a provider words it. */
export interface ScimRequest {
  readonly kind: CallKind
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the directory's SCIM address, encoded as on the wire. */
  readonly path: string
  readonly body?: JsonObject
}

/** What the service answered to a request that it accepted. */
export interface ScimAnswer {
  readonly status: number
  /** Empty when the answer had none. */
  readonly body: JsonObject
}

/** A call that did not succeed; it is in the tally already. The step that needed it ends, the others go on. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
}

/**
 * The id that the answer gave the resource.
 * @throws CallFailed when there is none: Okta, for one, then says "Create new user returned empty user"
 */
export function idOf({ status, body }: ScimAnswer): string {
  const id = own(body, 'id')
  if (typeof id !== 'string' || id === '') throw new CallFailed(`the answer ${status} has no id`)
  return id
}

/** The resources of a list (RFC 7644 §3.4.2). */
export function resourcesOf({ body }: ScimAnswer): JsonObject[] {
  const resources = own(body, 'Resources')
  return Array.isArray(resources) ? resources.filter(isObject) : []
}

/** How many resources the whole list has, of which the answer is one page. */
export function totalOf({ body }: ScimAnswer): number {
  const total = own(body, 'totalResults')
  return typeof total === 'number' ? total : 0
}

/**
 * Sends one request and gives the answer of the 2xx kind.
 * @throws CallFailed on every other answer, and when there is none
 */
export type Send = (request: ScimRequest) => Promise<ScimAnswer>

export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The body of a PATCH (RFC 7644 §3.5.2). */
export function patchBody(...operations: JsonObject[]): JsonObject {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

/** A text as a filter value: in quotes, with `"` and `\` escaped (RFC 7644 §3.4.2.2). */
export function quoted(text: string): Json & string {
  return JSON.stringify(text)
}

/** A query value with `%20` for blanks. The apostrophe is encoded as well, as providers do. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** A query value with `+` for blanks, as web forms have it. */
export function formEncoded(text: string): string {
  return percentEncoded(text).replaceAll('%20', '+')
}
