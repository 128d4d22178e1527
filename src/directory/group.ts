import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { indexable, resourceText } from './limits.ts'
import type { StoredResource, VersionInfo } from './resource.ts'

/** A group of a directory, without its members. */
export interface Group extends StoredResource {
  /** The SCIM `displayName`. */
  readonly name: string
  readonly externalId: string | undefined
}

/**
 * A member is a user or a group of the same directory. The users of a nested group are not members of the outer one.
 */
export type MemberType = 'User' | 'Group'

/** A member of a group in a list. */
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
 * Makes a version of a group from its resource, which has `schemas` but no `id`, `meta` or `members`.
 *
 * @throws ScimError 400 `invalidValue` when an indexed attribute is too long, 413 when the resource is too large
 */
export function groupFrom(resource: JsonObject, { id, version, createdAt, updatedAt }: VersionInfo): Group {
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

/** A group as the product's API returns it. */
export type GroupView = Pick<Group, 'id' | 'name' | 'raw'>

/**
 * The JSON text of a group as events have it: `id, name, raw`.
 *
 * @param more the text of further fields, each with a comma before it
 */
export function groupViewText({ id, name, raw }: GroupView, more = ''): JsonText<JsonObject> {
  return `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)}${more},"raw":${raw}}` as JsonText<JsonObject>
}

/** Like `groupViewText`, with `raw_omitted` instead of `raw`. */
export function groupWithoutRawText({ id, name }: Omit<GroupView, 'raw'>): JsonText<JsonObject> {
  return `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"raw_omitted":true}` as JsonText<JsonObject>
}
