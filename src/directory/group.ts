import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { indexable, resourceText } from './limits.ts'

/** A group of a directory, without its members. Times are Unix milliseconds. */
export interface Group {
  readonly id: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The SCIM `displayName`. */
  readonly name: string
  readonly externalId: string | undefined
  /** The resource as provisioned, with `id`, without `meta` and `members`. */
  readonly raw: JsonText<JsonObject>
}

/** What a member is: a user, or a group of the same directory that is kept but not flattened. */
export type MemberType = 'User' | 'Group'

/** One member of a group as a listing shows it. */
export interface Member {
  readonly id: string
  readonly memberType: MemberType
  /** The user's or the group's display name. */
  readonly display: string
}

/** A group that a user is a direct member of. */
export interface GroupReference {
  readonly id: string
  readonly name: string
}

/**
 * The group that a resource describes. `resource` has its `schemas` and no `id`, `meta` or `members`.
 *
 * @throws ScimError 400 `invalidValue` when an attribute that is looked up is too long, 413 when all of it is
 */
export function groupFrom(
  resource: JsonObject,
  { id, version, createdAt, updatedAt }: Pick<Group, 'id' | 'version' | 'createdAt' | 'updatedAt'>,
): Group {
  const { schemas = [], ...rest } = resource
  return {
    id,
    version,
    createdAt,
    updatedAt,
    name: indexable('displayName', rest['displayName']) ?? '',
    externalId: indexable('externalId', rest['externalId']),
    raw: resourceText({ schemas, id, ...rest }),
  }
}

/** What the product reads of a group. */
export type GroupView = Pick<Group, 'id' | 'name' | 'raw'>

/** A group as the product reads it, as JSON text: `id, name, raw`. */
export function groupViewText({ id, name, raw }: GroupView): JsonText<JsonObject> {
  return `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"raw":${raw}}` as JsonText<JsonObject>
}
