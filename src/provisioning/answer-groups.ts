import type { Directory } from '../directory/directory.ts'
import type { Cause } from '../directory/event.ts'
import { entityTag, matchesTag } from '../scim/entity-tag.ts'
import { ScimError } from '../scim/errors.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import { foldMemberOperations, splitMemberOperations } from '../scim/patch/members.ts'
import { parsePatch } from '../scim/patch/parse.ts'
import type { Projection } from '../scim/projection.ts'
import { membersOf, parseMemberValues } from '../scim/resource/members.ts'
import { parseResource } from '../scim/resource/parse-resource.ts'
import { groupType } from '../scim/schema/resource-type.ts'
import type { GroupContext } from './group-source.ts'
import { groupBody, groupSource } from './group-source.ts'
import type { GroupInput, ProvisionedGroup } from './groups.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './groups.ts'
import { resourceHeaders } from './headers.ts'
import type { AnswerParts, ScimRequest, ScimResponse } from './request.ts'
import type { ResourceActions } from './resource.ts'
import { answerWith } from './resource.ts'
import { search } from './search/search.ts'

/** Answers the SCIM requests for groups of a directory. */
export function answerGroups(
  parts: AnswerParts,
  directory: Directory,
  scimUrl: string,
  request: ScimRequest,
  cause: Cause,
): Promise<ScimResponse> {
  const context: GroupContext = { store: parts.provisioning.store, directoryId: directory.id, scimUrl }
  const { slices, provisioning, newId } = parts
  const write = { directory, cause }
  const actions: ResourceActions = {
    resourceType: groupType,
    search: (query) =>
      search({ directory, slices, now: cause.at, isAbandoned: request.isAbandoned }, groupSource(context), query),
    create: async (body, projection) =>
      changed(await createGroup(provisioning, write, newId(), parseGroup(body)), context, projection, 201),
    read: (id, projection, ifNoneMatch) => read(context, id, projection, ifNoneMatch),
    replace: async (id, body, ifMatch, projection) =>
      changed(await replaceGroup(provisioning, write, { id, ifMatch }, parseGroup(body)), context, projection, 200),
    async patch(id, body, ifMatch, projection) {
      const outcome = await patchGroup(
        provisioning,
        write,
        { id, ifMatch },
        splitMemberOperations(parsePatch(body, groupType)),
      )
      return projection === undefined ? withoutBody(outcome) : changed(outcome, context, projection, 200)
    },
    remove: (id, ifMatch) => deleteGroup(provisioning, write, { id, ifMatch }),
  }
  return answerWith(actions, request)
}

/** A PATCH is answered without the group, whose members may be many, unless attributes are named (RFC 7644 §3.5.2). */
function withoutBody(outcome: ProvisionedGroup): ScimResponse {
  const { group, events, skipped } = outcome
  const headers = { etag: entityTag(group.version) }
  return { status: 204, headers, body: undefined, events, skippedMembers: skipped.length }
}

function changed(
  outcome: ProvisionedGroup,
  context: GroupContext,
  projection: Projection | undefined,
  status: 200 | 201,
): ScimResponse {
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
): Promise<ScimResponse> {
  const group = await context.store.getGroup(context.directoryId, id)
  if (group === undefined) throw new ScimError(404, undefined, 'There is no group with this id.')
  const tag = entityTag(group.version)
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) {
    return { status: 304, headers: { etag: tag }, body: undefined, events: [] }
  }
  const headers = resourceHeaders('/Groups', id, context.scimUrl, tag, 200)
  return { status: 200, headers, body: groupBody(context, group, projection), events: [] }
}

function parseGroup(body: unknown): GroupInput {
  return { resource: parseResource(groupType, body), members: parseMembers(body) }
}

function parseMembers(body: unknown): MemberChanges | undefined {
  const listed = membersOf(body)
  if (listed === undefined) return undefined
  return foldMemberOperations([{ op: 'replace', members: parseMemberValues(listed) }])
}
