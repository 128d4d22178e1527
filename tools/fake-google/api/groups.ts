import type { JsonObject } from '../../../src/scim/json.ts'
import type { FakeGroup } from '../model/items.ts'
import { domainOf } from '../model/items.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { checkNames, checkScope, listKey, oneOf, readMaxResults, sortByText } from './context.ts'
import { ApiError } from './errors.ts'
import { etagOf, pageView } from './listing.ts'

const listNames = ['customer', 'domain', 'userKey', 'maxResults', 'pageToken', 'orderBy', 'sortOrder', 'query']

/** groups.list: all groups of the customer or of a domain, or those with a certain user as a direct member. */
export function listGroups(context: ApiContext, call: ApiCall): JsonObject {
  const { query } = call.request
  checkNames(query, listNames)
  const userKey = query.get('userKey')
  if (userKey === null) checkScope(context.state, query)
  else if (query.has('customer')) throw new ApiError('bad-request')
  if (query.has('query')) throw new ApiError('invalid-input', 'Invalid Input: query')
  const list = listKey('groups', query)
  return pageView(context, call, {
    kind: 'admin#directory#groups',
    itemsName: 'groups',
    list,
    items: context.ordered(list, () => groupsOf(context, query)),
    show: (group) => groupView(context, group),
    pageSize: readMaxResults(query, { usual: 200, most: 200, tooMany: 'clamped' }),
    lifeMs: context.knobs.pageTokenLifeMs,
    tooOld: 'invalid-input',
  })
}

/** groups.get by id, address or alias. */
export function getGroup(context: ApiContext, { request }: ApiCall): JsonObject {
  checkNames(request.query, [])
  return groupView(context, findGroup(context, request.groupKey ?? ''))
}

/**
 * Looks up a group by id, address or alias.
 *
 * @throws ApiError if there is none or it cannot be read
 */
export function findGroup({ state }: ApiContext, key: string): FakeGroup {
  const id = state.addresses.ownerOf(key) ?? key
  const refusal = state.refusals.get(id)
  if (refusal === 'forbidden') throw new ApiError('forbidden')
  const group = state.groups.get(id)
  if (group === undefined || refusal === 'not-found') throw new ApiError('group-not-found')
  return group
}

function groupsOf({ state }: ApiContext, query: URLSearchParams): FakeGroup[] {
  const domain = query.get('domain')?.toLowerCase()
  const userKey = query.get('userKey')
  const userId = userKey === null ? undefined : (state.addresses.ownerOf(userKey) ?? userKey)
  const isWanted = ({ id, email }: FakeGroup) =>
    (domain === undefined || domainOf(email) === domain) &&
    (userId === undefined || state.members.get(id)?.has(userId) === true)
  oneOf(query, 'orderBy', ['email'])
  const descending = oneOf(query, 'sortOrder', ['ASCENDING', 'DESCENDING']) === 'DESCENDING'
  return sortByText([...state.groups.values()].filter(isWanted), ({ email }) => email.toLowerCase(), descending)
}

function groupView(
  context: ApiContext,
  { id, email, name, description, adminCreated, aliases }: FakeGroup,
): JsonObject {
  return {
    kind: 'admin#directory#group',
    id,
    etag: etagOf(context),
    email,
    name,
    description,
    directMembersCount: String(context.state.members.get(id)?.size ?? 0),
    adminCreated,
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    nonEditableAliases: [`${email}.test-google-a.com`],
  }
}
