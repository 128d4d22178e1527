import { entityTag } from '../scim/entity-tag.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { Group, GroupReference, Member } from './group.ts'
import type { ShownUser } from './user.ts'

/** The `meta` of a resource as JSON text (RFC 7643 §3.1). */
function metaText({ name, endpoint }: ResourceType, resource: ShownUser | Group, scimUrl: string): string {
  const { createdAt, updatedAt } = resource
  const created = new Date(createdAt).toISOString()
  const lastModified = updatedAt === createdAt ? created : new Date(updatedAt).toISOString()
  const location = JSON.stringify(locationOf(endpoint, resource.id, scimUrl))
  const version = JSON.stringify(entityTag(resource.version))
  return `{"resourceType":"${name}","created":"${created}","lastModified":"${lastModified}","location":${location},"version":${version}}`
}

/** The address of a resource. */
export function locationOf(endpoint: ResourceType['endpoint'], id: string, scimUrl: string): string {
  return `${scimUrl}${endpoint}/${encodeURIComponent(id)}`
}

/** The stored text is an object with at least its id: attributes are added before its closing brace. */
const opened = (raw: JsonText<JsonObject>): string => raw.slice(0, -1)

/** The groups of a user as SCIM shows them (RFC 7643 §4.1.2). */
function userGroups(groups: readonly GroupReference[], scimUrl: string): string {
  return JSON.stringify(
    groups.map(({ id, name }) => ({
      value: id,
      $ref: locationOf('/Groups', id, scimUrl),
      display: name,
      type: 'direct',
    })),
  )
}

/** A user as SCIM shows it, as JSON text: what is stored, with its groups and `meta`. */
export function userRepresentation(
  resourceType: ResourceType,
  user: ShownUser,
  groups: readonly GroupReference[],
  scimUrl: string,
): JsonText<JsonObject> {
  const inGroups = groups.length === 0 ? '' : `,"groups":${userGroups(groups, scimUrl)}`
  return `${opened(user.raw)}${inGroups},"meta":${metaText(resourceType, user, scimUrl)}}` as JsonText<JsonObject>
}

/** The text of a group before its members, and behind them; between them, members separated by commas. */
export function groupRepresentation(resourceType: ResourceType, group: Group, scimUrl: string) {
  const meta = `"meta":${metaText(resourceType, group, scimUrl)}}`
  return {
    beforeMembers: `${opened(group.raw)},"members":[`,
    afterMembers: `],${meta}`,
    withoutMembers: `${opened(group.raw)},${meta}` as JsonText<JsonObject>,
  }
}

/** A member as SCIM shows it, as JSON text (RFC 7643 §4.2). */
export function memberRepresentation({ id, memberType, display }: Member, scimUrl: string): string {
  const $ref = locationOf(memberType === 'Group' ? '/Groups' : '/Users', id, scimUrl)
  return JSON.stringify({ value: id, $ref, type: memberType, display })
}

/** The representation as a value, for projections and filters. */
export function parsed(representation: JsonText<JsonObject>): JsonObject {
  return fromJsonText(representation)
}
