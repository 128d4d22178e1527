import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Complete } from '../directory/abridged.ts'
import { isComplete } from '../directory/abridged.ts'
import type { DirectoryReads, ListedUser, UserEquality } from '../directory/directory-store.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { GroupReference } from '../directory/group.ts'
import { UserListingInput } from '../directory/inputs.ts'
import { completeUsers } from '../directory/listed-users.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import { groupReferencesText, groupReferenceTexts } from '../directory/references.ts'
import type { SearchStore } from '../directory/search-store.ts'
import type { UserView } from '../directory/user.ts'
import { userViewText } from '../directory/user.ts'
import type { UserGroups } from '../directory/user-groups.ts'
import { allGroups } from '../directory/user-groups.ts'
import type { Static } from '../inputs/json-schema.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { Listing, ListingSource } from './listing.ts'
import { foundIn, listRows, searchedDirectory } from './listing.ts'
import type { NameSource } from './name-search.ts'
import { searchByName } from './name-search.ts'
import { parseListing, parseScope } from './paging.ts'

/** The parts that the reads of the product's API use. */
export interface ReadsContext {
  readonly store: DirectoryReads & SearchStore
  /** The time slices of the process, in which long lists are made in parts. */
  readonly slices: TimeSlices
  readonly externalUrl: () => string
}

/** The reads of users. Each user's `raw` has its `groups` as over SCIM. */
export function createUserReads({ store, slices, externalUrl }: ReadsContext) {
  const scimUrlOf = (directoryId: string) => `${externalUrl()}${scimPath(directoryId)}`

  /** Listed users as JSON, in parts if something has to be read for them. */
  function jsonOf(directoryId: string, users: readonly ListedUser[]): JsonItems {
    if (!users.every(isReady)) return readJson(directoryId, users)
    const [scimUrl, known] = [scimUrlOf(directoryId), new Map()]
    return users.map((user) => userJson(user, user.groups, scimUrl, known))
  }

  async function* readJson(directoryId: string, users: readonly ListedUser[]) {
    const [scimUrl, known] = [scimUrlOf(directoryId), new Map()]
    for await (const part of completeUsers({ store, directoryId, slices }, users, true))
      yield part.map(({ user, groups }) => userJson(user, groups, scimUrl, known))
  }

  const all: ListingSource<ListedUser> = {
    inScope: (scope, part) => store.listUsersInScope(scope, part),
    list: async (directoryId, part) => (await store.listUsersInScope({ directoryId }, part))?.found ?? [],
    count: (directoryId) => store.countUsers(directoryId),
    jsonOf,
  }

  /** The users that meet all equalities. */
  const found = (equalities: readonly UserEquality[]): ListingSource<ListedUser> => ({
    list: (directoryId, part) => store.findUsers(directoryId, equalities, part),
    count: (directoryId) => store.countFoundUsers(directoryId, equalities),
    jsonOf,
  })

  /** @throws DirectoryError `invalid-input`: users are looked up by role alone */
  function withRole(role: string, { email, user_name, search }: Static<typeof UserListingInput>) {
    if (email !== undefined || user_name !== undefined || search !== undefined) {
      throw new DirectoryError('invalid-input', 'role: leave out email, user_name and search.')
    }
    const source: ListingSource<ListedUser> = {
      list: (directoryId, part) => store.listUsersWithRole(directoryId, role, part),
      count: (directoryId) => store.countUsersWithRole(directoryId, role),
      jsonOf,
    }
    return source
  }

  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found` */
    async users(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(UserListingInput, query)
      if (fields.role !== undefined) return listRows(store, part, withRole(fields.role, fields))
      if (fields.search !== undefined) {
        const directoryId = await searchedDirectory(store, part, fields)
        const named: NameSource<ListedUser> = {
          listByName: (names) => store.listUsersByName(directoryId, names),
          jsonOf: (users) => jsonOf(directoryId, users),
        }
        return searchByName(named, fields.search, part.paging)
      }
      const wanted = userEqualities(fields)
      return listRows(store, part, wanted.length === 0 ? all : found(wanted))
    },
    /**
     * A user as JSON, in pieces when it is in many groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async user(id: string, query: unknown): Promise<JsonBody> {
      const scope = parseScope(query)
      const { directory, found } = await foundIn(store, scope, await store.findUserInScope(scope, id))
      return userJson(found, allGroups(store, directory.id, id, found.groups), scimUrlOf(directory.id))
    },
  }
}

/** Whether a listed user can be shown without a further read. */
function isReady(user: ListedUser): user is Complete<ListedUser> & { readonly groups: readonly GroupReference[] } {
  return isComplete(user) && user.groups !== undefined
}

/**
 * A user with its groups, whose `$ref` is the SCIM address of the group; in pieces when there are many.
 *
 * @param known cache of the text of each group
 */
function userJson(user: UserView, groups: UserGroups, scimUrl: string, known?: ReferenceTexts): JsonBody {
  if (!('length' in groups)) return userPieces(user, groups, scimUrl)
  if (groups.length === 0) return userViewText(user)
  const references = groupReferencesText(groups, scimUrl, known)
  const raw = `${user.raw.slice(0, -1)},"groups":${references}}` as JsonText<JsonObject>
  return userViewText({ ...user, raw })
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
