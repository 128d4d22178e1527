import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { FakeUser } from '../model/items.ts'
import { domainOf } from '../model/items.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { checkNames, checkScope, listKey, readMaxResults, sortByText } from './context.ts'
import { ApiError } from './errors.ts'
import { etagOf, pageView } from './listing.ts'

/** users.list: all users of the customer or of a domain, sorted by address. */
export function listUsers(context: ApiContext, call: ApiCall): JsonObject {
  const { query } = call.request
  checkNames(query, ['customer', 'domain', 'maxResults', 'pageToken', 'projection'])
  checkScope(context.state, query)
  const list = listKey('users', query)
  return pageView(context, call, {
    kind: 'admin#directory#users',
    itemsName: 'users',
    list,
    items: context.ordered(list, () => usersOf(context, query)),
    show: (user) => userView(context, user),
    pageSize: readMaxResults(query, { most: 500, tooMany: 'refused' }),
  })
}

/** users.get by id, address or alias. */
export function getUser(context: ApiContext, { request }: ApiCall): JsonObject {
  checkNames(request.query, ['projection'])
  const { users, addresses } = context.state
  const key = request.userKey ?? ''
  const user = users.get(key) ?? users.get(addresses.ownerOf(key) ?? '')
  if (user === undefined) throw new ApiError('user-not-found')
  return userView(context, user)
}

function usersOf({ state }: ApiContext, query: URLSearchParams): FakeUser[] {
  const domain = query.get('domain')?.toLowerCase()
  const isWanted = ({ primaryEmail }: FakeUser) => domain === undefined || domainOf(primaryEmail) === domain
  return sortByText([...state.users.values()].filter(isWanted), ({ primaryEmail }) => primaryEmail.toLowerCase())
}

/** A user as the Directory API returns it. Etags, the last login and the photo differ in every response. */
export function userView(context: ApiContext, user: FakeUser): JsonObject {
  const { suspended, archived, isAdmin, orgUnitPath } = user
  return {
    kind: 'admin#directory#user',
    id: user.id,
    etag: etagOf(context),
    primaryEmail: user.primaryEmail,
    name: nameOf(user),
    isAdmin,
    isDelegatedAdmin: false,
    creationTime: new Date(user.createdAt).toISOString(),
    agreedToTerms: user.hasLoggedIn,
    suspended,
    ...(suspended && { suspensionReason: 'ADMIN' }),
    archived,
    changePasswordAtNextLogin: false,
    ipWhitelisted: false,
    emails: emailsOf(user),
    ...listsOf(user),
    customerId: context.state.customerId,
    orgUnitPath,
    isMailboxSetup: true,
    isEnrolledIn2Sv: false,
    isEnforcedIn2Sv: false,
    includeInGlobalAddressList: true,
    ...volatileOf(context, user),
  }
}

function nameOf({ givenName, familyName }: FakeUser): JsonObject {
  return { givenName, familyName, fullName: `${givenName} ${familyName}`.trim() }
}

function emailsOf({ primaryEmail, aliases, otherEmails }: FakeUser): Json[] {
  return [{ address: primaryEmail, primary: true }, ...aliases.map((address) => ({ address })), ...otherEmails]
}

/** Lists are omitted if they are empty. */
function listsOf(user: FakeUser): JsonObject {
  const { aliases, organizations, externalIds, relations, phones, addresses, languages } = user
  const lists = { aliases, organizations, externalIds, relations, phones, addresses, languages }
  const shown: JsonObject = {}
  for (const [name, list] of Object.entries(lists)) if (list !== undefined && list.length > 0) shown[name] = [...list]
  return shown
}

function volatileOf(context: ApiContext, { hasLoggedIn }: FakeUser): JsonObject {
  const mark = context.nextMark()
  return {
    lastLoginTime: new Date(hasLoggedIn ? context.now() + mark : 0).toISOString(),
    thumbnailPhotoUrl: `https://photos.example.com/${mark.toString(36)}`,
    thumbnailPhotoEtag: etagOf(context),
  }
}
