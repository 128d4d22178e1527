import { notFound } from '../provisioning/lifecycle.ts'
import type { ProvisionedUser } from '../provisioning/users.ts'
import { createUser, deleteUser, foundUser, patchUser, replaceUser } from '../provisioning/users.ts'
import { matchesTag } from '../scim/entity-tag.ts'
import { parseListQuery, parseSearchRequest } from '../scim/list-query.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import type { Projection } from '../scim/projection.ts'
import { parseProjection } from '../scim/projection.ts'
import { parseReplacement, parseResource } from '../scim/resource/parse-resource.ts'
import { userType, userTypes } from '../scim/schema/resource-type.ts'
import type { Operation, OperationContext, ScimRequest, ScimResponse } from './request.ts'
import { notModified, resourceResponse } from './responses.ts'
import { listResponse } from './search.ts'
import { showsGroups, userResponse } from './user-body.ts'
import { userSource } from './user-source.ts'

async function list(context: OperationContext, { query, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseListQuery(query)
  return listResponse(context, [userSource(context, list)], list, isAbandoned)
}

async function search(context: OperationContext, { body, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseSearchRequest(body, context.profile)
  return listResponse(context, [userSource(context, list)], list, isAbandoned)
}

async function create(context: OperationContext, { query, body }: ScimRequest): Promise<ScimResponse> {
  const projection = parseProjection(query, userTypes[context.profile])
  const resource = parseResource(userTypes[context.profile], body)
  const created = await createUser(context.provisioning, context, context.newId(), resource)
  return changeResponse(context, created, projection, 201)
}

async function read(context: OperationContext, { resourceId, query, ifNoneMatch }: ScimRequest): Promise<ScimResponse> {
  const projection = parseProjection(query, userTypes[context.profile])
  const user = await foundUser(context.provisioning.store, context.directory.id, resourceId, showsGroups(projection))
  if (user === undefined) throw notFound('user')
  const { body, tag } = await userResponse(context, user, projection)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) return notModified(tag, user.userName)
  return { ...resourceResponse(context, userType, resourceId, tag, body, 200), resourceName: user.userName }
}

async function replace(
  context: OperationContext,
  { resourceId: id, query, body, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const projection = parseProjection(query, userTypes[context.profile])
  const resource = parseReplacement(userTypes[context.profile], body)
  const target = { id, ifMatch, ifNoneMatch, withGroups: showsGroups(projection) }
  const replaced = await replaceUser(context.provisioning, context, target, resource)
  return changeResponse(context, replaced, projection, 200)
}

async function patch(
  context: OperationContext,
  { resourceId: id, query, body, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const projection = parseProjection(query, userTypes[context.profile])
  const operations = parsePatch(body, userTypes[context.profile])
  const target = { id, ifMatch, ifNoneMatch, withGroups: showsGroups(projection) }
  const patched = await patchUser(context.provisioning, context, target, operations)
  return changeResponse(context, patched, projection, 200)
}

async function remove(
  context: OperationContext,
  { resourceId: id, ifMatch, ifNoneMatch }: ScimRequest,
): Promise<ScimResponse> {
  const { events } = await deleteUser(context.provisioning, context, { id, ifMatch, ifNoneMatch })
  return { status: 204, headers: {}, body: undefined, events }
}

/** The SCIM operations on users (RFC 7644 §3.3 to §3.6). */
export const userOperations = { list, search, create, read, replace, patch, remove } satisfies Record<string, Operation>

/** A response with the user after a change, and its groups as read before; many groups are read again. */
async function changeResponse(
  context: OperationContext,
  { user, events }: ProvisionedUser,
  projection: Projection | undefined,
  status: 200 | 201,
): Promise<ScimResponse> {
  const { body, tag } = await userResponse(context, user, projection)
  return { ...resourceResponse(context, userType, user.id, tag, body, status, events), resourceName: user.userName }
}
