import type { Committed, DirectoryChanged } from '../../directory/store.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../events.ts'

/** A user to create and the event that tells of it. */
export interface NewUser {
  readonly user: IndexedUser
  readonly event: UnnumberedEvent
}

export type NewUserOutcome = Committed | 'user-name-taken' | DirectoryChanged
