import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { scimPath } from './directory-view.ts'
import { UserListingInput } from './inputs.ts'
import type { Static } from './json-schema.ts'
import type { InList } from './listed.ts'
import { isWhole } from './listed.ts'
import type { RowSource, RowText } from './listing.ts'
import { parseListing, parseScope, rowsOf } from './listing.ts'
import type { NamedRows } from './name-search.ts'
import { searchByName } from './name-search.ts'
import { groupReferencesText } from './references.ts'
import type { Listing, NamedSource } from './scoped-listing.ts'
import { foundIn, list, listNamed, searchedDirectory } from './scoped-listing.ts'
import type { DirectoryReads, UserEquality } from './store.ts'
import type { UserView } from './user.ts'
import { userViewOf, userViewText } from './user.ts'

/** The reads of users. */
export function createUserReads(store: DirectoryReads, externalUrl: () => string) {
  const source: NamedSource<InList<UserView>> = {
    count: (id) => store.countUsers(id),
    page: (scope, part) => store.pageOfUserViews(scope, part),
    read: (scope, part) => store.listUserViews(scope, part),
    textIn: (directoryId) => (user) => userRow(store, directoryId, user),
  }
  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async users(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(UserListingInput, query)
      if (fields.search !== undefined)
        return searchByName(await searchedDirectory(store, part, fields), userNames(store), fields.search, part.paging)
      const wanted = userEqualities(fields)
      if (wanted.length > 0) return list(store, part, foundUserRows(store, wanted))
      return listNamed(store, part, source)
    },
    /**
     * A user, whose `raw` has its `groups` as over SCIM.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async user(id: string, query: unknown): Promise<JsonText<JsonObject>> {
      const scope = parseScope(query)
      const { directory, found } = await foundIn(store, scope, await store.findUserInScope(scope, id))
      if (found.groups.length === 0) return userViewText(found)
      const references = groupReferencesText(found.groups, `${externalUrl()}${scimPath(directory.id)}`)
      const raw = `${found.raw.slice(0, -1)},"groups":${references}}` as JsonText<JsonObject>
      return userViewText({ ...found, raw })
    },
  }
}

function userEqualities({ email, user_name: userName }: Static<typeof UserListingInput>): UserEquality[] {
  const byEmail: UserEquality[] = email === undefined ? [] : [{ attribute: 'email', value: email }]
  const byName: UserEquality[] = userName === undefined ? [] : [{ attribute: 'userName', value: userName }]
  return [...byName, ...byEmail]
}

/** The users that meet every equality. */
function foundUserRows(store: DirectoryReads, equalities: readonly UserEquality[]): RowSource<RowText> {
  return {
    count: (id) => store.countFoundUsers(id, equalities),
    list: async (id, part) =>
      rowsOf(await store.findUsers(id, equalities, part), (user) =>
        isWhole(user) ? userViewText(userViewOf(user)) : readUserRow(store, id, user.id),
      ),
  }
}

function userRow(store: DirectoryReads, directoryId: string, user: InList<UserView>): RowText {
  return isWhole(user) ? userViewText(user) : readUserRow(store, directoryId, user.id)
}

function readUserRow(store: DirectoryReads, directoryId: string, id: string): RowText {
  return async () => {
    const user = await store.getUser(directoryId, id)
    return user && userViewText(user)
  }
}

const userNames =
  (store: DirectoryReads): NamedRows =>
  async (directoryId, part) =>
    rowsOf(await store.listUsersByName(directoryId, part), (user) => userRow(store, directoryId, user))
