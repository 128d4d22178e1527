import type { Complete } from '../directory/abridged.ts'
import { abridge, completeInParts, isComplete } from '../directory/abridged.ts'
import { isOfProduct } from '../directory/directory.ts'
import type { ListedGroup, MemberId } from '../directory/directory-store.ts'
import type { Group, Member } from '../directory/group.ts'
import { groupViewText } from '../directory/group.ts'
import { allMembers, memberIdsOfGroup } from '../directory/group-members.ts'
import { GroupListingInput, MemberListingInput, OneGroupInput, parseInput } from '../directory/inputs.ts'
import { searchText, termsOf } from '../directory/search-terms.ts'
import type { User } from '../directory/user.ts'
import { userViewText } from '../directory/user.ts'
import type { Equality } from '../scim/filter/narrow.ts'
import { fold } from '../scim/fold.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { timeOf } from './conditions.ts'
import type { RowSource } from './directory-walk.ts'
import { walkDirectories } from './directory-walk.ts'
import { walkMembers, walkOfIds, walkTerms } from './id-walks.ts'
import type { Listing } from './page.ts'
import { parseListing, scopeOf } from './paging.ts'
import { foundIn, ownerOfGroup, scopeOfOne } from './scope.ts'
import type { RowsOwner } from './shown-fields.ts'
import { shownFieldsText } from './shown-fields.ts'
import type { ReadsContext } from './users.ts'
import type { WalkedList } from './walk.ts'
import { listWalk } from './walk.ts'

/** The reads of groups and their members. */
export function createGroupReads({ store, slices }: ReadsContext) {
  /** Listed groups as JSON, in parts if some of them have to be read. */
  function jsonOf(owner: RowsOwner, groups: readonly ListedGroup[]): JsonItems {
    return groups.every(isComplete) ? groups.map((group) => shownGroup(group, owner)) : readJson(owner, groups)
  }

  async function* readJson(owner: RowsOwner, groups: readonly ListedGroup[]) {
    const read = (id: string) => store.getGroup(owner.directoryId, id)
    for await (const part of completeInParts(groups, read, slices)) yield part.map((group) => shownGroup(group, owner))
  }

  /** The groups that meet all equalities. */
  const groupsThat = (where: readonly Equality[]): RowSource<ListedGroup> => ({
    kind: 'group',
    list: (directoryId, from, limit, within) => store.listGroups(directoryId, { where, from, limit, within }),
    count: (directoryId) => store.countGroups(directoryId, where),
  })

  const groupsChanged = (since: number): RowSource<ListedGroup> => ({
    kind: 'group',
    since,
    list: (directoryId, from, limit, within) =>
      store.listGroups(directoryId, { order: 'updated', from, limit, within }),
  })

  async function readByIds(directoryId: string, ids: readonly string[]): Promise<Map<string, ListedGroup>> {
    const groups = [...(await store.getGroups(directoryId, ids)).values()]
    return new Map(groups.map((group) => [group.id, abridge(group)]))
  }

  /** Members with their users, a few at a time, as users can be large. */
  async function* withUsers(owner: RowsOwner, members: readonly MemberId[]) {
    const ids = members.filter(isUser).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += usersPerRead) {
      const some = ids.slice(start, start + usersPerRead)
      const users = await store.getUsers(owner.directoryId, some)
      yield some.flatMap((id) => users.get(id) ?? []).map((user) => memberWithUserText(user, owner))
    }
  }

  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async groups(query: unknown): Promise<Listing> {
      const { fields, scope, paging } = parseListing(GroupListingInput, query)
      const { name, search, updated_since } = fields
      const since = updated_since === undefined ? undefined : timeOf(updated_since)
      const isAnswered = search === undefined && since === undefined
      const keep: WalkedList<ListedGroup>['keep'] = async (rows) =>
        rows.filter(({ item }) => groupMeets({ name, search, since }, item))
      const byTerm = (text: string, isWhole: boolean) => {
        const terms = walkTerms(store, scope, { kind: 'group', text, isWhole })
        return listWalk(
          walkOfIds(terms, (id) => id, readByIds),
          { jsonOf, keep },
          paging,
        )
      }
      if (name !== undefined) {
        if (isOfProduct(scope)) return byTerm(name, true)
      } else if (search !== undefined) return byTerm(search, false)
      else if (since !== undefined)
        return listWalk(walkDirectories(store, scope, groupsChanged(since)), { jsonOf, keep }, paging)
      const where = name === undefined ? [] : [{ attribute: 'displayName', value: name } as const]
      const walk = walkDirectories(store, scope, groupsThat(where))
      return listWalk(walk, { jsonOf, keep: isAnswered ? undefined : keep }, paging)
    },
    /**
     * A group as JSON with `members: [{group_id, user_id}]`, and `members: [{value, display}]` in its `raw`, in pieces when it has
     * many members. With `members: 'false'`, both are empty.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async group(id: string, query: unknown): Promise<JsonBody> {
      const { members: wanted, ...named } = parseInput(OneGroupInput, query)
      const { scope, tenant } = await scopeOfOne(store, scopeOf(named), 'group', id)
      if (wanted === 'false') {
        const { directory, found } = await foundIn(store, scope, await store.findGroupInScope(scope, id))
        return groupText({ ...found, owner: { directoryId: directory.id, tenant } }, [])
      }
      const { directory, found } = await foundIn(store, scope, await store.findGroupWithMembersInScope(scope, id))
      const group = { ...found.group, owner: { directoryId: directory.id, tenant } }
      const members = allMembers(store, directory.id, id, found.members)
      if ('length' in members) return groupText(group, members)
      return groupPieces(group, members, memberIdsOfGroup(store, directory.id, id))
    },
    /**
     * The users in a group as `{user_id}`, without nested groups. With `expand: 'user'`, each has its `user` as well, whose `raw`
     * has no groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async members(id: string, query: unknown): Promise<Listing> {
      const { scope, paging, fields } = parseListing(MemberListingInput, query)
      const owner = await ownerOfGroup(store, scope, id)
      const jsonOfMembers = fields.expand === 'user' ? withUsers : memberTexts
      return listWalk(walkMembers(store, owner, id), { jsonOf: jsonOfMembers }, paging)
    },
  }
}

/** The number of users that are read together for a list of members. */
const usersPerRead = 20

const isUser = ({ memberType }: MemberId): boolean => memberType === 'User'
const memberTexts = (_: RowsOwner, members: readonly MemberId[]): string[] =>
  members.filter(isUser).map(({ id }) => `{"user_id":${JSON.stringify(id)}}`)

const memberWithUserText = (user: User, owner: RowsOwner): string =>
  `{"user_id":${JSON.stringify(user.id)},"user":${userViewText(user, shownFieldsText(user, owner))}}`

/** A group and the directory that it is in. */
type OwnedGroup = Group & { readonly owner: RowsOwner }

const shownGroup = (group: Complete<ListedGroup>, owner: RowsOwner): string =>
  groupViewText(group, shownFieldsText(group, owner))

interface GroupConditions {
  readonly name: string | undefined
  readonly search: string | undefined
  /** Unix milliseconds. */
  readonly since: number | undefined
}

/** Returns whether a group meets conditions. Texts are compared as the indexes do. */
function groupMeets({ name, search, since }: GroupConditions, group: ListedGroup): boolean {
  if (since !== undefined && group.updatedAt < since) return false
  if (name !== undefined && fold(name) !== fold(group.name)) return false
  if (search === undefined) return true
  const wanted = searchText(search)
  return termsOf({ values: [], names: [group.name] }).some(({ term }) => term.startsWith(wanted))
}

function groupText(group: OwnedGroup, members: readonly Member[]): string {
  const memberships = members.filter(isUser).map(membershipOf(group))
  return `${beforeMembers(group)}${members.map(memberValue).join(',')}${betweenMembers}${memberships.join(',')}]}`
}

async function* groupPieces(
  group: OwnedGroup,
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
const beforeMembers = (group: OwnedGroup): string =>
  `${groupViewText(group, shownFieldsText(group, group.owner)).slice(0, -2)},"members":[`
const betweenMembers = ']},"members":['
const memberValue = ({ id, display }: Member): string => JSON.stringify({ value: id, display })

function membershipOf(group: Group): (member: MemberId) => string {
  const groupId = JSON.stringify(group.id)
  return ({ id }) => `{"group_id":${groupId},"user_id":${JSON.stringify(id)}}`
}
