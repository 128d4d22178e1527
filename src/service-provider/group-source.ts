import { abridge, completeInParts, isComplete, isOnePart } from '../directory/abridged.ts'
import type { GroupWithMembers, ListedGroup } from '../directory/directory-store.ts'
import type { Member } from '../directory/group.ts'
import { allMembers, membersOfGroup } from '../directory/group-members.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { Computed, Evaluable } from '../provisioning/search/plan.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { ListQuery } from '../scim/list-query.ts'
import type { Projection } from '../scim/projection.ts'
import { includesAttribute, leavesOutOnly, parseProjection, project } from '../scim/projection.ts'
import { groupType, groupTypes } from '../scim/schema/resource-type.ts'
import { groupRepresentation, memberRepresentation, memberRepresentations } from './representation.ts'
import type { OperationContext } from './request.ts'
import type { ResponseSource } from './search.ts'

/** The fields of a listed group that SCIM represents. */
type SearchedGroup = Pick<ListedGroup, keyof StoredResource | 'members'>

/** A page of at most this many groups is read together with members, where these are few. */
const maxListedWithMembers = 100

/**
 * The groups of a directory as a source for searches.
 *
 * @throws ScimError 400 when the query names invalid attributes
 */
export function groupSource(
  context: OperationContext,
  { attributes, excludedAttributes }: ListQuery,
): ResponseSource<SearchedGroup> {
  const resourceType = groupTypes[context.profile]
  const projection = parseProjection({ attributes, excludedAttributes }, resourceType)
  const { store } = context.provisioning
  const { id: directoryId } = context.directory
  return {
    resourceType,
    count: (where) => store.countGroups(directoryId, where),
    list: (part) => store.listGroups(directoryId, part),
    page: (part) =>
      store.pageOfGroups(directoryId, part, projection === undefined && part.limit <= maxListedWithMembers),
    async get(id) {
      const group = await store.getGroup(directoryId, id)
      return group && abridge(group)
    },
    evaluable: (groups, computed) => evaluable(context, groups, computed),
    bodies: (groups) => bodies(context, groups, projection),
  }
}

/** The representations of groups, in parts if something has to be read for them, or much has to be parsed. */
function bodies(
  context: OperationContext,
  groups: readonly SearchedGroup[],
  projection: Projection | undefined,
): JsonItems {
  if (!groups.every(isComplete)) return readBodies(context, groups, projection)
  if (projection === undefined) return wholeBodies(context, groups)
  return isOnePart(groups)
    ? groups.map((group) => projectedBody(context, group, projection))
    : readBodies(context, groups, projection)
}

async function* readBodies(
  context: OperationContext,
  groups: readonly SearchedGroup[],
  projection: Projection | undefined,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  const { store } = context.provisioning
  for await (const part of completeInParts(groups, (id) => store.getGroup(context.directory.id, id), context.slices)) {
    const found =
      projection === undefined
        ? wholeBodies(context, part)
        : part.map((group) => projectedBody(context, group, projection))
    if ('length' in found) yield found
    else yield* found
  }
}

/** The approximate length of a member in JSON, in characters. */
const memberLength = 100

async function* evaluable(
  context: OperationContext,
  groups: readonly SearchedGroup[],
  computed: ReadonlySet<Computed>,
): AsyncGenerator<Evaluable | undefined, void, undefined> {
  const { provisioning, directory } = context
  for (const listed of groups) {
    const group = isComplete(listed) ? listed : await provisioning.store.getGroup(directory.id, listed.id)
    if (group === undefined) yield undefined
    else if (computed.has('members')) {
      const members = await readMembers(context, group)
      const size = group.raw.length + members.length * memberLength
      yield { resource: { ...withoutMembers(context, group), members }, size }
    } else {
      const resource = computed.has('meta') ? withoutMembers(context, group) : fromJsonText(group.raw)
      yield { resource, size: group.raw.length }
    }
  }
}

/** A listed group with its complete `raw`, and its members if they are known. */
type CompleteGroup = StoredResource & Pick<ListedGroup, 'members'>

/** The number of listed groups that are read together with their first members. */
const groupsPerRead = 20

function wholeBodies(context: OperationContext, groups: readonly CompleteGroup[]): JsonItems {
  return groups.every(({ members }) => members !== undefined)
    ? groups.map((group) => textWithMembers(context, group, group.members ?? []))
    : readWithMembers(context, groups)
}

async function* readWithMembers(
  context: OperationContext,
  groups: readonly CompleteGroup[],
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  for (let start = 0; start < groups.length; start += groupsPerRead) {
    await context.slices.next()
    yield await Promise.all(groups.slice(start, start + groupsPerRead).map((group) => listedBody(context, group)))
  }
}

async function listedBody(context: OperationContext, group: CompleteGroup): Promise<JsonBody> {
  if (group.members !== undefined) return textWithMembers(context, group, group.members)
  const found = await context.provisioning.store.getGroupWithMembers(context.directory.id, group.id)
  // The list still contains a group that was deleted meanwhile.
  return groupWithMembersBody(context, found ?? { group, members: [] })
}

/** The representation of a group, reduced to the requested attributes. Members are read and sent in parts. */
export function groupBody(
  context: OperationContext,
  group: StoredResource,
  projection: Projection | undefined,
): JsonBody {
  if (projection !== undefined) return projectedBody(context, group, projection)
  return wholeBody(context, group, membersOfGroup(context.provisioning.store, context.directory.id, group.id))
}

function projectedBody(context: OperationContext, group: StoredResource, projection: Projection): JsonBody {
  if (includesAttribute(projection, 'members')) return projectedWithMembers(context, group, projection)
  if (leavesOutOnly(projection, 'members', groupType)) return groupRepresentation(group, context.scimUrl).withoutMembers
  return JSON.stringify(project(withoutMembers(context, group), projection, groupType))
}

/** The representation of a group that was read with its first members. */
export function groupWithMembersBody(
  context: OperationContext,
  { group, members }: { readonly group: StoredResource; readonly members: GroupWithMembers['members'] },
): JsonBody {
  const all = allMembers(context.provisioning.store, context.directory.id, group.id, members)
  return 'length' in all ? textWithMembers(context, group, all) : wholeBody(context, group, all)
}

function textWithMembers({ scimUrl }: OperationContext, group: StoredResource, members: readonly Member[]): string {
  const { beforeMembers, afterMembers } = groupRepresentation(group, scimUrl)
  return `${beforeMembers}${memberRepresentations(members, scimUrl)}${afterMembers}`
}

async function* wholeBody(
  context: OperationContext,
  group: StoredResource,
  parts: AsyncIterable<readonly Member[]>,
): AsyncGenerator<string, void, undefined> {
  const { beforeMembers, afterMembers } = groupRepresentation(group, context.scimUrl)
  yield beforeMembers
  let separator = ''
  for await (const members of parts) {
    if (members.length === 0) continue
    yield separator + memberRepresentations(members, context.scimUrl)
    separator = ','
  }
  yield afterMembers
}

async function* projectedWithMembers(
  context: OperationContext,
  group: StoredResource,
  projection: Projection,
): AsyncGenerator<string, void, undefined> {
  const members = await readMembers(context, group)
  yield JSON.stringify(project({ ...withoutMembers(context, group), members }, projection, groupType))
}

function withoutMembers({ scimUrl }: OperationContext, group: StoredResource): JsonObject {
  return fromJsonText(groupRepresentation(group, scimUrl).withoutMembers)
}

async function readMembers(
  { provisioning, directory, scimUrl }: OperationContext,
  group: StoredResource,
): Promise<Json[]> {
  const members: Json[] = []
  for await (const part of membersOfGroup(provisioning.store, directory.id, group.id)) {
    for (const member of part) members.push(JSON.parse(memberRepresentation(member, scimUrl)))
  }
  return members
}
