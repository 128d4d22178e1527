import { entityTag, matchesTag } from '../../scim/entity-tag.ts'
import { ScimError } from '../../scim/errors.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import type { ListQuery } from '../../scim/list-query.ts'
import { parseListQuery, parseSearchRequest } from '../../scim/list-query.ts'
import { listResponseText } from '../../scim/messages.ts'
import type { Projection } from '../../scim/projection.ts'
import { parseProjection, project, wants } from '../../scim/projection.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import type { Directory } from '../directory.ts'
import type { Cause } from '../event.ts'
import type { GroupReference } from '../group.ts'
import type { ProvisionedUser, Provisioning } from '../provision-users.ts'
import { createUser, deleteUser, patchUser, replaceUser } from '../provision-users.ts'
import { locationOf, parsed, userRepresentation } from '../representation.ts'
import type { DirectoryChanged, DirectoryReads, FoundUser } from '../store.ts'
import type { ShownUser } from '../user.ts'
import type { ListSource } from './list.ts'
import { looksAt, readPage } from './list.ts'
import type { ScimAnswer, ScimRequest } from './request.ts'

/** Answers the SCIM requests for users of a directory. */
export async function answerUsers(
  parts: Provisioning,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimAnswer | DirectoryChanged> {
  const { method, resourceId: id, body, ifMatch } = request
  if (id === undefined) {
    if (method === 'POST' && !request.isSearch) {
      return changed(await createUser(parts, directory, body, cause), parts, directory, scimUrl, request, 201)
    }
    return search(
      parts.store,
      directory,
      scimUrl,
      method === 'GET' ? parseListQuery(request.query) : parseSearchRequest(body),
    )
  }
  if (method === 'GET') return read(parts.store, directory, scimUrl, id, request)
  if (method === 'DELETE') {
    const events = await deleteUser(parts, directory, id, ifMatch, cause)
    return events === 'directory-changed' ? events : { status: 204, headers: {}, body: undefined, events }
  }
  const change = method === 'PUT' ? replaceUser : patchUser
  const outcome = await change(parts, directory, id, body, ifMatch, cause)
  return changed(outcome, parts, directory, scimUrl, request, 200)
}

/** Answers a change with the user as it is now; a new one is in no group yet. */
async function changed(
  outcome: ProvisionedUser | DirectoryChanged,
  { store }: Provisioning,
  directory: Directory,
  scimUrl: string,
  { query }: ScimRequest,
  status: 200 | 201,
): Promise<ScimAnswer | DirectoryChanged> {
  if (outcome === 'directory-changed') return outcome
  const { user, events } = outcome
  const projection = parseProjection(query, userType)
  const groups = status === 201 ? [] : await groupsOf(store, directory.id, [user], projection)
  const location = locationOf('/Users', user.id, scimUrl)
  return {
    status,
    headers: { etag: entityTag(user.version), ...(status === 201 ? { location } : {}) },
    body: userBody(user, groups[0] ?? [], projection, scimUrl),
    events,
  }
}

async function read(
  store: DirectoryReads,
  directory: Directory,
  scimUrl: string,
  id: string,
  { query, ifNoneMatch }: ScimRequest,
): Promise<ScimAnswer> {
  const projection = parseProjection(query, userType)
  const user = await store.getUserWithGroups(directory.id, id)
  if (user === undefined) throw new ScimError(404, undefined, 'There is no user with this id.')
  const headers = { etag: entityTag(user.version) }
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, user.version)) {
    return { status: 304, headers, body: undefined, events: [] }
  }
  return { status: 200, headers, body: userBody(user, user.groups, projection, scimUrl), events: [] }
}

async function search(
  store: DirectoryReads,
  directory: Directory,
  scimUrl: string,
  query: ListQuery,
): Promise<ScimAnswer> {
  const projection = parseProjection(query, userType)
  const { items, totalResults } = await readPage(userSource(store, directory.id, scimUrl), query)
  const groups = await groupsOf(store, directory.id, items, projection)
  const resources = items.map((user, index) => userBody(user, groups[index] ?? [], projection, scimUrl))
  const body = listResponseText({ totalResults, startIndex: query.startIndex, resources })
  return { status: 200, headers: {}, body, events: [] }
}

/** A user of a list; one that was looked up has its groups. */
type SearchedUser = ShownUser & Partial<Pick<FoundUser, 'groups'>>

function userSource(store: DirectoryReads, directoryId: string, scimUrl: string): ListSource<SearchedUser> {
  return {
    resourceType: userType,
    count: () => store.countUsers(directoryId),
    list: (part) => store.listUsers(directoryId, part),
    find: (equalities, part) => store.findUsers(directoryId, equalities, part),
    countFound: (equalities) => store.countFoundUsers(directoryId, equalities),
    async evaluable(users, filter) {
      const groups = looksAt(filter, 'groups') ? await groupsOf(store, directoryId, users, undefined) : []
      return users.map((user, index) => parsed(userRepresentation(userType, user, groups[index] ?? [], scimUrl)))
    },
  }
}

/** The groups of each user, in the users' order; empty when the answer does not show them. */
async function groupsOf(
  store: DirectoryReads,
  directoryId: string,
  users: readonly SearchedUser[],
  projection: Projection | undefined,
): Promise<(readonly GroupReference[])[]> {
  if (!wants(projection, 'groups')) return []
  const unknown = users.flatMap(({ id, groups }) => (groups === undefined ? [id] : []))
  const byUser =
    unknown.length === 0 ? new Map<string, GroupReference[]>() : await store.groupsOfUsers(directoryId, unknown)
  return users.map(({ id, groups }) => groups ?? byUser.get(id) ?? [])
}

function userBody(
  user: ShownUser,
  groups: readonly GroupReference[],
  projection: Projection | undefined,
  scimUrl: string,
): string {
  const text: JsonText<JsonObject> = userRepresentation(userType, user, groups, scimUrl)
  return projection === undefined ? text : JSON.stringify(project(parsed(text), projection, userType))
}
