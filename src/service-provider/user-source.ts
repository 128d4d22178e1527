import { abridge, isComplete, isOnePart } from '../directory/abridged.ts'
import type { ListedUser } from '../directory/directory-store.ts'
import { firstGroups } from '../directory/directory-store.ts'
import type { UserCompletion } from '../directory/listed-users.ts'
import { completeUsers, groupsOfListed } from '../directory/listed-users.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { UserGroups } from '../directory/user-groups.ts'
import type { Computed, Evaluable } from '../provisioning/search/plan.ts'
import type { Json } from '../scim/json.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { ListQuery } from '../scim/list-query.ts'
import type { Projection } from '../scim/projection.ts'
import { parseProjection } from '../scim/projection.ts'
import { userTypes } from '../scim/schema/resource-type.ts'
import { emptyDigest, referenceParts, userRepresentation, userTag, userWithoutGroups } from './representation.ts'
import type { OperationContext } from './request.ts'
import type { ResponseSource } from './search.ts'
import { listedBody, showsGroups } from './user-body.ts'

/** The fields of a listed user that SCIM represents. */
type SearchedUser = Pick<ListedUser, keyof StoredResource | 'groups'>

/**
 * The users of a directory as a source for searches.
 *
 * @throws ScimError 400 when the query names invalid attributes
 */
export function userSource(
  context: OperationContext,
  { attributes, excludedAttributes }: ListQuery,
): ResponseSource<SearchedUser> {
  const resourceType = userTypes[context.profile]
  const projection = parseProjection({ attributes, excludedAttributes }, resourceType)
  const { store } = context.provisioning
  const { id: directoryId } = context.directory
  return {
    resourceType,
    count: (where) => store.countUsers(directoryId, where),
    list: (part) => store.listUsers(directoryId, part),
    page: (part) => store.pageOfUsers(directoryId, part, showsGroups(projection)),
    async get(id) {
      const user = await store.getUserWithGroups(directoryId, id)
      const areAll = user !== undefined && user.groups.length < firstGroups
      return user && abridge({ ...user, groups: areAll ? user.groups : undefined })
    },
    evaluable: (users, computed) => evaluable(context, users, computed),
    bodies: (users) => bodies(context, users, projection),
  }
}

/** The representations of users, in parts if something has to be read for them, or much has to be parsed. */
function bodies(
  context: OperationContext,
  users: readonly SearchedUser[],
  projection: Projection | undefined,
): JsonItems {
  const areGroupsKnown = !showsGroups(projection) || users.every(({ groups }) => groups !== undefined)
  if (!areGroupsKnown || !users.every(isComplete)) return readBodies(context, users, projection)
  if (projection !== undefined && !isOnePart(users)) return readBodies(context, users, projection)
  const known: ReferenceTexts = new Map()
  return users.map((user) =>
    listedBody(user, showsGroups(projection) ? (user.groups ?? []) : [], projection, context.scimUrl, known),
  )
}

async function* readBodies(
  context: OperationContext,
  users: readonly SearchedUser[],
  projection: Projection | undefined,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  const known: ReferenceTexts = new Map()
  for await (const part of completeUsers(completionIn(context), users, showsGroups(projection)))
    yield part.map(({ user, groups }) => listedBody(user, groups, projection, context.scimUrl, known))
}

function completionIn({ provisioning: { store }, directory, slices }: OperationContext): UserCompletion {
  return { store, directoryId: directory.id, slices }
}

/** The number of users that are evaluated together with their first groups. */
const usersPerRead = 20

async function* evaluable(
  context: OperationContext,
  users: readonly SearchedUser[],
  computed: ReadonlySet<Computed>,
): AsyncGenerator<Evaluable | undefined, void, undefined> {
  const { provisioning, directory } = context
  for (let start = 0; start < users.length; start += usersPerRead) {
    const some = users.slice(start, start + usersPerRead)
    const groups = computed.has('groups') ? await groupsOfListed(completionIn(context), some) : []
    for (const [index, listed] of some.entries()) {
      const user = isComplete(listed) ? listed : await provisioning.store.getUser(directory.id, listed.id)
      if (user === undefined) yield undefined
      else if (computed.size === 0) yield { resource: fromJsonText(user.raw), size: user.raw.length }
      else yield inGroups(user, groups[index] ?? [], context.scimUrl)
    }
  }
}

async function inGroups(user: StoredResource, groups: UserGroups, scimUrl: string): Promise<Evaluable> {
  if ('length' in groups) {
    const { text } = userRepresentation(user, groups, scimUrl)
    return { resource: fromJsonText(text), size: text.length }
  }
  const references: Json[] = []
  let size = user.raw.length
  let digest = emptyDigest
  for await (const { text, digestSoFar } of referenceParts(groups, scimUrl)) {
    references.push(...JSON.parse(`[${text}]`))
    size += text.length
    digest = digestSoFar
  }
  const resource = fromJsonText(userWithoutGroups(user, userTag(user, digest), scimUrl))
  return { resource: { ...resource, groups: references }, size }
}
