import type { Expected } from './expected.ts'
import { expectedOf } from './expected.ts'
import type { GroupChanges } from './group-changes.ts'
import { groupChanges } from './group-changes.ts'
import type { DeletedFakeUser, FakeGroup, FakeMember, FakeUser } from './items.ts'
import type { WorkspaceState } from './state.ts'
import type { UserChanges } from './user-changes.ts'
import { userChanges } from './user-changes.ts'

/** A customer's Workspace that is changed by methods and read in any order. */
export interface WorkspaceModel extends UserChanges, GroupChanges, Expected {
  readonly customerId: string
  addDomain(domain: string): void
  domains(): string[]
  users(): FakeUser[]
  groups(): FakeGroup[]
  deletedUsers(): DeletedFakeUser[]
  /** The direct members of a group; none when there is no such group. */
  members(groupId: string): FakeMember[]
  /** The id of the user or group that has an address, as its main one or as an alias. */
  ownerOf(address: string): string | undefined
}

/** The model over a state. */
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
