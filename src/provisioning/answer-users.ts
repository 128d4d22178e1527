import type { Directory } from '../directory/directory.ts'
import type { Cause } from '../directory/event.ts'
import { matchesTag } from '../scim/entity-tag.ts'
import { ScimError } from '../scim/errors.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import type { Projection } from '../scim/projection.ts'
import { parseResource } from '../scim/resource/parse-resource.ts'
import { userType } from '../scim/schema/resource-type.ts'
import { resourceHeaders } from './headers.ts'
import type { AnswerParts, ScimRequest, ScimResponse } from './request.ts'
import type { ResourceActions } from './resource.ts'
import { answerWith } from './resource.ts'
import { search } from './search/search.ts'
import type { UserContext } from './user-source.ts'
import { groupsOf, userBody, userSource } from './user-source.ts'
import type { ProvisionedUser } from './users.ts'
import { createUser, deleteUser, patchUser, replaceUser } from './users.ts'

/** Answers the SCIM requests for users of a directory. */
export function answerUsers(
  parts: AnswerParts,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimResponse> {
  const context: UserContext = { store: parts.provisioning.store, directoryId: directory.id, scimUrl }
  const { slices, provisioning, newId } = parts
  const write = { directory, cause }
  const actions: ResourceActions = {
    resourceType: userType,
    search: (query) =>
      search({ directory, slices, now: cause.at, isAbandoned: request.isAbandoned }, userSource(context), query),
    create: async (body, projection) =>
      changed(await createUser(provisioning, write, newId(), parseResource(userType, body)), context, projection, 201),
    read: (id, projection, ifNoneMatch) => read(context, id, projection, ifNoneMatch),
    replace: async (id, body, ifMatch, projection) =>
      changed(
        await replaceUser(provisioning, write, { id, ifMatch }, parseResource(userType, body)),
        context,
        projection,
        200,
      ),
    patch: async (id, body, ifMatch, projection) =>
      changed(
        await patchUser(provisioning, write, { id, ifMatch }, parsePatch(body, userType)),
        context,
        projection,
        200,
      ),
    remove: (id, ifMatch) => deleteUser(provisioning, write, { id, ifMatch }),
  }
  return answerWith(actions, request)
}

/** Answers a change with the user as it is now; a new one is in no group yet. */
async function changed(
  outcome: ProvisionedUser,
  context: UserContext,
  projection: Projection | undefined,
  status: 200 | 201,
): Promise<ScimResponse> {
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
): Promise<ScimResponse> {
  const user = await context.store.getUserWithGroups(context.directoryId, id)
  if (user === undefined) throw new ScimError(404, undefined, 'There is no user with this id.')
  const [groups = []] = await groupsOf(context, [user], projection)
  const { body, tag } = userBody(user, groups, projection, context.scimUrl)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) {
    return { status: 304, headers: { etag: tag }, body: undefined, events: [] }
  }
  return { status: 200, headers: resourceHeaders('/Users', id, context.scimUrl, tag, 200), body, events: [] }
}
