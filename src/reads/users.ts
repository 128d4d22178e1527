import type { DirectoryReads, UserEquality } from '../directory/directory-store.ts'
import { scimPath } from '../directory/directory-view.ts'
import type { GroupReference } from '../directory/group.ts'
import { UserListingInput } from '../directory/inputs.ts'
import type { InList } from '../directory/listed.ts'
import { isWhole } from '../directory/listed.ts'
import { groupReferencesText, groupReferenceTexts } from '../directory/references.ts'
import type { UserView } from '../directory/user.ts'
import { userViewOf, userViewText } from '../directory/user.ts'
import type { UserGroups } from '../directory/user-groups.ts'
import { allGroups } from '../directory/user-groups.ts'
import type { Static } from '../inputs/json-schema.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { RowSource, RowText } from './listing.ts'
import { parseListing, parseScope, rowsOf } from './listing.ts'
import type { NamedRows } from './name-search.ts'
import { searchByName } from './name-search.ts'
import type { Listing, NamedSource } from './scoped-listing.ts'
import { foundIn, list, listNamed, searchedDirectory } from './scoped-listing.ts'

/** The reads of users. */
export function createUserReads(store: DirectoryReads, externalUrl: () => string) {
  const source: NamedSource<InList<UserView>> = {
    count: (id) => store.countUsers(id),
    page: (scope, part) => store.pageOfUserViews(scope, part),
    read: (scope, part) => store.listUserViews(scope, part),
    textIn: textsIn,
  }

  /** The text of a user with its groups, whose `$ref` is the address of the group over SCIM; in pieces when there are many. */
  function piecesOf(directoryId: string, user: UserView, groups: UserGroups): string | AsyncIterable<string> {
    const scimUrl = `${externalUrl()}${scimPath(directoryId)}`
    if (!('length' in groups)) return userPieces(user, groups, scimUrl)
    if (groups.length === 0) return userViewText(user)
    const raw = `${user.raw.slice(0, -1)},"groups":${groupReferencesText(groups, scimUrl)}}` as JsonText<JsonObject>
    return userViewText({ ...user, raw })
  }

  /** The same as one text. @param first the first groups of the user */
  async function textOf(directoryId: string, user: UserView, first: readonly GroupReference[]): Promise<string> {
    const text = piecesOf(directoryId, user, allGroups(store, directoryId, user.id, first))
    return typeof text === 'string' ? text : (await Array.fromAsync(text)).join('')
  }

  async function largeUser(directoryId: string, id: string): Promise<string | undefined> {
    const user = await store.findUserInScope({ directoryId }, id)
    return user && textOf(directoryId, user.found, user.found.groups)
  }

  /** The texts of users in the order of a list: the groups of several are read when the first of them is needed. */
  function textsIn(directoryId: string): (user: InList<UserView>) => RowText {
    let reads = createGroupReads(store, directoryId)
    return (user) => {
      if (!isWhole(user)) return () => largeUser(directoryId, user.id)
      if (reads.isFull()) reads = createGroupReads(store, directoryId)
      const groups = reads.of(user.id)
      return async () => textOf(directoryId, user, await groups())
    }
  }

  const named: NamedRows = async (directoryId, part) =>
    rowsOf(await store.listUsersByName(directoryId, part), textsIn(directoryId))

  /** The users that meet every equality. */
  const found = (equalities: readonly UserEquality[]): RowSource<RowText> => ({
    count: (id) => store.countFoundUsers(id, equalities),
    list: async (id, part) =>
      rowsOf(await store.findUsers(id, equalities, part), (user) =>
        isWhole(user) && user.groups !== undefined
          ? () => textOf(id, userViewOf(user), user.groups ?? [])
          : () => largeUser(id, user.id),
      ),
  })

  return {
    /** The `raw` of each has its `groups` as over SCIM. @throws DirectoryError `invalid-input`, `directory-not-found` */
    async users(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(UserListingInput, query)
      if (fields.search !== undefined)
        return searchByName(await searchedDirectory(store, part, fields), named, fields.search, part.paging)
      const wanted = userEqualities(fields)
      if (wanted.length > 0) return list(store, part, found(wanted))
      return listNamed(store, part, source)
    },
    /**
     * A user, whose `raw` has its `groups` as over SCIM: JSON text, in pieces when it is in many groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async user(id: string, query: unknown): Promise<string | AsyncIterable<string>> {
      const scope = parseScope(query)
      const { directory, found } = await foundIn(store, scope, await store.findUserInScope(scope, id))
      return piecesOf(directory.id, found, allGroups(store, directory.id, id, found.groups))
    },
  }
}

async function* userPieces(
  user: UserView,
  groups: AsyncIterable<readonly GroupReference[]>,
  scimUrl: string,
): AsyncGenerator<string, void, undefined> {
  yield `${userViewText(user).slice(0, -2)},"groups":[`
  let separator = ''
  for await (const part of groups) {
    yield separator + groupReferenceTexts(part, scimUrl)
    separator = ','
  }
  yield ']}}'
}

function userEqualities({ email, user_name: userName }: Static<typeof UserListingInput>): UserEquality[] {
  const byEmail: UserEquality[] = email === undefined ? [] : [{ attribute: 'email', value: email }]
  const byName: UserEquality[] = userName === undefined ? [] : [{ attribute: 'userName', value: userName }]
  return [...byName, ...byEmail]
}

/** The groups of so many users are read at a time: a user may be in thousands. */
const usersPerRead = 50

/** Reads the groups of users, all at once when those of the first are needed. They are held until those of the last were. */
function createGroupReads(store: Pick<DirectoryReads, 'groupsOfUsers'>, directoryId: string) {
  const ids: string[] = []
  let taken = 0
  let reading: ReturnType<DirectoryReads['groupsOfUsers']> | undefined
  return {
    isFull: () => ids.length === usersPerRead,
    of(id: string): () => Promise<readonly GroupReference[]> {
      ids.push(id)
      return async () => {
        reading ??= store.groupsOfUsers(directoryId, ids)
        const groups = await reading
        taken += 1
        if (taken === ids.length) reading = undefined
        return groups.get(id) ?? []
      }
    },
  }
}
