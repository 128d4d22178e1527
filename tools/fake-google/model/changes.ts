import type { FakeGroup, FakeMember, FakeProfile, FakeUser, GroupRefusal } from './items.ts'
import type { Addresses, WorkspaceState } from './state.ts'
import { existing } from './state.ts'

/** A user to create; omitted fields are empty. */
export interface NewFakeUser extends Partial<FakeProfile> {
  readonly primaryEmail: string
  readonly aliases?: readonly string[]
  readonly suspended?: boolean
  readonly archived?: boolean
  readonly hasLoggedIn?: boolean
}

/** Changes to users. Each method returns the changed user, and throws if the user does not exist. */
export interface UserChanges {
  addUser(user: NewFakeUser): FakeUser
  changeUser(id: string, profile: Partial<FakeProfile>): FakeUser
  /** Changes the primary address. The old one becomes an alias, unless `dropOld` frees it. */
  renameUser(id: string, primaryEmail: string, options?: { readonly dropOld?: boolean }): FakeUser
  suspendUser(id: string): FakeUser
  archiveUser(id: string): FakeUser
  /** Makes a user active again. */
  restoreUser(id: string): FakeUser
  /** Also removes the memberships and frees the addresses. */
  deleteUser(id: string): void
  /** Brings a deleted user back, with its id, as an administrator can for 20 days; it is in no group. */
  undeleteUser(id: string): FakeUser
}

const emptyProfile: FakeProfile = { givenName: '', familyName: '', isAdmin: false, orgUnitPath: '/', otherEmails: [] }

export function userChanges(state: WorkspaceState): UserChanges {
  const { users, addresses } = state
  const put = (user: FakeUser) => {
    users.set(user.id, user)
    state.changes += 1
    return user
  }
  const change = (id: string, what: Partial<FakeUser>) => put({ ...existing(users, id), ...what })
  return {
    addUser(user) {
      const id = state.ids.nextUserId()
      const defaults = { ...emptyProfile, aliases: [], suspended: false, archived: false, hasLoggedIn: true }
      for (const address of [user.primaryEmail, ...(user.aliases ?? [])]) addresses.claim(address, id)
      return put({ ...defaults, ...user, id, createdAt: state.now() })
    },
    changeUser: change,
    renameUser(id, primaryEmail, { dropOld = false } = {}) {
      releaseAlias(state, primaryEmail)
      return put(renamed(addresses, existing(users, id), 'primaryEmail', primaryEmail, dropOld))
    },
    suspendUser: (id) => change(id, { suspended: true }),
    archiveUser: (id) => change(id, { archived: true }),
    restoreUser: (id) => change(id, { suspended: false, archived: false }),
    deleteUser: (id) => deleteUser(state, id),
    undeleteUser(id) {
      const { deletedAt: _, ...user } = existing(state.deletedUsers, id)
      for (const address of [user.primaryEmail, ...user.aliases]) addresses.claim(address, id)
      state.deletedUsers.delete(id)
      return put(user)
    },
  }
}

function deleteUser(state: WorkspaceState, id: string): void {
  const user = existing(state.users, id)
  for (const address of [user.primaryEmail, ...user.aliases]) state.addresses.release(address)
  for (const members of state.members.values()) members.delete(id)
  state.users.delete(id)
  state.deletedUsers.set(id, { ...user, deletedAt: state.now() })
  state.changes += 1
}

/** A group to create; omitted fields are empty. */
export type NewFakeGroup = Partial<Omit<FakeGroup, 'id'>> & Pick<FakeGroup, 'email'>

/** A member to add; the default role is MEMBER. */
export type NewFakeMember = Omit<FakeMember, 'role'> & Partial<Pick<FakeMember, 'role'>>

/** Changes to groups. Each method throws if the group does not exist. */
export interface GroupChanges {
  addGroup(group: NewFakeGroup): FakeGroup
  changeGroup(id: string, change: Partial<Pick<FakeGroup, 'name' | 'description' | 'adminCreated'>>): FakeGroup
  /** Changes the address. The old one becomes an alias, unless `dropOld` frees it. */
  renameGroup(id: string, email: string, options?: { readonly dropOld?: boolean }): FakeGroup
  /** Also removes the group from other groups. */
  deleteGroup(id: string): void
  /** Adds a member or changes its role. Cycles are allowed, although Google rejects most. */
  addMember(groupId: string, member: NewFakeMember): void
  /** Adds a user of the customer. */
  addUserToGroup(groupId: string, userId: string): void
  /** Adds a group of the customer. */
  nestGroup(groupId: string, nestedId: string): void
  /** Adds everyone of the customer. */
  addCustomer(groupId: string): void
  removeMember(groupId: string, memberId: string): void
  /** Makes a group, also one of another customer, unreadable; undefined makes it readable again. */
  refuseGroup(id: string, refusal: GroupRefusal | undefined): void
}

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

/** Frees an address that is only an alias, as an administrator would before reusing it. */
export function releaseAlias({ users, groups, addresses }: WorkspaceState, address: string): void {
  const owner = addresses.ownerOf(address)
  if (owner === undefined) return
  dropAlias(users, owner, address, addresses)
  dropAlias(groups, owner, address, addresses)
}

interface WithAliases {
  readonly aliases: readonly string[]
}

function dropAlias<T extends WithAliases>(
  items: Map<string, T>,
  id: string,
  address: string,
  addresses: Addresses,
): void {
  const item = items.get(id)
  const left = item?.aliases.filter((alias) => alias.toLowerCase() !== address.toLowerCase())
  if (item === undefined || left === undefined || left.length === item.aliases.length) return
  items.set(id, { ...item, aliases: left })
  addresses.release(address)
}

/**
 * Changes the primary address of an item; the old one becomes an alias or is freed.
 *
 * @throws Error if the address belongs to another
 */
export function renamed<
  K extends string,
  T extends WithAliases & { readonly id: string } & Readonly<Record<K, string>>,
>(addresses: Addresses, item: T, name: K, address: string, dropOld: boolean): T {
  const old: string = item[name]
  if (old === address) return item
  addresses.claim(address, item.id)
  const isSame = old.toLowerCase() === address.toLowerCase()
  if (dropOld && !isSame) addresses.release(old)
  return { ...item, [name]: address, aliases: dropOld || isSame ? item.aliases : [...item.aliases, old] }
}
