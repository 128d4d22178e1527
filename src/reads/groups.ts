import type { DirectoryReads, MemberId } from '../directory/directory-store.ts'
import type { Group, GroupView, Member } from '../directory/group.ts'
import { groupViewText } from '../directory/group.ts'
import { allMembers, memberIdsOfGroup } from '../directory/group-members.ts'
import { GroupListingInput, ListingInput, OneGroupInput, parseInput } from '../directory/inputs.ts'
import type { InList } from '../directory/listed.ts'
import { isWhole } from '../directory/listed.ts'
import type { RowSource, RowText } from './listing.ts'
import { parseListing, readRowToken, rowPage, rowsOf, scopeOf } from './listing.ts'
import type { NamedRows } from './name-search.ts'
import { searchByName } from './name-search.ts'
import type { Listing, NamedSource } from './scoped-listing.ts'
import { foundIn, list, listNamed, searchedDirectory } from './scoped-listing.ts'

/** The reads of groups and their members. */
export function createGroupReads(store: DirectoryReads) {
  const source: NamedSource<InList<GroupView>> = {
    count: (id) => store.countGroups(id),
    page: (scope, part) => store.pageOfGroupViews(scope, part),
    read: (scope, part) => store.listGroupViews(scope, part),
    textIn: (directoryId) => (group) => groupRow(store, directoryId, group),
  }
  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async groups(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(GroupListingInput, query)
      if (fields.search !== undefined)
        return searchByName(await searchedDirectory(store, part, fields), groupNames(store), fields.search, part.paging)
      if (fields.name !== undefined) return list(store, part, foundGroupRows(store, fields.name))
      return listNamed(store, part, source)
    },
    /**
     * A group with `members: [{group_id, user_id}]`, and `members: [{value, display}]` in its `raw`: JSON text, in pieces when
     * it has many members. With `members: 'false'`, both are empty.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async group(id: string, query: unknown): Promise<string | AsyncIterable<string>> {
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
     * The users in a group as `{user_id}`, without nested groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async members(id: string, query: unknown): Promise<Listing> {
      const { scope, paging } = parseListing(ListingInput, query)
      if (paging === undefined) {
        const { directory } = await foundIn(store, scope, await store.findGroupInScope(scope, id))
        return memberTexts(memberIdsOfGroup(store, directory.id, id))
      }
      const from = 'token' in paging ? readRowToken(paging.token).position : paging.offset
      const part = { from, limit: paging.limit + 1 }
      const { directory, found } = await foundIn(store, scope, await store.listMemberIds(scope, id, part))
      const { rows, pageToken } = rowPage(found, paging.limit, () => directory)
      return { rows: rows.filter(isUser).map(memberText), pageToken }
    },
  }
}

/** The groups of a name. */
function foundGroupRows(store: DirectoryReads, name: string): RowSource<RowText> {
  const equalities = [{ attribute: 'displayName', value: name }] as const
  return {
    count: (id) => store.countFoundGroups(id, equalities),
    list: async (id, part) =>
      rowsOf(await store.findGroups(id, equalities, part), (group) => groupRow(store, id, group)),
  }
}

const groupNames =
  (store: DirectoryReads): NamedRows =>
  async (directoryId, part) =>
    rowsOf(await store.listGroupsByName(directoryId, part), (group) => groupRow(store, directoryId, group))

function groupRow(store: DirectoryReads, directoryId: string, group: InList<GroupView>): RowText {
  if (isWhole(group)) return groupViewText(group)
  return async () => {
    const found = await store.getGroup(directoryId, group.id)
    return found && groupViewText(found)
  }
}

const isUser = ({ memberType }: MemberId): boolean => memberType === 'User'
const memberText = ({ id }: MemberId): string => `{"user_id":${JSON.stringify(id)}}`

async function* memberTexts(parts: AsyncIterable<readonly MemberId[]>): AsyncGenerator<string, void, undefined> {
  for await (const members of parts) yield* members.filter(isUser).map(memberText)
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

/** The members of `raw` go behind this, then those of the view behind `betweenMembers`. */
const beforeMembers = (group: Group): string => `${groupViewText(group).slice(0, -2)},"members":[`
const betweenMembers = ']},"members":['
const memberValue = ({ id, display }: Member): string => JSON.stringify({ value: id, display })

function membershipOf(group: Group): (member: MemberId) => string {
  const groupId = JSON.stringify(group.id)
  return ({ id }) => `{"group_id":${groupId},"user_id":${JSON.stringify(id)}}`
}
