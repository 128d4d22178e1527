import { maxListedRawBytes } from '../directory/abridged.ts'
import type { FoundUser } from '../directory/directory-store.ts'
import type { GroupReference } from '../directory/group.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { UserGroups } from '../directory/user-groups.ts'
import { allGroups } from '../directory/user-groups.ts'
import type { JsonBody } from '../scim/json-list.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { Projection } from '../scim/projection.ts'
import { includesAttribute, leavesOutOnly, project } from '../scim/projection.ts'
import { userType } from '../scim/schema/resource-type.ts'
import {
  emptyDigest,
  referenceParts,
  userPieces,
  userRepresentation,
  userTag,
  userWithoutGroups,
} from './representation.ts'
import type { OperationContext } from './request.ts'

/** Returns whether any part of the groups is returned; otherwise they need not be read. */
export function showsGroups(projection: Projection | undefined): boolean {
  return includesAttribute(projection, 'groups')
}

/** The representation of a user in a list; that of a large user, or of one in many groups, comes in pieces. */
export function listedBody(
  user: StoredResource,
  groups: UserGroups,
  projection: Projection | undefined,
  scimUrl: string,
  known: ReferenceTexts,
): JsonBody {
  if (!('length' in groups)) return bodyInPieces(user, groups, projection, scimUrl)
  if (projection !== undefined || user.raw.length <= maxListedRawBytes)
    return userBody(user, groups, projection, scimUrl, known).body
  return inPieces(userRepresentation(user, groups, scimUrl, known).pieces)
}

async function* inPieces(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* pieces
}

interface UserResponse {
  readonly body: JsonBody
  readonly tag: string
}

/**
 * The representation of a user, reduced to the requested attributes, and its entity tag. Many groups are read twice, in
 * parts: for the tag, which comes first, and for the body, which is never in memory as a whole.
 */
export async function userResponse(
  { provisioning: { store }, directory, slices, scimUrl }: OperationContext,
  user: FoundUser,
  projection: Projection | undefined,
): Promise<UserResponse> {
  const groups = showsGroups(projection) ? allGroups(store, directory.id, user.id, user.groups) : []
  if ('length' in groups) return userBody(user, groups, projection, scimUrl)
  let digest = emptyDigest
  for await (const { digestSoFar } of referenceParts(groups, scimUrl)) {
    digest = digestSoFar
    await slices.next(directory.tenant)
  }
  return { body: bodyInPieces(user, groups, projection, scimUrl), tag: userTag(user, digest) }
}

function userBody(
  user: StoredResource,
  groups: readonly GroupReference[],
  projection: Projection | undefined,
  scimUrl: string,
  known?: ReferenceTexts,
): UserResponse & { readonly body: string } {
  const { text, tag } = userRepresentation(user, groups, scimUrl, known)
  const isWhole = projection === undefined || (groups.length === 0 && leavesOutOnly(projection, 'groups', userType))
  return {
    body: isWhole ? text : JSON.stringify(project(fromJsonText(text), projection, userType)),
    tag,
  }
}

type GroupParts = Exclude<UserGroups, readonly unknown[]>

function bodyInPieces(
  user: StoredResource,
  groups: GroupParts,
  projection: Projection | undefined,
  scimUrl: string,
): AsyncIterable<string> {
  return projection === undefined
    ? userPieces(user, groups, scimUrl)
    : projectedPieces(user, groups, projection, scimUrl)
}

/** The user in pieces: the groups, reduced part by part, and the rest after them. */
async function* projectedPieces(
  user: StoredResource,
  groups: GroupParts,
  projection: Projection,
  scimUrl: string,
): AsyncGenerator<string, void, undefined> {
  yield '{"groups":['
  let separator = ''
  let digest = emptyDigest
  for await (const { text, digestSoFar } of referenceParts(groups, scimUrl)) {
    digest = digestSoFar
    const part = project({ groups: JSON.parse(`[${text}]`) }, projection, userType)['groups']
    if (!Array.isArray(part) || part.length === 0) continue
    yield separator + JSON.stringify(part).slice(1, -1)
    separator = ','
  }
  const rest = project(fromJsonText(userWithoutGroups(user, userTag(user, digest), scimUrl)), projection, userType)
  yield `],${JSON.stringify(rest).slice(1)}`
}
