import type { GroupChanges, UserChanges } from './changes.ts'
import { groupChanges, userChanges } from './changes.ts'
import type { DeletedFakeUser, FakeGroup, FakeMember, FakeUser } from './items.ts'
import { domainOf, isActive } from './items.ts'
import type { WorkspaceState } from './state.ts'

/** A customer's Workspace, with methods to change and to read it. */
export interface WorkspaceModel extends UserChanges, GroupChanges, Expected {
  readonly customerId: string
  addDomain(domain: string): void
  domains(): string[]
  users(): FakeUser[]
  groups(): FakeGroup[]
  deletedUsers(): DeletedFakeUser[]
  /** The direct members of a group; empty if the group does not exist. */
  members(groupId: string): FakeMember[]
  /** The id of the user or group with this primary address or alias. */
  ownerOf(address: string): string | undefined
}

export function createWorkspaceModel(state: WorkspaceState): WorkspaceModel {
  return {
    ...userChanges(state),
    ...groupChanges(state),
    ...expectedOf(state),
    customerId: state.customerId,
    addDomain: (domain) => void state.domains.add(domain.toLowerCase()),
    domains: () => [...state.domains],
    users: () => [...state.users.values()],
    groups: () => [...state.groups.values()],
    deletedUsers: () => [...state.deletedUsers.values()],
    members: (groupId) => [...(state.members.get(groupId)?.values() ?? [])],
    ownerOf: (address) => state.addresses.ownerOf(address),
  }
}

/** The expected content of a directory after a sync; `domain` limits it to one domain. */
export interface Expected {
  /** Sorted by id. */
  expectedUsers(domain?: string): FakeUser[]
  /** Sorted by id. */
  expectedGroups(domain?: string): FakeGroup[]
  /**
   * The ids of the direct and nested users of a group, sorted, active or not, without groups that cannot be read. If
   * everyone of the customer is a member, all active users.
   */
  expectedMembers(groupId: string, domain?: string): string[]
}

/** Computes the expectations from the state at the time of each call. */
export function expectedOf(state: WorkspaceState): Expected {
  return {
    expectedUsers: (domain) => byId([...state.users.values()].filter((user) => isOf(user.primaryEmail, domain))),
    expectedGroups: (domain) => byId([...state.groups.values()].filter((group) => isOf(group.email, domain))),
    expectedMembers(groupId, domain) {
      const found = new Set<string>()
      for (const id of reachableGroups(state, groupId)) addUsers(state, id, found)
      return [...found].filter((id) => isOf(state.users.get(id)?.primaryEmail ?? '', domain)).sort()
    },
  }
}

function isOf(email: string, domain: string | undefined): boolean {
  return domain === undefined || domainOf(email) === domain.toLowerCase()
}

function byId<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** A group and its direct and indirect nested groups, without those that cannot be read. Cycles are allowed. */
export function reachableGroups(state: WorkspaceState, groupId: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [groupId]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id) || state.refusals.has(id) || !state.groups.has(id)) continue
    reached.add(id)
    for (const member of state.members.get(id)?.values() ?? []) if (member.type === 'GROUP') waiting.push(member.id)
  }
  return reached
}

function addUsers(state: WorkspaceState, groupId: string, found: Set<string>): void {
  for (const { id, type } of state.members.get(groupId)?.values() ?? []) {
    if (type === 'USER' && state.users.has(id)) found.add(id)
    if (type === 'CUSTOMER') for (const user of state.users.values()) if (isActive(user)) found.add(user.id)
  }
}
