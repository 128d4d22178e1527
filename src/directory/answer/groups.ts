import { entityTag, matchesTag } from '../../scim/entity-tag.ts'
import { ScimError } from '../../scim/errors.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import type { ListQuery } from '../../scim/list-query.ts'
import { parseListQuery, parseSearchRequest } from '../../scim/list-query.ts'
import { listResponseAround } from '../../scim/messages.ts'
import type { Projection } from '../../scim/projection.ts'
import { parseProjection, project, wants } from '../../scim/projection.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import type { Directory } from '../directory.ts'
import type { Cause } from '../event.ts'
import type { Group } from '../group.ts'
import { membersOfGroup } from '../group-members.ts'
import type { ProvisionedGroup } from '../provision-groups.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from '../provision-groups.ts'
import type { Provisioning } from '../provision-users.ts'
import { groupRepresentation, locationOf, memberRepresentation, parsed } from '../representation.ts'
import type { DirectoryChanged, DirectoryReads } from '../store.ts'
import type { ListSource } from './list.ts'
import { looksAt, readPage } from './list.ts'
import type { ScimAnswer, ScimRequest } from './request.ts'

/** Where groups are read from and how their addresses begin. */
interface GroupContext {
  readonly store: DirectoryReads
  readonly directoryId: string
  readonly scimUrl: string
}

/** Answers the SCIM requests for groups of a directory. */
export async function answerGroups(
  parts: Provisioning,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimAnswer | DirectoryChanged> {
  const context: GroupContext = { store: parts.store, directoryId: directory.id, scimUrl }
  const { method, resourceId: id, body, ifMatch } = request
  if (id === undefined) {
    if (method === 'POST' && !request.isSearch) {
      return changed(await createGroup(parts, directory, body, cause), context, request, 201)
    }
    return search(context, method === 'GET' ? parseListQuery(request.query) : parseSearchRequest(body))
  }
  if (method === 'GET') return read(context, id, request)
  if (method === 'DELETE') {
    const events = await deleteGroup(parts, directory, id, ifMatch, cause)
    return events === 'directory-changed' ? events : { status: 204, headers: {}, body: undefined, events }
  }
  if (method === 'PUT') {
    return changed(await replaceGroup(parts, directory, id, body, ifMatch, cause), context, request, 200)
  }
  const outcome = await patchGroup(parts, directory, id, body, ifMatch, cause)
  return asksForAttributes(request) ? changed(outcome, context, request, 200) : withoutBody(outcome)
}

/** A PATCH is answered without the group, whose members may be many, unless attributes are named (RFC 7644 §3.5.2). */
function withoutBody(outcome: ProvisionedGroup | DirectoryChanged): ScimAnswer | DirectoryChanged {
  if (outcome === 'directory-changed') return outcome
  const { group, events, skipped } = outcome
  const headers = { etag: entityTag(group.version) }
  return { status: 204, headers, body: undefined, events, skippedMembers: skipped.length }
}

function asksForAttributes({ query }: ScimRequest): boolean {
  return Object.keys(query).some((name) => /^(excluded)?attributes$/i.test(name))
}

function changed(
  outcome: ProvisionedGroup | DirectoryChanged,
  context: GroupContext,
  { query }: ScimRequest,
  status: 200 | 201,
): ScimAnswer | DirectoryChanged {
  if (outcome === 'directory-changed') return outcome
  const { group, events, skipped } = outcome
  const location = locationOf('/Groups', group.id, context.scimUrl)
  return {
    status,
    headers: { etag: entityTag(group.version), ...(status === 201 ? { location } : {}) },
    body: groupBody(context, group, parseProjection(query, groupType)),
    events,
    skippedMembers: skipped.length,
  }
}

async function read(context: GroupContext, id: string, { query, ifNoneMatch }: ScimRequest): Promise<ScimAnswer> {
  const projection = parseProjection(query, groupType)
  const group = await context.store.getGroup(context.directoryId, id)
  if (group === undefined) throw new ScimError(404, undefined, 'There is no group with this id.')
  const headers = { etag: entityTag(group.version) }
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, group.version)) {
    return { status: 304, headers, body: undefined, events: [] }
  }
  return { status: 200, headers, body: groupBody(context, group, projection), events: [] }
}

async function search(context: GroupContext, query: ListQuery): Promise<ScimAnswer> {
  const projection = parseProjection(query, groupType)
  const { items, totalResults } = await readPage(groupSource(context), query)
  const around = listResponseAround({ totalResults, startIndex: query.startIndex, itemsPerPage: items.length })
  return { status: 200, headers: {}, body: listBody(context, items, projection, around), events: [] }
}

async function* listBody(
  context: GroupContext,
  groups: readonly Group[],
  projection: Projection | undefined,
  { before, after }: { readonly before: string; readonly after: string },
): AsyncGenerator<string, void, undefined> {
  yield before
  for (const [index, group] of groups.entries()) {
    if (index > 0) yield ','
    const body = groupBody(context, group, projection)
    if (typeof body === 'string') yield body
    else yield* body
  }
  yield after
}

/** A group as its answer shows it: members are read and sent in parts. */
function groupBody(
  context: GroupContext,
  group: Group,
  projection: Projection | undefined,
): string | AsyncIterable<string> {
  const text = groupRepresentation(groupType, group, context.scimUrl)
  if (!wants(projection, 'members')) return JSON.stringify(project(parsed(text.withoutMembers), projection, groupType))
  if (projection !== undefined) return projectedBody(context, group, projection)
  return withMembers(context, group, text)
}

async function* withMembers(
  { store, directoryId, scimUrl }: GroupContext,
  { id }: Group,
  { beforeMembers, afterMembers }: ReturnType<typeof groupRepresentation>,
): AsyncGenerator<string, void, undefined> {
  let piece = beforeMembers
  let separator = ''
  for await (const member of membersOfGroup(store, directoryId, id)) {
    piece += separator + memberRepresentation(member, scimUrl)
    separator = ','
    if (piece.length > 65_536) {
      yield piece
      piece = ''
    }
  }
  yield piece + afterMembers
}

async function* projectedBody(
  context: GroupContext,
  group: Group,
  projection: Projection,
): AsyncGenerator<string, void, undefined> {
  yield JSON.stringify(project(await groupWithMembers(context, group), projection, groupType))
}

async function groupWithMembers({ store, directoryId, scimUrl }: GroupContext, group: Group): Promise<JsonObject> {
  const members: Json[] = []
  for await (const member of membersOfGroup(store, directoryId, group.id)) {
    members.push(JSON.parse(memberRepresentation(member, scimUrl)))
  }
  return { ...parsed(groupRepresentation(groupType, group, scimUrl).withoutMembers), members }
}

function groupSource(context: GroupContext): ListSource<Group> {
  const { store, directoryId, scimUrl } = context
  return {
    resourceType: groupType,
    count: () => store.countGroups(directoryId),
    list: (part) => store.listGroups(directoryId, part),
    find: (equalities, part) => store.findGroups(directoryId, equalities, part),
    countFound: (equalities) => store.countFoundGroups(directoryId, equalities),
    async evaluable(groups, filter) {
      if (!looksAt(filter, 'members')) {
        return groups.map((group) => parsed(groupRepresentation(groupType, group, scimUrl).withoutMembers))
      }
      const resources: JsonObject[] = []
      for (const group of groups) resources.push(await groupWithMembers(context, group))
      return resources
    },
  }
}
