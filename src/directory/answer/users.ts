import { matchesTag } from '../../scim/entity-tag.ts'
import { ScimError } from '../../scim/errors.ts'
import { parseListQuery, parseSearchRequest } from '../../scim/list-query.ts'
import type { Projection } from '../../scim/projection.ts'
import { parseProjection } from '../../scim/projection.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import type { Directory } from '../directory.ts'
import type { Cause } from '../event.ts'
import type { ProvisionedUser } from '../provision-users.ts'
import { createUser, deleteUser, patchUser, replaceUser } from '../provision-users.ts'
import type { DirectoryChanged } from '../store.ts'
import { resourceHeaders } from './headers.ts'
import type { AnswerParts, ScimAnswer, ScimRequest } from './request.ts'
import { search } from './search/search.ts'
import type { UserContext } from './user-source.ts'
import { groupsOf, userBody, userSource } from './user-source.ts'

/** Answers the SCIM requests for users of a directory. */
export async function answerUsers(
  parts: AnswerParts,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimAnswer | DirectoryChanged> {
  const context: UserContext = { store: parts.store, directoryId: directory.id, scimUrl }
  const { method, resourceId: id, body, ifMatch } = request
  if (id === undefined && (method === 'GET' || request.isSearch)) {
    const query = method === 'GET' ? parseListQuery(request.query) : parseSearchRequest(body)
    const { slices } = parts
    return search({ directory, slices, now: cause.at, isAbandoned: request.isAbandoned }, userSource(context), query)
  }
  if (id !== undefined && method === 'DELETE') {
    const events = await deleteUser(parts, directory, id, ifMatch, cause)
    return events === 'directory-changed' ? events : { status: 204, headers: {}, body: undefined, events }
  }
  // Read before anything is changed: a request that is refused changes nothing.
  const projection = parseProjection(request.query, userType)
  if (id === undefined) return changed(await createUser(parts, directory, body, cause), context, projection, 201)
  if (method === 'GET') return read(context, id, projection, request.ifNoneMatch)
  const change = method === 'PUT' ? replaceUser : patchUser
  return changed(await change(parts, directory, id, body, ifMatch, cause), context, projection, 200)
}

/** Answers a change with the user as it is now; a new one is in no group yet. */
async function changed(
  outcome: ProvisionedUser | DirectoryChanged,
  context: UserContext,
  projection: Projection | undefined,
  status: 200 | 201,
): Promise<ScimAnswer | DirectoryChanged> {
  if (outcome === 'directory-changed') return outcome
  const { user, events } = outcome
  const groups = status === 201 ? [] : await groupsOf(context, [user], projection)
  const { body, tag } = userBody(user, groups[0] ?? [], projection, context.scimUrl)
  return { status, headers: resourceHeaders('/Users', user.id, context.scimUrl, tag, status), body, events }
}

async function read(
  context: UserContext,
  id: string,
  projection: Projection | undefined,
  ifNoneMatch: string | undefined,
): Promise<ScimAnswer> {
  const user = await context.store.getUserWithGroups(context.directoryId, id)
  if (user === undefined) throw new ScimError(404, undefined, 'There is no user with this id.')
  const [groups = []] = await groupsOf(context, [user], projection)
  const { body, tag } = userBody(user, groups, projection, context.scimUrl)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) {
    return { status: 304, headers: { etag: tag }, body: undefined, events: [] }
  }
  return { status: 200, headers: resourceHeaders('/Users', id, context.scimUrl, tag, 200), body, events: [] }
}
