import { entityTag, matchesTag } from '../../scim/entity-tag.ts'
import { ScimError } from '../../scim/errors.ts'
import { parseListQuery, parseSearchRequest } from '../../scim/list-query.ts'
import type { Projection } from '../../scim/projection.ts'
import { parseProjection } from '../../scim/projection.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import type { Directory } from '../directory.ts'
import type { Cause } from '../event.ts'
import type { ProvisionedGroup } from '../provision-groups.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from '../provision-groups.ts'
import type { DirectoryChanged } from '../store.ts'
import type { GroupContext } from './group-source.ts'
import { groupBody, groupSource } from './group-source.ts'
import { resourceHeaders } from './headers.ts'
import type { AnswerParts, ScimAnswer, ScimRequest } from './request.ts'
import { search } from './search/search.ts'

/** Answers the SCIM requests for groups of a directory. */
export async function answerGroups(
  parts: AnswerParts,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimAnswer | DirectoryChanged> {
  const context: GroupContext = { store: parts.store, directoryId: directory.id, scimUrl }
  const { method, resourceId: id, body, ifMatch } = request
  if (id === undefined && (method === 'GET' || request.isSearch)) {
    const query = method === 'GET' ? parseListQuery(request.query) : parseSearchRequest(body)
    const { slices } = parts
    return search({ directory, slices, now: cause.at, isAbandoned: request.isAbandoned }, groupSource(context), query)
  }
  if (id !== undefined && method === 'DELETE') {
    const events = await deleteGroup(parts, directory, id, ifMatch, cause)
    return events === 'directory-changed' ? events : { status: 204, headers: {}, body: undefined, events }
  }
  // Read before anything is changed: a request that is refused changes nothing.
  const projection = parseProjection(request.query, groupType)
  if (id === undefined) return changed(await createGroup(parts, directory, body, cause), context, projection, 201)
  if (method === 'GET') return read(context, id, projection, request.ifNoneMatch)
  const change = method === 'PUT' ? replaceGroup : patchGroup
  const outcome = await change(parts, directory, id, body, ifMatch, cause)
  const isWithoutBody = method === 'PATCH' && projection === undefined
  return isWithoutBody ? withoutBody(outcome) : changed(outcome, context, projection, 200)
}

/** A PATCH is answered without the group, whose members may be many, unless attributes are named (RFC 7644 §3.5.2). */
function withoutBody(outcome: ProvisionedGroup | DirectoryChanged): ScimAnswer | DirectoryChanged {
  if (outcome === 'directory-changed') return outcome
  const { group, events, skipped } = outcome
  const headers = { etag: entityTag(group.version) }
  return { status: 204, headers, body: undefined, events, skippedMembers: skipped.length }
}

function changed(
  outcome: ProvisionedGroup | DirectoryChanged,
  context: GroupContext,
  projection: Projection | undefined,
  status: 200 | 201,
): ScimAnswer | DirectoryChanged {
  if (outcome === 'directory-changed') return outcome
  const { group, events, skipped } = outcome
  const headers = resourceHeaders('/Groups', group.id, context.scimUrl, entityTag(group.version), status)
  const body = groupBody(context, group, projection)
  return { status, headers, body, events, skippedMembers: skipped.length }
}

async function read(
  context: GroupContext,
  id: string,
  projection: Projection | undefined,
  ifNoneMatch: string | undefined,
): Promise<ScimAnswer> {
  const group = await context.store.getGroup(context.directoryId, id)
  if (group === undefined) throw new ScimError(404, undefined, 'There is no group with this id.')
  const tag = entityTag(group.version)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) {
    return { status: 304, headers: { etag: tag }, body: undefined, events: [] }
  }
  const headers = resourceHeaders('/Groups', id, context.scimUrl, tag, 200)
  return { status: 200, headers, body: groupBody(context, group, projection), events: [] }
}
