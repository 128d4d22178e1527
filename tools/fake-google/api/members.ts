import type { JsonObject } from '../../../src/scim/json.ts'
import type { FakeMember } from '../model/items.ts'
import { domainOf, isActive } from '../model/items.ts'
import type { WorkspaceState } from '../model/state.ts'
import { reachableGroups } from '../model/workspace-model.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { checkNames, listKey, readMaxResults, sortByText } from './context.ts'
import { ApiError } from './errors.ts'
import { findGroup } from './groups.ts'
import { etagOf, pageView } from './listing.ts'

/** members.list: the direct members of a group. */
export function listMembers(context: ApiContext, call: ApiCall): JsonObject {
  const { query, groupKey = '' } = call.request
  checkNames(query, ['maxResults', 'pageToken'])
  const { id } = findGroup(context, groupKey)
  const list = listKey(`members of ${id}`, query)
  return pageView(context, call, {
    kind: 'admin#directory#members',
    itemsName: 'members',
    list,
    items: context.ordered(list, () => membersOf(context.state, id)),
    show: (member) => showMember(context, member),
    pageSize: readMaxResults(query, { most: 200, tooMany: 'refused' }),
  })
}

/**
 * members.hasMember. Nested memberships are only supported within one domain.
 *
 * @throws ApiError `invalid-input` otherwise, and for a member outside the customer
 */
export function hasMember(context: ApiContext, { request }: ApiCall): JsonObject {
  checkNames(request.query, [])
  const { state } = context
  const group = findGroup(context, request.groupKey ?? '')
  const memberKey = request.memberKey ?? ''
  const memberId = state.addresses.ownerOf(memberKey) ?? memberKey
  if (state.members.get(group.id)?.has(memberId)) return { isMember: true }
  const user = state.users.get(memberId)
  const isSameDomain = user !== undefined && domainOf(user.primaryEmail) === domainOf(group.email)
  if (!isSameDomain) throw new ApiError('invalid-input', 'Invalid Input: memberKey')
  const reached = [...reachableGroups(state, group.id)].map((id) => state.members.get(id))
  const byCustomer = isActive(user) && reached.some((members) => members?.has(state.customerId))
  return { isMember: byCustomer || reached.some((members) => members?.has(user.id)) }
}

function membersOf(state: WorkspaceState, groupId: string): FakeMember[] {
  const members = [...(state.members.get(groupId)?.values() ?? [])]
  return sortByText(members, (member) => addressOf(state, member) ?? member.id)
}

function addressOf({ users, groups }: WorkspaceState, { id, externalEmail }: FakeMember): string | undefined {
  return users.get(id)?.primaryEmail ?? groups.get(id)?.email ?? externalEmail
}

function showMember(context: ApiContext, member: FakeMember): JsonObject {
  const { id, role, type } = member
  const email = addressOf(context.state, member)
  const status = statusOf(context.state, member)
  return {
    kind: 'admin#directory#member',
    etag: etagOf(context),
    id,
    ...(email !== undefined && { email }),
    role,
    type,
    ...(status !== undefined && { status }),
  }
}

/** The status of a member; only users and groups of the customer have one. */
function statusOf({ users, groups }: WorkspaceState, { id }: FakeMember): string | undefined {
  const user = users.get(id)
  if (user !== undefined) return user.suspended ? 'SUSPENDED' : 'ACTIVE'
  return groups.has(id) ? 'ACTIVE' : undefined
}
