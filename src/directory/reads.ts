import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { DirectoryScope } from './directory.ts'
import { scimPath } from './directory-view.ts'
import { DirectoryError } from './errors.ts'
import type { Group, Member } from './group.ts'
import { groupViewText } from './group.ts'
import { allMembers, membersOfGroup } from './group-members.ts'
import { GroupListingInput, ListingInput, OneGroupInput, parseInput, UserListingInput } from './inputs.ts'
import type { Static } from './json-schema.ts'
import type { Paging, RowPage, RowSource } from './listing.ts'
import { allRows, parseListing, parseScope, readRows, scopeOf } from './listing.ts'
import type { NamedRows } from './name-search.ts'
import { searchByName } from './name-search.ts'
import { groupReferencesText } from './references.ts'
import type { DirectoryReads, InDirectory, ListedDirectory, UserEquality } from './store.ts'
import { userViewOf, userViewText } from './user.ts'

/** A listing: one page, or all rows one after the other. Rows are JSON text. */
export type Listing = RowPage<string> | AsyncIterable<string>

/** Whether a listing is one page. */
export function isPage(listing: Listing): listing is RowPage<string> {
  return 'rows' in listing
}

/** The reads of the product's API: users, groups and members of the directories in a scope. */
export type Reads = ReturnType<typeof createReads>

/** Creates the reads of the product's API. Queries have the API's field names and are validated here. */
export function createReads(store: DirectoryReads, externalUrl: () => string) {
  return { ...createUserReads(store, externalUrl), ...createGroupReads(store) }
}

function createUserReads(store: DirectoryReads, externalUrl: () => string) {
  const all = userRows(store)
  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async users(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(UserListingInput, query)
      if (fields.search !== undefined)
        return searchByName(await searchedDirectory(store, part, fields), userNames(store), fields.search, part.paging)
      const wanted = userEqualities(fields)
      return list(store, part, wanted.length === 0 ? all : foundUserRows(store, wanted))
    },
    /**
     * A user, whose `raw` has its `groups` as over SCIM.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async user(id: string, query: unknown): Promise<JsonText<JsonObject>> {
      const scope = parseScope(query)
      const { directory, found } = await find(store, scope, () => store.findUserInScope(scope, id))
      if (found.groups.length === 0) return userViewText(found)
      const references = groupReferencesText(found.groups, `${externalUrl()}${scimPath(directory.id)}`)
      const raw = `${found.raw.slice(0, -1)},"groups":${references}}` as JsonText<JsonObject>
      return userViewText({ ...found, raw })
    },
  }
}

function createGroupReads(store: DirectoryReads) {
  const all = groupRows(store)
  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async groups(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(GroupListingInput, query)
      if (fields.search !== undefined)
        return searchByName(await searchedDirectory(store, part, fields), groupNames(store), fields.search, part.paging)
      return list(store, part, fields.name === undefined ? all : foundGroupRows(store, fields.name))
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
        return groupText((await find(store, scope, () => store.findGroupInScope(scope, id))).found, [])
      const { directory, found } = await find(store, scope, () => store.findGroupWithMembersInScope(scope, id))
      const members = allMembers(store, directory.id, id, found.members)
      if ('length' in members) return groupText(found.group, members)
      return groupPieces(found.group, members, membersOfGroup(store, directory.id, id))
    },
    /**
     * The users in a group as `{user_id}`, without nested groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async members(id: string, query: unknown): Promise<Listing> {
      const { scope, paging } = parseListing(ListingInput, query)
      const { directory } = await find(store, scope, () => store.findGroupInScope(scope, id))
      if (paging === undefined) return memberTexts(membersOfGroup(store, directory.id, id))
      const source: RowSource<Member> = {
        count: async () => maxMembers,
        list: (directoryId, part) => store.listMembers(directoryId, id, part),
      }
      const { rows, pageToken } = await readRows([directory], source, paging)
      return { rows: rows.filter(isUser).map(memberText), pageToken }
    },
  }
}

/** The rows of a list of the store, as JSON text. */
function textRows<T>(
  count: RowSource<T>['count'],
  list: RowSource<T>['list'],
  textOf: (item: T) => string,
): RowSource<string> {
  return {
    count,
    async list(directoryId, part) {
      const rows = await list(directoryId, part)
      return rows.map(({ position, item }) => ({ position, item: textOf(item) }))
    },
  }
}

function userRows(store: DirectoryReads): RowSource<string> {
  return textRows(
    (id) => store.countUsers(id),
    (id, part) => store.listUsers(id, part),
    userViewText,
  )
}

function userEqualities({ email, user_name: userName }: Static<typeof UserListingInput>): UserEquality[] {
  const byEmail: UserEquality[] = email === undefined ? [] : [{ attribute: 'email', value: email }]
  const byName: UserEquality[] = userName === undefined ? [] : [{ attribute: 'userName', value: userName }]
  return [...byName, ...byEmail]
}

/** The users that meet every equality. */
function foundUserRows(store: DirectoryReads, equalities: readonly UserEquality[]): RowSource<string> {
  return textRows(
    (id) => store.countFoundUsers(id, equalities),
    (id, part) => store.findUsers(id, equalities, part),
    (user) => userViewText(userViewOf(user)),
  )
}

/** The groups of a name. */
function foundGroupRows(store: DirectoryReads, name: string): RowSource<string> {
  const equalities = [{ attribute: 'displayName', value: name }] as const
  return textRows(
    (id) => store.countFoundGroups(id, equalities),
    (id, part) => store.findGroups(id, equalities, part),
    groupViewText,
  )
}

function groupRows(store: DirectoryReads): RowSource<string> {
  return textRows(
    (id) => store.countGroups(id),
    (id, part) => store.listGroups(id, part),
    groupViewText,
  )
}

/**
 * The directories of a scope in creation order.
 *
 * @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain
 */
async function directoriesIn(
  store: DirectoryReads,
  scope: DirectoryScope,
): Promise<AsyncIterable<ListedDirectory> | readonly ListedDirectory[]> {
  if (scope.directoryId === undefined) return directoriesOfTenant(store, scope)
  const directories = await store.listDirectoriesInScope(scope, { limit: 1 })
  if (directories.length > 0) return directories
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

const directoriesPerRead = 100

async function* directoriesOfTenant(store: DirectoryReads, scope: DirectoryScope): AsyncGenerator<ListedDirectory> {
  let after: ListedDirectory | undefined
  do {
    const part: ListedDirectory[] = await store.listDirectoriesInScope(scope, { after, limit: directoriesPerRead })
    yield* part
    after = part[directoriesPerRead - 1]
  } while (after !== undefined)
}

/**
 * The directory to search in.
 *
 * @throws DirectoryError `invalid-input` when none is named, or when the query has another condition; `directory-not-found`
 */
async function searchedDirectory(
  store: DirectoryReads,
  { scope }: RequestedPart,
  fields: SearchFields,
): Promise<string> {
  const others = [fields.email, fields.user_name, fields.name].some((value) => value !== undefined)
  if (scope.directoryId === undefined || others) {
    throw new DirectoryError('invalid-input', 'search: send it with directoryId, and without another condition.')
  }
  await directoriesIn(store, scope)
  return scope.directoryId
}

interface SearchFields {
  readonly email?: string
  readonly user_name?: string
  readonly name?: string
}

const userNames =
  (store: DirectoryReads): NamedRows =>
  async (directoryId, part) => {
    const rows = await store.listUsersByName(directoryId, part)
    return rows.map(({ item, position }) => ({ position, item: userViewText(item) }))
  }

const groupNames =
  (store: DirectoryReads): NamedRows =>
  async (directoryId, part) => {
    const rows = await store.listGroupsByName(directoryId, part)
    return rows.map(({ item, position }) => ({ position, item: groupViewText(item) }))
  }

interface RequestedPart {
  readonly scope: DirectoryScope
  readonly paging: Paging
}

async function list(
  store: DirectoryReads,
  { scope, paging }: RequestedPart,
  source: RowSource<string>,
): Promise<Listing> {
  const directories = await directoriesIn(store, scope)
  return paging === undefined ? allRows(directories, source) : readRows(directories, source, paging)
}

/** Looks a resource up in the directories of the scope. */
async function find<T>(
  store: DirectoryReads,
  scope: DirectoryScope,
  lookUp: () => Promise<InDirectory<T> | undefined>,
): Promise<InDirectory<T>> {
  const found = await lookUp()
  if (found !== undefined) return found
  await directoriesIn(store, scope)
  throw new DirectoryError('resource-not-found', 'There is no such resource in this scope.')
}

/** More than a group can have: a listing of members reads one directory, which must not be skipped. */
const maxMembers = Number.MAX_SAFE_INTEGER

const isUser = ({ memberType }: Member): boolean => memberType === 'User'
const memberText = ({ id }: Member): string => `{"user_id":${JSON.stringify(id)}}`

async function* memberTexts(parts: AsyncIterable<readonly Member[]>): AsyncGenerator<string, void, undefined> {
  for await (const members of parts) yield* members.filter(isUser).map(memberText)
}

function groupText(group: Group, members: readonly Member[]): string {
  const memberships = members.filter(isUser).map(membershipOf(group))
  return `${beforeMembers(group)}${members.map(memberValue).join(',')}${betweenMembers}${memberships.join(',')}]}`
}

async function* groupPieces(
  group: Group,
  parts: AsyncIterable<readonly Member[]>,
  again: AsyncIterable<readonly Member[]>,
): AsyncGenerator<string, void, undefined> {
  const membership = membershipOf(group)
  yield beforeMembers(group)
  yield* joined(parts, (members) => members.map(memberValue))
  yield betweenMembers
  yield* joined(again, (members) => members.filter(isUser).map(membership))
  yield ']}'
}

async function* joined(parts: AsyncIterable<readonly Member[]>, textsOf: (members: readonly Member[]) => string[]) {
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

function membershipOf(group: Group): (member: Member) => string {
  const groupId = JSON.stringify(group.id)
  return ({ id }) => `{"group_id":${groupId},"user_id":${JSON.stringify(id)}}`
}
