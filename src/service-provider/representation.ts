import type { GroupReference, Member } from '../directory/group.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import { groupReferenceTexts, locationOf, locationTexts } from '../directory/references.ts'
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
 * The representation of a user: the stored resource, its `groups` and `meta`. The entity tag covers the groups as well,
 * because they change without the user.
 *
 * @param known the texts of groups, for representations of several users
 */
export function userRepresentation(
  user: StoredResource,
  groups: readonly GroupReference[],
  scimUrl: string,
  known?: ReferenceTexts,
): Representation {
  const groupsText = groupReferenceTexts(groups, scimUrl, known)
  const tag = userTag(user, groupsText === '' ? emptyDigest : digestOf(groupsText))
  const inGroups = groupsText === '' ? '' : `,"groups":[${groupsText}]`
  const pieces = [withoutBrace(user.raw), `${inGroups},"meta":${userMetaText(user, tag, scimUrl)}}`] as const
  return { text: (pieces[0] + pieces[1]) as JsonText<JsonObject>, pieces, tag }
}

/** The representation of a user without `groups`, but with the entity tag that covers them. */
export function userWithoutGroups(user: StoredResource, tag: string, scimUrl: string): JsonText<JsonObject> {
  return `${withoutBrace(user.raw)},"meta":${userMetaText(user, tag, scimUrl)}}` as JsonText<JsonObject>
}

/** Like `userRepresentation`, in pieces, for a user in many groups. */
export async function* userPieces(
  user: StoredResource,
  parts: AsyncIterable<readonly GroupReference[]>,
  scimUrl: string,
): AsyncGenerator<string, void, undefined> {
  yield `${withoutBrace(user.raw)},"groups":[`
  let separator = ''
  let digest = emptyDigest
  for await (const { text, digestSoFar } of referenceParts(parts, scimUrl)) {
    yield separator + text
    separator = ','
    digest = digestSoFar
  }
  yield `],"meta":${userMetaText(user, userTag(user, digest), scimUrl)}}`
}

/** The texts of groups in parts, each with the digest of everything up to its end. */
export async function* referenceParts(parts: AsyncIterable<readonly GroupReference[]>, scimUrl: string) {
  let separator = ''
  let digestSoFar = emptyDigest
  for await (const part of parts) {
    const text = groupReferenceTexts(part, scimUrl)
    digestSoFar = digestOf(text, digestOf(separator, digestSoFar))
    separator = ','
    yield { text, digestSoFar }
  }
}

/** The entity tag of a user whose groups have this digest; `emptyDigest` for none. */
export function userTag({ version }: StoredResource, digest: number): string {
  return entityTag(version, digest === emptyDigest ? '' : (digest >>> 0).toString(36))
}

const userMetaText = (user: StoredResource, tag: string, scimUrl: string): string =>
  metaText(userType, user, tag, scimUrl)

/** The digest of an empty text. */
export const emptyDigest = 0x811c9dc5

/**
 * FNV-1a, 32 bits: fast, and there is nothing to gain from a collision.
 *
 * @param before the digest of the preceding text
 */
function digestOf(text: string, before = emptyDigest): number {
  let digest = before
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193)
  }
  return digest
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
