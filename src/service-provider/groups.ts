import type { DirectoryReads } from '../directory/directory-store.ts'
import type { GroupInput, ProvisionedGroup } from '../provisioning/groups.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from '../provisioning/groups.ts'
import { notFound } from '../provisioning/lifecycle.ts'
import { entityTag, matchesTag } from '../scim/entity-tag.ts'
import { maxIdLength } from '../scim/limits.ts'
import { parseListQuery, parseSearchRequest } from '../scim/list-query.ts'
import { foldMemberOperations, memberTexts, splitMemberOperations } from '../scim/patch/members.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import type { Projection } from '../scim/projection.ts'
import { parseProjection } from '../scim/projection.ts'
import { membersOf, memberText, notAMember, parseMemberIds } from '../scim/resource/members.ts'
import { parseResource } from '../scim/resource/parse-resource.ts'
import { groupType, groupTypes } from '../scim/schema/resource-type.ts'
import { groupBody, groupSource, groupWithMembersBody } from './group-source.ts'
import type { Operation, OperationContext, ScimRequest, ScimResponse } from './request.ts'
import { notModified, resourceResponse } from './responses.ts'
import { listResponse } from './search.ts'

async function list(context: OperationContext, { query, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseListQuery(query)
  return listResponse(context, [groupSource(context, list)], list, isAbandoned)
}

async function search(context: OperationContext, { body, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseSearchRequest(body, context.profile)
  return listResponse(context, [groupSource(context, list)], list, isAbandoned)
}

async function create(context: OperationContext, { query, body }: ScimRequest): Promise<ScimResponse> {
  const projection = parseProjection(query, groupTypes[context.profile])
  const input = await parseGroup(context, body)
  const created = await createGroup(context.provisioning, context, context.newId(), input)
  return changeResponse(context, created, projection, 201)
}

async function read(context: OperationContext, { resourceId, query, ifNoneMatch }: ScimRequest): Promise<ScimResponse> {
  const projection = parseProjection(query, groupTypes[context.profile])
  const { store } = context.provisioning
  const { id: directoryId } = context.directory
  if (projection === undefined && ifNoneMatch === undefined) {
    const found = await store.getGroupWithMembers(directoryId, resourceId)
    if (found === undefined) throw notFound('group')
    const body = groupWithMembersBody(context, found)
    const { version, name } = found.group
    return { ...resourceResponse(context, groupType, resourceId, entityTag(version), body, 200), resourceName: name }
  }
  const group = await store.getGroup(directoryId, resourceId)
  if (group === undefined) throw notFound('group')
  const tag = entityTag(group.version)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) return notModified(tag, group.name)
  const body = groupBody(context, group, projection)
  return { ...resourceResponse(context, groupType, resourceId, tag, body, 200), resourceName: group.name }
}

async function replace(
  context: OperationContext,
  { resourceId: id, query, body, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const projection = parseProjection(query, groupTypes[context.profile])
  const input = await parseGroup(context, body, id)
  const replaced = await replaceGroup(context.provisioning, context, { id, ifMatch, ifNoneMatch }, input)
  return changeResponse(context, replaced, projection, 200)
}

/**
 * Applies a PATCH. The response leaves out the group, which may have many members, unless attributes are requested (RFC
 * 7644 §3.5.2).
 */
async function patch(
  context: OperationContext,
  { resourceId: id, query, body, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const projection = parseProjection(query, groupTypes[context.profile])
  const operations = parsePatch(body, groupTypes[context.profile])
  const split = splitMemberOperations(operations)
  for (const text of memberTexts(operations)) await requireResource(context, text, id)
  const patched = await patchGroup(context.provisioning, context, { id, ifMatch, ifNoneMatch }, split)
  if (projection !== undefined) return changeResponse(context, patched, projection, 200)
  const { group, events, furtherEvents, skipped } = patched
  const headers = { etag: entityTag(group.version) }
  return { status: 204, headers, body: undefined, events, furtherEvents, skippedMembers: skipped.length }
}

async function remove(
  context: OperationContext,
  { resourceId: id, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const { events } = await deleteGroup(context.provisioning, context, { id, ifMatch, ifNoneMatch })
  return { status: 204, headers: {}, body: undefined, events }
}

/** The SCIM operations on groups (RFC 7644 §3.3 to §3.6). */
export const groupOperations = { list, search, create, read, replace, patch, remove } satisfies Record<
  string,
  Operation
>

/** @param id the id of the group; undefined before it exists */
async function parseGroup(context: OperationContext, body: unknown, id?: string): Promise<GroupInput> {
  const resource = parseResource(groupTypes[context.profile], body)
  const listed = membersOf(body)
  if (listed === undefined) return { resource, members: undefined }
  const membersOfType = groupTypes[context.profile].attributes.get('members')
  const members = foldMemberOperations([{ op: 'replace', ids: parseMemberIds(listed, membersOfType) }])
  const text = memberText(listed)
  if (text !== undefined) await requireResource(context, text, id)
  return { resource, members }
}

/** @throws ScimError 400 `invalidValue` when a text in place of a list of members is not the id of a possible member */
async function requireResource(
  { provisioning: { store }, directory }: OperationContext,
  text: string,
  groupId: string | undefined,
): Promise<void> {
  const found = text === groupId ? undefined : await findResource(store, directory.id, text)
  if (found === undefined) throw notAMember(text)
}

async function findResource(store: DirectoryReads, directoryId: string, id: string) {
  if (id.length > maxIdLength) return undefined
  return (await store.getUser(directoryId, id)) ?? (await store.getGroup(directoryId, id))
}

function changeResponse(
  context: OperationContext,
  { group, events, furtherEvents, skipped }: ProvisionedGroup,
  projection: Projection | undefined,
  status: 200 | 201,
): ScimResponse {
  const body = groupBody(context, group, projection)
  const tag = entityTag(group.version)
  const response = resourceResponse(context, groupType, group.id, tag, body, status, events)
  return { ...response, furtherEvents, skippedMembers: skipped.length }
}
