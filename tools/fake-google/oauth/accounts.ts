import { isActive } from '../model/items.ts'
import type { WorkspaceState } from '../model/state.ts'

/** Who has consented, or is acted for. */
export interface Account {
  readonly email: string
  /** Neither deleted nor suspended nor archived. */
  isAlive(): boolean
  /** Whether the account may read the directory. */
  isAdmin(): boolean
}

/**
 * The account of an address as it is from now on: who gets the address later is somebody else. An address that no user has
 * is that of an administrator beside the users.
 */
export function accountOf({ users, addresses }: WorkspaceState, email: string): Account {
  const id = addresses.ownerOf(email)
  if (id === undefined) return { email, isAlive: () => true, isAdmin: () => true }
  const user = () => users.get(id)
  const isAlive = () => {
    const now = user()
    return now !== undefined && isActive(now)
  }
  return { email, isAlive, isAdmin: () => user()?.isAdmin === true }
}
