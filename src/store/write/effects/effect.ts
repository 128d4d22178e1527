import type { Recognizable } from '../../../directory/returned-users.ts'
import type { IndexedUser, ReplacedUser } from '../../../directory/user.ts'
import type { UnnumberedEvent } from '../../events.ts'
import type { WrittenDirectory } from '../batch.ts'
import type { Facts } from '../facts.ts'
import type { Position } from '../numbers.ts'
import type { WriteCollection } from '../writes.ts'

/** What all changes of users have. */
interface AnyChange {
  /** The number of its event in the commit, from 1. */
  readonly n: number
  readonly event: UnnumberedEvent
  /** The position of the user's row; undefined for a change that is decided without reading it. */
  readonly position: Position | undefined
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
  /** The roles that the user gains and loses. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** A user who is created, and the id that it had before its deletion, if it had been deleted. */
export interface CreatedUser extends AnyChange {
  readonly before: undefined
  readonly after: IndexedUser
  readonly former: string | undefined
}

/** A user before and after a change. */
export interface ReplacedUserChange extends AnyChange {
  readonly before: ReplacedUser
  readonly after: IndexedUser
}

/** A user who is deleted. */
export interface DeletedUserChange extends AnyChange {
  readonly before: Recognizable<IndexedUser>
  readonly after: undefined
}

export type UserChange = CreatedUser | ReplacedUserChange | DeletedUserChange

/** What an effect is decided on. */
export interface EffectContext {
  readonly directory: WrittenDirectory
  readonly facts: Facts
  /** The time of the commit, in Unix milliseconds. */
  readonly at: number
}

/** Something that follows from changes of users: collects what it writes. */
export type UserEffect = (changes: readonly UserChange[], context: EffectContext, writes: WriteCollection) => void
