import type { JsonObject } from '../../../src/scim/json.ts'
import type { FakeUser } from '../model/items.ts'
import { domainOf } from '../model/items.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { ApiRefusal } from './errors.ts'
import { showPage } from './listing.ts'
import { checkNames, oneOf, readMaxResults } from './parameters.ts'
import { readUserQuery } from './user-query.ts'
import { showUser } from './user-view.ts'
import { checkWhose, inOrder, listKey } from './whose.ts'

const listNames = [
  ...['customer', 'domain', 'maxResults', 'pageToken', 'orderBy', 'sortOrder', 'projection', 'customFieldMask'],
  ...['query', 'showDeleted', 'viewType', 'event'],
]

/** users.list. The order is that of addresses unless another one is asked for. */
export function listUsers(context: ApiContext, call: ApiCall): JsonObject {
  const { query } = call.request
  checkNames(query, listNames)
  checkWhose(context.state, query)
  checkView(query)
  const list = listKey('users', query)
  return showPage(context, call, {
    kind: 'admin#directory#users',
    itemsName: 'users',
    list,
    items: context.ordered(list, () => usersOf(context, query)),
    show: (user) => showUser(context, user),
    pageSize: readMaxResults(query, { usual: 100, most: 500, tooMany: 'refused' }),
    lifeMs: context.knobs.pageTokenLifeMs,
    tooOld: 'invalid-input',
  })
}

/** users.get, by id, address or alias. */
export function getUser(context: ApiContext, { request }: ApiCall): JsonObject {
  checkNames(request.query, ['projection', 'customFieldMask', 'viewType'])
  checkView(request.query)
  const { users, addresses } = context.state
  const key = request.userKey ?? ''
  const user = users.get(key) ?? users.get(addresses.ownerOf(key) ?? '')
  if (user === undefined) throw new ApiRefusal('user-not-found')
  return showUser(context, user)
}

function checkView(query: URLSearchParams): void {
  const projection = oneOf(query, 'projection', ['basic', 'custom', 'full'])
  oneOf(query, 'viewType', ['admin_view', 'domain_public'])
  oneOf(query, 'showDeleted', ['true', 'false'])
  const lacksMask = projection === 'custom' && !query.has('customFieldMask')
  if (lacksMask) throw new ApiRefusal('invalid-input', 'Invalid Input: customFieldMask')
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
  return inOrder(found, (user) => (orderBy === 'email' ? user.primaryEmail : user[orderBy]).toLowerCase(), descending)
}
