import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/** The fields that users and groups share. Times are Unix milliseconds. */
export interface StoredResource {
  readonly id: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The resource as provisioned, with `id`, without `password`, `meta`, `groups` and `members`. */
  readonly raw: JsonText<JsonObject>
}

/** The user who a user was before its deletion, as the API shows it. */
export interface ReturnedFrom {
  readonly id: string
  /** ISO 8601, in UTC. */
  readonly deleted_at: string
  /** The account that it was linked to; absent if none. */
  readonly account_id?: string
}

/** The field of a user who was deleted and created again. */
export interface Returned {
  readonly returnedFrom?: JsonText<ReturnedFrom> | undefined
}

/** The field of a user that the product links to one of its accounts: see `account-links.ts`. */
export interface Linked {
  /** What the product calls the account; undefined: not known. */
  readonly accountId?: string | undefined
}

/** The resource that a version belongs to, and its times; all versions of a user have its return and its account. */
export type VersionInfo = Omit<StoredResource, 'raw'> & Returned & Linked

/** The attributes of a stored resource that a PUT or PATCH may change: all but its `id`. */
export function resourceOf(raw: JsonObject): JsonObject {
  const { id: _, ...resource } = raw
  return resource
}
