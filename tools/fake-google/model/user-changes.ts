import type { FakeProfile, FakeUser } from './items.ts'
import { releaseAlias, renamed } from './rename.ts'
import type { WorkspaceState } from './state.ts'
import { existing } from './state.ts'

/** A user to be; what is left out is empty. */
export interface NewFakeUser extends Partial<FakeProfile> {
  readonly primaryEmail: string
  readonly aliases?: readonly string[]
  readonly suspended?: boolean
  readonly archived?: boolean
  readonly hasLoggedIn?: boolean
}

/** What can happen to users. Each method answers the user as it is afterwards, and throws when there is no such user. */
export interface UserChanges {
  addUser(user: NewFakeUser): FakeUser
  changeUser(id: string, profile: Partial<FakeProfile>): FakeUser
  /** Gives another primary address. The old one becomes an alias, unless `dropOld` frees it. */
  renameUser(id: string, primaryEmail: string, options?: { readonly dropOld?: boolean }): FakeUser
  suspendUser(id: string): FakeUser
  archiveUser(id: string): FakeUser
  /** Neither suspended nor archived any more. */
  restoreUser(id: string): FakeUser
  /** The user's memberships go as well, and the addresses are free. */
  deleteUser(id: string): void
}

const emptyProfile: FakeProfile = { givenName: '', familyName: '', isAdmin: false, orgUnitPath: '/', otherEmails: [] }

/** The changes of users. */
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
