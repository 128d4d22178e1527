import type { Group, MemberType } from '../../directory/group.ts'
import type { DeletedUser, Recognizable } from '../../directory/returned-users.ts'
import type { IndexedUser, User } from '../../directory/user.ts'
import type { GroupChange } from '../group-changes.ts'
import type { CountedState, RemovedUserRow } from '../removals.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Statement } from '../sql-database.ts'
import type { UserState } from '../users.ts'

/** A user who is created, with the digests of its names, which are computed at most once. */
export type NamedUser = Pick<Recognizable<IndexedUser>, 'id' | 'userName' | 'recognition'>

/** What a change of users has to know. Engines read only what is asked for. */
export interface FactsRequest {
  /** The ids of stored users, for `users`. */
  readonly users?: readonly string[]
  /** Whether `users` have their groups. */
  readonly withGroups?: boolean
  /** The folded userNames whose holders are wanted. */
  readonly userNames?: readonly string[]
  /** The account ids whose holders are wanted. */
  readonly accounts?: readonly string[]
  /** The users who may have been removed, by their ids and userNames. */
  readonly removed?: readonly Pick<IndexedUser, 'id' | 'userName'>[]
  /** The users who may have been deleted, by their ids and the digests of their names. */
  readonly returning?: readonly NamedUser[]
  /** The ids of stored groups, for `groupStates`. */
  readonly groupStates?: readonly string[]
  /** The ids of users or groups whose memberships end: no more than `maxLeaving` of each are read, and one more. */
  readonly leaving?: readonly string[]
  /** The changes of groups whose facts are wanted. */
  readonly changes?: readonly ChangeToRead[]
  /** The folded names of groups whose holders are wanted with them. */
  readonly groupNames?: readonly string[]
  /** Further reads by name, after the others, in their order; their statements are the same on both engines. */
  readonly reads?: Readonly<Record<string, Statement>>
}

/** A present member: its type and its position in the list. */
export interface PresentMember {
  readonly memberType: MemberType
  readonly sequence: number
}

/** The stored facts about the groups that a batch changes, and about the users and groups that it names. */
export interface GroupFacts {
  readonly groups: Map<string, Group>
  /** The positions of these groups. */
  readonly positions: ReadonlyMap<string, number>
  /** The members of each group: all when the batch replaces them, else at least those that it names. */
  readonly present: Map<string, Map<string, PresentMember>>
  readonly users: ReadonlyMap<string, User>
  readonly groupIds: ReadonlySet<string>
  /** The ids of the groups that have the folded names which the batch gives to groups; only where names are unique. */
  readonly holders: Map<string, Set<string>>
  /** The ended memberships of those who may join, by membership. */
  readonly removed: ReadonlyMap<string, EndedMembership>
}

/** A membership that ended, and the position of its end. */
export interface EndedMembership {
  readonly groupId: string
  readonly memberId: string
  readonly position: number
}

export function membershipKey(groupId: string, memberId: string): string {
  return `${groupId}/${memberId}`
}

/** A change of a group, as far as it decides what to read. */
export interface ChangeToRead extends Pick<GroupChange<string>, 'groupId' | 'members'> {
  /** Whether only its members are wanted. */
  readonly isGroupKnown?: boolean
}

/** A stored group that may be deleted. */
export interface GroupState {
  readonly version: number
  /** The position of its row. */
  readonly position: number
  /** The number of its members. */
  readonly members: number
}

/** Above this many groups, a deletion is stepwise: each of them gets a new version. */
export const maxLeaving = 100

/** A membership of a user or group that is deleted. */
export interface EndingMembership {
  readonly groupId: string
  readonly memberId: string
  /** The position of its row. */
  readonly position: number
  readonly groupVersion: number
}

/** Decodes the columns `version`, `sequence` and `members`. */
export function decodeGroupState(row: Row): GroupState {
  return { version: integer(row, 'version'), position: integer(row, 'sequence'), members: integer(row, 'members') }
}

/** Decodes a membership, with the `version` of its group. */
export function decodeLeaving(row: Row): EndingMembership {
  return {
    groupId: text(row, 'group_id'),
    memberId: text(row, 'member_id'),
    position: integer(row, 'sequence'),
    groupVersion: integer(row, 'version'),
  }
}

/** The facts that a commit is decided on, as of the lock of the directory. What was not asked for is empty. */
export interface Facts {
  /** The counters of the directory; undefined when the commit is decided before it is locked. */
  readonly state: CountedState | undefined
  /** Stored users by id. */
  readonly users: ReadonlyMap<string, UserState>
  /** The ids of the holders of folded userNames. */
  readonly userNames: ReadonlyMap<string, string>
  /** The ids of the users with account ids. */
  readonly accounts: ReadonlyMap<string, string>
  readonly removed: readonly RemovedUserRow[]
  /** The deleted users as which each of `returning` may return, the likeliest first. */
  readonly returning: ReadonlyMap<string, readonly DeletedUser[]>
  readonly groupStates: ReadonlyMap<string, GroupState>
  readonly leaving: readonly EndingMembership[]
  readonly groups: GroupFacts | undefined
  /** The rows of each of `reads`. */
  readonly rows: Readonly<Record<string, readonly Row[]>>
}

/** A read of the rows of a key, which may have several columns; all of them are texts. The directory is `$1`. */
export interface KeyedRead {
  readonly columns: readonly string[]
  /** The number of parameters that come first and are the same for all keys; by default the directory alone. */
  readonly shared?: number
  /** The query for the rows of a key, whose columns are these expressions. */
  readonly rowsOf: (...key: string[]) => string
}

/** A read for some keys, by a statement that an engine has prepared. */
export interface ReadOfKeys<S> {
  readonly statement: S
  readonly keys: readonly (readonly string[])[]
  /** The values of the parameters between the directory and the key. */
  readonly further?: readonly string[]
}

/** The reads of some facts, and how the rows of each key of each read are decoded. */
export interface KeyedFacts<S> {
  readonly reads: readonly ReadOfKeys<S>[]
  decode(rows: readonly (readonly (readonly Row[])[])[]): Partial<Facts>
}

/** The counters of the directory of a commit that is decided after it is locked. */
export function lockedState({ state }: Pick<Facts, 'state'>): CountedState {
  if (state === undefined) throw new Error('This commit is decided on facts.')
  return state
}

/** What several parts of a commit have to know. */
export function requestOfAll(requests: readonly FactsRequest[]): FactsRequest {
  const users = new Set(requests.flatMap((request) => request.users ?? []))
  const reads: FactsRequest['reads'] = Object.assign({}, ...requests.map((request) => request.reads))
  return Object.assign({}, ...requests, { users: [...users], reads })
}

/** No facts. */
export const noFacts: Facts = {
  state: undefined,
  users: new Map(),
  userNames: new Map(),
  accounts: new Map(),
  removed: [],
  returning: new Map(),
  groupStates: new Map(),
  leaving: [],
  groups: undefined,
  rows: {},
}
