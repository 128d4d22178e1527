import type { JsonObject } from '../../../src/scim/json.ts'
import type { FakeGroup } from '../model/items.ts'
import { domainOf } from '../model/items.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { checkNames, checkScope, listKey, readMaxResults, sortByText } from './context.ts'
import { ApiError } from './errors.ts'
import { etagOf, pageView } from './listing.ts'

/** groups.list: all groups of the customer or of a domain, sorted by address. */
export function listGroups(context: ApiContext, call: ApiCall): JsonObject {
  const { query } = call.request
  checkNames(query, ['customer', 'domain', 'maxResults', 'pageToken'])
  checkScope(context.state, query)
  const list = listKey('groups', query)
  return pageView(context, call, {
    kind: 'admin#directory#groups',
    itemsName: 'groups',
    list,
    items: context.ordered(list, () => groupsOf(context, query)),
    show: (group) => groupView(context, group),
    pageSize: readMaxResults(query, { most: 200, tooMany: 'clamped' }),
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
  const isWanted = ({ email }: FakeGroup) => domain === undefined || domainOf(email) === domain
  return sortByText([...state.groups.values()].filter(isWanted), ({ email }) => email.toLowerCase())
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
