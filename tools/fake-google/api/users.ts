import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { DeletedFakeUser, FakeUser } from '../model/items.ts'
import { domainOf } from '../model/items.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { checkNames, checkScope, listKey, oneOf, readMaxResults, sortByText } from './context.ts'
import { ApiError } from './errors.ts'
import { etagOf, pageView } from './listing.ts'

const listNames = [
  ...['customer', 'domain', 'maxResults', 'pageToken', 'orderBy', 'sortOrder', 'projection', 'customFieldMask'],
  ...['query', 'showDeleted', 'viewType', 'event'],
]

/** users.list, by default sorted by email address. */
export function listUsers(context: ApiContext, call: ApiCall): JsonObject {
  const { query } = call.request
  checkNames(query, listNames)
  checkScope(context.state, query)
  checkView(query)
  const list = listKey('users', query)
  return pageView(context, call, {
    kind: 'admin#directory#users',
    itemsName: 'users',
    list,
    items: context.ordered(list, () => usersOf(context, query)),
    show: (user) => userView(context, user),
    pageSize: readMaxResults(query, { usual: 100, most: 500, tooMany: 'refused' }),
    lifeMs: context.knobs.pageTokenLifeMs,
    tooOld: 'invalid-input',
  })
}

/** users.get by id, address or alias. */
export function getUser(context: ApiContext, { request }: ApiCall): JsonObject {
  checkNames(request.query, ['projection', 'customFieldMask', 'viewType'])
  checkView(request.query)
  const { users, addresses } = context.state
  const key = request.userKey ?? ''
  const user = users.get(key) ?? users.get(addresses.ownerOf(key) ?? '')
  if (user === undefined) throw new ApiError('user-not-found')
  return userView(context, user)
}

function checkView(query: URLSearchParams): void {
  const projection = oneOf(query, 'projection', ['basic', 'custom', 'full'])
  oneOf(query, 'viewType', ['admin_view', 'domain_public'])
  oneOf(query, 'showDeleted', ['true', 'false'])
  const lacksMask = projection === 'custom' && !query.has('customFieldMask')
  if (lacksMask) throw new ApiError('invalid-input', 'Invalid Input: customFieldMask')
}

function usersOf({ state }: ApiContext, query: URLSearchParams): FakeUser[] {
  const domain = query.get('domain')?.toLowerCase()
  const matches = readUserQuery(query.get('query'))
  const all = query.get('showDeleted') === 'true' ? state.deletedUsers : state.users
  const found = [...all.values()].filter(
    (user) => (domain === undefined || domainOf(user.primaryEmail) === domain) && matches(user),
  )
  const orderBy = oneOf(query, 'orderBy', ['email', 'familyName', 'givenName']) ?? 'email'
  const descending = oneOf(query, 'sortOrder', ['ASCENDING', 'DESCENDING']) === 'DESCENDING'
  return sortByText(
    found,
    (user) => (orderBy === 'email' ? user.primaryEmail : user[orderBy]).toLowerCase(),
    descending,
  )
}

/** A user as the Directory API returns it. Etags, the last login and the photo differ in every response. */
export function userView(context: ApiContext, user: FakeUser | DeletedFakeUser): JsonObject {
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
    ...('deletedAt' in user && { deletionTime: new Date(user.deletedAt).toISOString() }),
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

type Test = (user: FakeUser) => boolean

/**
 * Parses the `query` of users.list, of which only a few forms are supported.
 *
 * @throws ApiError for any other
 */
export function readUserQuery(query: string | null): Test {
  if (query === null || query === '') return () => true
  const [, name, operator, text = ''] = /^(isSuspended|isArchived|orgUnitPath|email)([=:])(.*)$/.exec(query) ?? []
  const value = text.replace(/^'(.*)'$/, '$1')
  if (name === 'isSuspended') return (user) => String(user.suspended) === value
  if (name === 'isArchived') return (user) => String(user.archived) === value
  if (name === 'orgUnitPath') return (user) => user.orgUnitPath === value
  if (name === 'email') return emailTest(operator === ':', value.toLowerCase())
  throw new ApiError('invalid-input', 'Invalid Input: query')
}

function emailTest(isPrefix: boolean, value: string): Test {
  const start = isPrefix && value.endsWith('*') ? value.slice(0, -1) : undefined
  return ({ primaryEmail, aliases }) =>
    [primaryEmail, ...aliases].some((address) => {
      const folded = address.toLowerCase()
      return start === undefined ? folded === value : folded.startsWith(start)
    })
}
