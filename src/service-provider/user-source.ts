import type { GroupReference } from '../directory/group.ts'
import { inFull, isWhole, maxListedBytes, toListed } from '../directory/listed.ts'
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
import type { JsonBody, ResponseSource } from './search.ts'

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
  const { scimUrl } = context
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
    async *bodies(users) {
      const known: ReferenceTexts = new Map()
      for await (const part of inFull(users, (id) => store.getUser(directoryId, id), context.slices)) {
        const groups = await groupsOf(context, part, projection)
        yield part.map((user, index) => listedBody(user, groups[index] ?? [], projection, scimUrl, known))
      }
    },
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

/** The groups of each user, in the order of the users; an empty list when the response does not include `groups`. */
export async function groupsOf(
  { provisioning: { store }, directory }: OperationContext,
  users: readonly Pick<UserInList, 'id' | 'groups'>[],
  projection: Projection | undefined,
): Promise<(readonly GroupReference[])[]> {
  if (!includesAttribute(projection, 'groups')) return []
  const unknown = users.flatMap(({ id, groups }) => (groups === undefined ? [id] : []))
  const byUser =
    unknown.length === 0 ? new Map<string, GroupReference[]>() : await store.groupsOfUsers(directory.id, unknown)
  return users.map(({ id, groups }) => groups ?? byUser.get(id) ?? [])
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
