import type { GroupReference } from '../directory/group.ts'
import { parsed, userRepresentation } from '../directory/representation.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { DirectoryReads, FoundUser } from '../directory/store.ts'
import type { Projection } from '../scim/projection.ts'
import { includesAttribute, project } from '../scim/projection.ts'
import { userType } from '../scim/schema/resource-type.ts'
import type { Computed, Evaluable, ListSource } from './search/source.ts'

/** Where users are read from and how their addresses begin. */
export interface UserContext {
  readonly store: DirectoryReads
  readonly directoryId: string
  readonly scimUrl: string
}

/** A user of a list; one that was looked up has its groups. */
export type SearchedUser = StoredResource & Partial<Pick<FoundUser, 'groups'>>

/** The users of a directory, to be searched. */
export function userSource(context: UserContext): ListSource<SearchedUser> {
  const { store, directoryId, scimUrl } = context
  return {
    resourceType: userType,
    count: () => store.countUsers(directoryId),
    list: (part) => store.listUsers(directoryId, part),
    listByName: (part) => store.listUsersByName(directoryId, part),
    find: (equalities, part) => store.findUsers(directoryId, equalities, part),
    countFound: (equalities) => store.countFoundUsers(directoryId, equalities),
    get: (id) => store.getUserWithGroups(directoryId, id),
    evaluable: (users, computed) => evaluable(context, users, computed),
    async bodies(users, projection) {
      const groups = await groupsOf(context, users, projection)
      return users.map((user, index) => userBody(user, groups[index] ?? [], projection, scimUrl).body)
    },
  }
}

async function* evaluable(
  context: UserContext,
  users: readonly SearchedUser[],
  computed: ReadonlySet<Computed>,
): AsyncGenerator<Evaluable, void, undefined> {
  const groups = computed.has('groups') ? await groupsOf(context, users, undefined) : []
  for (const [index, user] of users.entries()) {
    const text = computed.size === 0 ? user.raw : userRepresentation(user, groups[index] ?? [], context.scimUrl).text
    yield { resource: parsed(text), size: text.length }
  }
}

/** The groups of each user, in the users' order; empty when the answer does not show them. */
export async function groupsOf(
  { store, directoryId }: UserContext,
  users: readonly SearchedUser[],
  projection: Projection | undefined,
): Promise<(readonly GroupReference[])[]> {
  if (!includesAttribute(projection, 'groups')) return []
  const unknown = users.flatMap(({ id, groups }) => (groups === undefined ? [id] : []))
  const byUser =
    unknown.length === 0 ? new Map<string, GroupReference[]>() : await store.groupsOfUsers(directoryId, unknown)
  return users.map(({ id, groups }) => groups ?? byUser.get(id) ?? [])
}

/** A user as its answer shows it, with the entity tag of that. */
export function userBody(
  user: StoredResource,
  groups: readonly GroupReference[],
  projection: Projection | undefined,
  scimUrl: string,
): { readonly body: string; readonly tag: string } {
  const { text, tag } = userRepresentation(user, groups, scimUrl)
  return { body: projection === undefined ? text : JSON.stringify(project(parsed(text), projection, userType)), tag }
}
