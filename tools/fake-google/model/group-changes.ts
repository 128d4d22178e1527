import type { FakeGroup, FakeMember, GroupRefusal } from './items.ts'
import { releaseAlias, renamed } from './rename.ts'
import type { WorkspaceState } from './state.ts'
import { existing } from './state.ts'

/** A group to be; what is left out is empty. */
export type NewFakeGroup = Partial<Omit<FakeGroup, 'id'>> & Pick<FakeGroup, 'email'>

/** A member to be: MEMBER when no role is given. */
export type NewFakeMember = Omit<FakeMember, 'role'> & Partial<Pick<FakeMember, 'role'>>

/** What can happen to groups. Each method throws when there is no such group. */
export interface GroupChanges {
  addGroup(group: NewFakeGroup): FakeGroup
  changeGroup(id: string, change: Partial<Pick<FakeGroup, 'name' | 'description' | 'adminCreated'>>): FakeGroup
  /** Gives another address; the old one becomes an alias, unless `dropOld` frees it. */
  renameGroup(id: string, email: string, options?: { readonly dropOld?: boolean }): FakeGroup
  /** The group is no member of others any more. */
  deleteGroup(id: string): void
  /** Adds a member, or gives it another role. Cycles are taken, though Google refuses most. */
  addMember(groupId: string, member: NewFakeMember): void
  /** Adds a user of the customer. */
  addUserToGroup(groupId: string, userId: string): void
  /** Adds a group of the customer. */
  nestGroup(groupId: string, nestedId: string): void
  /** Adds everyone of the customer. */
  addCustomer(groupId: string): void
  removeMember(groupId: string, memberId: string): void
  /** From now on a group, of the customer or from elsewhere, cannot be read; undefined ends that. */
  refuseGroup(id: string, refusal: GroupRefusal | undefined): void
}

/** The changes of groups and their members. */
export function groupChanges(state: WorkspaceState): GroupChanges {
  const { groups, members, addresses, customerId } = state
  const put = (group: FakeGroup) => {
    groups.set(group.id, group)
    state.changes += 1
    return group
  }
  const addMember: GroupChanges['addMember'] = (groupId, member) => {
    existing(members, groupId).set(member.id, { role: 'MEMBER', ...member })
    state.changes += 1
  }
  return {
    addGroup(group) {
      const id = state.ids.nextGroupId()
      for (const address of [group.email, ...(group.aliases ?? [])]) addresses.claim(address, id)
      members.set(id, new Map())
      return put({ aliases: [], name: '', description: '', adminCreated: true, ...group, id })
    },
    changeGroup: (id, change) => put({ ...existing(groups, id), ...change }),
    renameGroup(id, email, { dropOld = false } = {}) {
      releaseAlias(state, email)
      return put(renamed(addresses, existing(groups, id), 'email', email, dropOld))
    },
    deleteGroup: (id) => deleteGroup(state, id),
    addMember,
    addUserToGroup: (groupId, userId) => addMember(groupId, { id: existing(state.users, userId).id, type: 'USER' }),
    nestGroup: (groupId, nestedId) => addMember(groupId, { id: existing(groups, nestedId).id, type: 'GROUP' }),
    addCustomer: (groupId) => addMember(groupId, { id: customerId, type: 'CUSTOMER' }),
    removeMember(groupId, memberId) {
      existing(members, groupId).delete(memberId)
      state.changes += 1
    },
    refuseGroup(id, refusal) {
      if (refusal === undefined) state.refusals.delete(id)
      else state.refusals.set(id, refusal)
      state.changes += 1
    },
  }
}

function deleteGroup(state: WorkspaceState, id: string): void {
  const group = existing(state.groups, id)
  for (const address of [group.email, ...group.aliases]) state.addresses.release(address)
  state.groups.delete(id)
  state.refusals.delete(id)
  state.members.delete(id)
  for (const members of state.members.values()) members.delete(id)
  state.changes += 1
}
