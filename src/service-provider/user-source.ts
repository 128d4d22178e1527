import type { GroupReference } from '../directory/group.ts'
import { inFull, isOnePart, isWhole, maxListedBytes, toListed } from '../directory/listed.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { UserInList } from '../directory/store.ts'
import type { Computed, Evaluable } from '../provisioning/search/plan.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { ListQuery } from '../scim/list-query.ts'
import type { Projection } from '../scim/projection.ts'
import { includesAttribute, leavesOutOnly, parseProjection, project } from '../scim/projection.ts'
import { userType } from '../scim/schema/resource-type.ts'
import { userRepresentation } from './representation.ts'
import type { OperationContext } from './request.ts'
import type { Bodies, JsonBody, ResponseSource } from './search.ts'

/**
 * The users of a directory, as searches read and return them.
 *
 * @throws ScimError 400 when the query asks for attributes that are not valid
 */
export function userSource(
  context: OperationContext,
  { attributes, excludedAttributes }: ListQuery,
): ResponseSource<UserInList> {
  const projection = parseProjection({ attributes, excludedAttributes }, userType)
  const { store } = context.provisioning
  const { id: directoryId } = context.directory
  return {
    resourceType: userType,
    count: () => store.countUsers(directoryId),
    list: (part) => store.listUsers(directoryId, part),
    page: (part) => store.pageOfUsers(directoryId, part, includesAttribute(projection, 'groups')),
    listByName: (part) => store.listUsersByName(directoryId, part),
    find: (equalities, part) => store.findUsers(directoryId, equalities, part),
    countFound: (equalities) => store.countFoundUsers(directoryId, equalities),
    async get(id) {
      const user = await store.getUserWithGroups(directoryId, id)
      return user && toListed(user)
    },
    evaluable: (users, computed) => evaluable(context, users, computed),
    bodies: (users) => bodies(context, users, projection),
  }
}

/** The representations of users, in parts when something has to be read for them, or much has to be parsed. */
function bodies(context: OperationContext, users: readonly UserInList[], projection: Projection | undefined): Bodies {
  const groups = knownGroups(users, projection)
  if (groups === undefined || !users.every(isWhole)) return readBodies(context, users, projection)
  if (projection !== undefined && !isOnePart(users)) return readBodies(context, users, projection)
  const known: ReferenceTexts = new Map()
  return users.map((user, index) => listedBody(user, groups[index] ?? [], projection, context.scimUrl, known))
}

async function* readBodies(
  context: OperationContext,
  users: readonly UserInList[],
  projection: Projection | undefined,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  const known: ReferenceTexts = new Map()
  const { store } = context.provisioning
  for await (const part of inFull(users, (id) => store.getUser(context.directory.id, id), context.slices)) {
    const groups = await groupsOf(context, part, projection)
    yield part.map((user, index) => listedBody(user, groups[index] ?? [], projection, context.scimUrl, known))
  }
}

async function* evaluable(
  context: OperationContext,
  users: readonly UserInList[],
  computed: ReadonlySet<Computed>,
): AsyncGenerator<Evaluable | undefined, void, undefined> {
  const { provisioning, directory } = context
  const groups = computed.has('groups') ? await groupsOf(context, users, undefined) : []
  for (const [index, listed] of users.entries()) {
    const user = isWhole(listed) ? listed : await provisioning.store.getUser(directory.id, listed.id)
    if (user === undefined) {
      yield undefined
      continue
    }
    const text = computed.size === 0 ? user.raw : userRepresentation(user, groups[index] ?? [], context.scimUrl).text
    yield { resource: fromJsonText(text), size: text.length }
  }
}

type UserGroups = Pick<UserInList, 'id' | 'groups'>

/** The groups of each user, in the order of the users; an empty list when the response does not include `groups`. */
export async function groupsOf(
  { provisioning: { store }, directory }: OperationContext,
  users: readonly UserGroups[],
  projection: Projection | undefined,
): Promise<readonly (readonly GroupReference[])[]> {
  const known = knownGroups(users, projection)
  if (known !== undefined) return known
  const unknown = users.flatMap(({ id, groups }) => (groups === undefined ? [id] : []))
  const byUser = await store.groupsOfUsers(directory.id, unknown)
  return users.map(({ id, groups }) => groups ?? byUser.get(id) ?? [])
}

/** As `groupsOf`; undefined when the groups of some users have to be read. */
function knownGroups(
  users: readonly UserGroups[],
  projection: Projection | undefined,
): readonly (readonly GroupReference[])[] | undefined {
  if (!includesAttribute(projection, 'groups')) return []
  const known = users.flatMap(({ groups }) => (groups === undefined ? [] : [groups]))
  return known.length === users.length ? known : undefined
}

/** As `userBody`; a large user comes in pieces. */
function listedBody(...[user, groups, projection, scimUrl, known]: Parameters<typeof userBody>): JsonBody {
  if (projection !== undefined || user.raw.length <= maxListedBytes)
    return userBody(user, groups, projection, scimUrl, known).body
  return inPieces(userRepresentation(user, groups, scimUrl, known).pieces)
}

async function* inPieces(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* pieces
}

/** The representation of a user, reduced to the requested attributes, and its entity tag. */
export function userBody(
  user: StoredResource,
  groups: readonly GroupReference[],
  projection: Projection | undefined,
  scimUrl: string,
  known?: ReferenceTexts,
): { readonly body: string; readonly tag: string } {
  const { text, tag } = userRepresentation(user, groups, scimUrl, known)
  const isWhole = projection === undefined || (groups.length === 0 && leavesOutOnly(projection, 'groups', userType))
  return {
    body: isWhole ? text : JSON.stringify(project(fromJsonText(text), projection, userType)),
    tag,
  }
}
