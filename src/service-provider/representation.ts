import type { GroupReference, Member } from '../directory/group.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import { groupReferencesText, locationOf, locationTexts } from '../directory/references.ts'
import type { StoredResource } from '../directory/resource.ts'
import { dateTimeText } from '../scim/date-time.ts'
import { entityTag } from '../scim/entity-tag.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { ResourceType } from '../scim/schema/resource-type.ts'
import { groupType, userType } from '../scim/schema/resource-type.ts'

/** The `meta` of a resource as JSON text (RFC 7643 §3.1). */
function metaText({ name, endpoint }: ResourceType, resource: StoredResource, tag: string, scimUrl: string): string {
  const { createdAt, updatedAt } = resource
  const created = dateTimeText(createdAt)
  const lastModified = updatedAt === createdAt ? created : dateTimeText(updatedAt)
  const location = locationTexts(endpoint, scimUrl)(resource.id)
  const version = JSON.stringify(tag)
  return `{"resourceType":"${name}","created":"${created}","lastModified":"${lastModified}","location":${location},"version":${version}}`
}

/** Removes the closing brace of a stored resource, so that attributes can be appended. */
const withoutBrace = (raw: JsonText<JsonObject>): string => raw.slice(0, -1)

/** The JSON text of a resource and its entity tag. */
export interface Representation {
  readonly text: JsonText<JsonObject>
  /** The same in two pieces: joining them would copy a long text. */
  readonly pieces: readonly [stored: string, computed: string]
  readonly tag: string
}

/**
 * The representation of a user: the stored resource, its `groups` and `meta`. The entity tag covers the groups as well, which
 * change without the user.
 *
 * @param known the texts of groups, for representations of several users
 */
export function userRepresentation(
  user: StoredResource,
  groups: readonly GroupReference[],
  scimUrl: string,
  known?: ReferenceTexts,
): Representation {
  const groupsText = groups.length === 0 ? '' : groupReferencesText(groups, scimUrl, known)
  const tag = entityTag(user.version, groupsText === '' ? '' : textDigest(groupsText))
  const inGroups = groupsText === '' ? '' : `,"groups":${groupsText}`
  const pieces = [withoutBrace(user.raw), `${inGroups},"meta":${metaText(userType, user, tag, scimUrl)}}`] as const
  return { text: (pieces[0] + pieces[1]) as JsonText<JsonObject>, pieces, tag }
}

/** FNV-1a, 32 bits: fast, and there is nothing to gain from a collision. */
function textDigest(text: string): string {
  let digest = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193)
  }
  return (digest >>> 0).toString(36)
}

/** The representation of a group in parts: the members, separated by commas, go between the first two. */
export function groupRepresentation(group: StoredResource, scimUrl: string) {
  const meta = `"meta":${metaText(groupType, group, entityTag(group.version), scimUrl)}}`
  return {
    beforeMembers: `${withoutBrace(group.raw)},"members":[`,
    afterMembers: `],${meta}`,
    withoutMembers: `${withoutBrace(group.raw)},${meta}` as JsonText<JsonObject>,
  }
}

/** The representations of members, separated by commas. */
export function memberRepresentations(members: readonly Member[], scimUrl: string): string {
  if (members.length === 0) return ''
  const [userAddress, groupAddress] = [locationTexts('/Users', scimUrl), locationTexts('/Groups', scimUrl)]
  const texts = members.map(({ id, memberType: type, display }) => {
    const $ref = (type === 'Group' ? groupAddress : userAddress)(id)
    return `{"value":${JSON.stringify(id)},"$ref":${$ref},"type":"${type}","display":${JSON.stringify(display)}}`
  })
  return texts.join(',')
}

/** The representation of a member (RFC 7643 §4.2). */
export function memberRepresentation({ id, memberType, display }: Member, scimUrl: string): string {
  const $ref = locationOf(memberType === 'Group' ? '/Groups' : '/Users', id, scimUrl)
  return JSON.stringify({ value: id, $ref, type: memberType, display })
}
