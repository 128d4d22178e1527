import type { Group } from '../directory/group.ts'
import { membersOfGroup } from '../directory/group-members.ts'
import { groupRepresentation, memberRepresentation, parsed } from '../directory/representation.ts'
import type { DirectoryReads } from '../directory/store.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import type { Projection } from '../scim/projection.ts'
import { includesAttribute, project } from '../scim/projection.ts'
import { groupType } from '../scim/schema/resource-type.ts'
import type { Body, Computed, Evaluable, ListSource } from './search/source.ts'

/** Where groups are read from and how their addresses begin. */
export interface GroupContext {
  readonly store: DirectoryReads
  readonly directoryId: string
  readonly scimUrl: string
}

/** The groups of a directory, to be searched. */
export function groupSource(context: GroupContext): ListSource<Group> {
  const { store, directoryId } = context
  return {
    resourceType: groupType,
    count: () => store.countGroups(directoryId),
    list: (part) => store.listGroups(directoryId, part),
    listByName: (part) => store.listGroupsByName(directoryId, part),
    find: (equalities, part) => store.findGroups(directoryId, equalities, part),
    countFound: (equalities) => store.countFoundGroups(directoryId, equalities),
    get: (id) => store.getGroup(directoryId, id),
    evaluable: (groups, computed) => evaluable(context, groups, computed),
    bodies: async (groups, projection) => groups.map((group) => groupBody(context, group, projection)),
  }
}

/** About how many characters a member takes. */
const memberSize = 100

async function* evaluable(
  context: GroupContext,
  groups: readonly Group[],
  computed: ReadonlySet<Computed>,
): AsyncGenerator<Evaluable, void, undefined> {
  for (const group of groups) {
    if (computed.has('members')) {
      const members = await shownMembers(context, group)
      const size = group.raw.length + members.length * memberSize
      yield { resource: { ...withoutMembers(context, group), members }, size }
    } else {
      const resource = computed.has('meta') ? withoutMembers(context, group) : parsed(group.raw)
      yield { resource, size: group.raw.length }
    }
  }
}

/** A group as its answer shows it: members are read and sent in parts. */
export function groupBody(context: GroupContext, group: Group, projection: Projection | undefined): Body {
  if (!includesAttribute(projection, 'members')) {
    return JSON.stringify(project(withoutMembers(context, group), projection, groupType))
  }
  return projection === undefined ? wholeBody(context, group) : projectedBody(context, group, projection)
}

async function* wholeBody(context: GroupContext, group: Group): AsyncGenerator<string, void, undefined> {
  const { beforeMembers, afterMembers } = groupRepresentation(group, context.scimUrl)
  let piece = beforeMembers
  let separator = ''
  for await (const member of membersOfGroup(context.store, context.directoryId, group.id)) {
    piece += separator + memberRepresentation(member, context.scimUrl)
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
  const members = await shownMembers(context, group)
  yield JSON.stringify(project({ ...withoutMembers(context, group), members }, projection, groupType))
}

function withoutMembers({ scimUrl }: GroupContext, group: Group): JsonObject {
  return parsed(groupRepresentation(group, scimUrl).withoutMembers)
}

async function shownMembers({ store, directoryId, scimUrl }: GroupContext, group: Group): Promise<Json[]> {
  const members: Json[] = []
  for await (const member of membersOfGroup(store, directoryId, group.id)) {
    members.push(JSON.parse(memberRepresentation(member, scimUrl)))
  }
  return members
}
