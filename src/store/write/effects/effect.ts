import type { DirectoryRevision } from '../../../directory/directory.ts'
import type { Cause, StoredEvent } from '../../../directory/event.ts'
import type { GroupReference } from '../../../directory/group.ts'
import type { RemovalLimit } from '../../../directory/removal-limit.ts'
import type { DeletedUser, Recognizable } from '../../../directory/returned-users.ts'
import type { IndexedUser, ReplacedUser } from '../../../directory/user.ts'
import type { UnnumberedEvent } from '../../events.ts'
import type { users } from '../../users.ts'
import type { Stage } from '../batch.ts'
import type { Facts, FactsRequest } from '../facts.ts'
import type { Position } from '../numbers.ts'
import type { RowOf, WriteCollection } from '../writes.ts'

/** The directory of a commit, at the revision under which it was authorized. */
export interface WrittenDirectory extends DirectoryRevision {
  /** The removal limit in effect. */
  readonly removalLimit: RemovalLimit | null
  /** The effects that this directory has besides those of all directories, as prepared for this write. */
  readonly effects?: readonly Effect[]
}

/** What all changes of users have. */
interface AnyChange {
  /** The number of its event in the commit, from 1. */
  readonly n: number
  readonly event: UnnumberedEvent
  /** The position of the user's row; undefined for a change that is decided without reading it. */
  readonly position: Position | undefined
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
  /** The columns of the user's row that effects set. */
  readonly columns?: RowOf<(typeof users)['columns']>
}

/** A user who is created, and who it was before its deletion, if it had been deleted. */
export interface CreatedUser extends AnyChange {
  readonly before: undefined
  readonly after: IndexedUser
  readonly former: DeletedUser | undefined
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

/** A change of a user that a commit may make, before its facts are read. */
export type PlannedChange = Pick<CreatedUser | ReplacedUserChange | DeletedUserChange, 'before' | 'after'>

/** A group before and after a change; undefined where it does not exist. */
export interface ChangedGroup {
  readonly before: GroupReference | undefined
  readonly after: GroupReference | undefined
  /** The ids of the users who join or leave; those of a deleted group are not named. */
  readonly users: readonly string[]
  readonly cause: Cause
}

/** What an effect is decided on. */
export interface EffectContext {
  readonly directory: WrittenDirectory
  readonly facts: Facts
  /** The time of the commit, in Unix milliseconds. */
  readonly at: number
}

/** Something that follows from changes of users, or for users from changes of groups. Each effect has the parts that it needs. */
export interface Effect {
  /** The number of the first users that are changed in one commit, one in any case. */
  usersAtOnce?(users: readonly PlannedChange[]): number
  /** What it has to know about the changes; a change of users about which nothing has to be known is decided without reading. */
  request?(changes: readonly PlannedChange[], directory: WrittenDirectory): FactsRequest | undefined
  /** Completes a change: its columns, its event, and its user as it is shown. */
  complete?(change: UserChange, facts: Facts): UserChange
  /** Collects what follows from the completed changes. */
  write?(changes: readonly UserChange[], context: EffectContext, writes: WriteCollection): void
  /** What it has to know about groups before they are deleted. */
  requestOfDeletion?(groups: readonly GroupReference[], directory: WrittenDirectory): FactsRequest | undefined
  /** Decides what follows from changes of groups, in a further stage of the commit; its result are its events. */
  afterGroups?(
    changes: readonly ChangedGroup[],
    facts: Facts,
    directory: WrittenDirectory,
  ): Stage<readonly StoredEvent[]> | undefined
  /** Collects what follows from a change that is made in steps because it has many members. */
  afterLargeChange?(change: ChangedGroup, directory: WrittenDirectory, writes: WriteCollection): void
}
