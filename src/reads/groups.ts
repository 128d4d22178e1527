import { completeInParts, isComplete } from '../directory/abridged.ts'
import type { ListedGroup, MemberId } from '../directory/directory-store.ts'
import type { Group, Member } from '../directory/group.ts'
import { groupViewText } from '../directory/group.ts'
import { allMembers, memberIdsOfGroup } from '../directory/group-members.ts'
import { GroupListingInput, MemberListingInput, OneGroupInput, parseInput } from '../directory/inputs.ts'
import type { User } from '../directory/user.ts'
import { userViewText } from '../directory/user.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import type { Listing, ListingSource } from './listing.ts'
import { foundIn, listRows, searchedDirectory } from './listing.ts'
import type { NameSource } from './name-search.ts'
import { searchByName } from './name-search.ts'
import { readRowToken, rowToken } from './page-token.ts'
import { parseListing, scopeOf } from './paging.ts'
import type { ReadsContext } from './users.ts'

/** The reads of groups and their members. */
export function createGroupReads({ store, slices }: ReadsContext) {
  /** Listed groups as JSON, in parts if some of them have to be read. */
  function jsonOf(directoryId: string, groups: readonly ListedGroup[]): JsonItems {
    return groups.every(isComplete) ? groups.map(groupViewText) : readJson(directoryId, groups)
  }

  async function* readJson(directoryId: string, groups: readonly ListedGroup[]) {
    const read = (id: string) => store.getGroup(directoryId, id)
    for await (const part of completeInParts(groups, read, slices)) yield part.map(groupViewText)
  }

  const all: ListingSource<ListedGroup> = {
    inScope: (scope, part) => store.listGroupsInScope(scope, part),
    list: (directoryId, part) => store.listGroups(directoryId, part),
    count: (directoryId) => store.countGroups(directoryId),
    jsonOf,
  }

  /** The groups with a name. */
  const named = (name: string): ListingSource<ListedGroup> => {
    const equalities = [{ attribute: 'displayName', value: name }] as const
    return {
      list: (directoryId, part) => store.findGroups(directoryId, equalities, part),
      count: (directoryId) => store.countFoundGroups(directoryId, equalities),
      jsonOf,
    }
  }

  /** Members with their users, a few at a time, as users can be large. */
  async function* withUsers(parts: MemberParts, directoryId: string) {
    for await (const members of parts) {
      const ids = members.filter(isUser).map(({ id }) => id)
      for (let start = 0; start < ids.length; start += usersPerRead) {
        const some = ids.slice(start, start + usersPerRead)
        const users = await store.getUsers(directoryId, some)
        yield some.flatMap((id) => users.get(id) ?? []).map(memberWithUserText)
      }
    }
  }

  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async groups(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(GroupListingInput, query)
      if (fields.search !== undefined) {
        const directoryId = await searchedDirectory(store, part, fields)
        const names: NameSource<ListedGroup> = {
          listByName: (names) => store.listGroupsByName(directoryId, names),
          jsonOf: (groups) => jsonOf(directoryId, groups),
        }
        return searchByName(names, fields.search, part.paging)
      }
      return listRows(store, part, fields.name === undefined ? all : named(fields.name))
    },
    /**
     * A group as JSON with `members: [{group_id, user_id}]`, and `members: [{value, display}]` in its `raw`, in pieces when it has
     * many members. With `members: 'false'`, both are empty.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async group(id: string, query: unknown): Promise<JsonBody> {
      const { members: wanted, ...named } = parseInput(OneGroupInput, query)
      const scope = scopeOf(named)
      if (wanted === 'false')
        return groupText((await foundIn(store, scope, await store.findGroupInScope(scope, id))).found, [])
      const { directory, found } = await foundIn(store, scope, await store.findGroupWithMembersInScope(scope, id))
      const members = allMembers(store, directory.id, id, found.members)
      if ('length' in members) return groupText(found.group, members)
      return groupPieces(found.group, members, memberIdsOfGroup(store, directory.id, id))
    },
    /**
     * The users in a group as `{user_id}`, without nested groups. With `expand: 'user'`, each has its `user` as well, whose `raw`
     * has no groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async members(id: string, query: unknown): Promise<Listing> {
      const { scope, paging, fields } = parseListing(MemberListingInput, query)
      const isExpanded = fields.expand === 'user'
      if (paging === undefined) {
        const { directory } = await foundIn(store, scope, await store.findGroupInScope(scope, id))
        const parts = memberIdsOfGroup(store, directory.id, id)
        return { rows: isExpanded ? withUsers(parts, directory.id) : memberTexts(parts) }
      }
      const from = 'token' in paging ? readRowToken(paging.token).position : paging.offset
      const { limit } = paging
      const found = await store.listMemberIds(scope, id, { from, limit: limit + 1 })
      const { directory, found: members } = await foundIn(store, scope, found)
      const last = members.length > limit ? members[limit - 1] : undefined
      const shown = members.slice(0, limit).map(({ item }) => item)
      return {
        rows: isExpanded ? withUsers([shown], directory.id) : shown.filter(isUser).map(memberText),
        pageToken: last && rowToken({ directory, position: last.position }),
      }
    },
  }
}

/** The number of users that are read together for a list of members. */
const usersPerRead = 20

type MemberParts = AsyncIterable<readonly MemberId[]> | Iterable<readonly MemberId[]>

const isUser = ({ memberType }: MemberId): boolean => memberType === 'User'
const memberText = ({ id }: MemberId): string => `{"user_id":${JSON.stringify(id)}}`

const memberWithUserText = (user: User): string => `{"user_id":${JSON.stringify(user.id)},"user":${userViewText(user)}}`

async function* memberTexts(parts: AsyncIterable<readonly MemberId[]>) {
  for await (const members of parts) yield members.filter(isUser).map(memberText)
}

function groupText(group: Group, members: readonly Member[]): string {
  const memberships = members.filter(isUser).map(membershipOf(group))
  return `${beforeMembers(group)}${members.map(memberValue).join(',')}${betweenMembers}${memberships.join(',')}]}`
}

async function* groupPieces(
  group: Group,
  parts: AsyncIterable<readonly Member[]>,
  again: AsyncIterable<readonly MemberId[]>,
): AsyncGenerator<string, void, undefined> {
  const membership = membershipOf(group)
  yield beforeMembers(group)
  yield* joined(parts, (members) => members.map(memberValue))
  yield betweenMembers
  yield* joined(again, (members) => members.filter(isUser).map(membership))
  yield ']}'
}

async function* joined<T>(parts: AsyncIterable<readonly T[]>, textsOf: (members: readonly T[]) => string[]) {
  let separator = ''
  for await (const members of parts) {
    const texts = textsOf(members)
    if (texts.length === 0) continue
    yield separator + texts.join(',')
    separator = ','
  }
}

/** The JSON text before the members of `raw`; the members of the view follow after `betweenMembers`. */
const beforeMembers = (group: Group): string => `${groupViewText(group).slice(0, -2)},"members":[`
const betweenMembers = ']},"members":['
const memberValue = ({ id, display }: Member): string => JSON.stringify({ value: id, display })

function membershipOf(group: Group): (member: MemberId) => string {
  const groupId = JSON.stringify(group.id)
  return ({ id }) => `{"group_id":${groupId},"user_id":${JSON.stringify(id)}}`
}
