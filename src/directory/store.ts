import type { Equality } from '../scim/filter/narrow.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import type { AuditWrite } from './audit.ts'
import type { Directory, DirectoryRevision, DirectoryScope } from './directory.ts'
import type { Cause, EventDraft, StoredEvent } from './event.ts'
import type { Group, GroupReference, Member } from './group.ts'
import type { StoredResource } from './resource.ts'
import type { IndexedUser, User } from './user.ts'

/** A change that is on disk together with its events. */
export interface Committed {
  readonly events: readonly StoredEvent[]
}

/** A change of members that is on disk: the group as it is now, and the ids that no user or group has. */
export interface MembersCommitted extends Committed {
  readonly group: Group
  readonly skipped: readonly string[]
}

/**
 * How a write is refused because its directory was changed or deleted since the request was authorized: authorize
 * again, then repeat.
 */
export type DirectoryChanged = 'directory-changed'

/** A place in a list that is in creation order: the rows after it come next. Starts at `listStart`. */
export interface ListPosition {
  /** The sequence number of the event that made the row. */
  readonly sequence: number
  readonly id: string
  /** The folded name, in lists that are in the order of names. */
  readonly name?: string
}

export const listStart: ListPosition = { sequence: 0, id: '' }

/** A row with its place in the list. */
export interface Listed<T> {
  readonly position: ListPosition
  readonly item: T
}

/** Which part of a list to read: after a place, or from an offset (0-based); at most `limit` rows. */
export interface ListPart {
  readonly from: ListPosition | number
  readonly limit: number
}

/** Which part of a list to read in the order of folded names, rows of the same name in creation order. */
export interface NamePart {
  /** After a place of such a list, or from an offset (0-based). */
  readonly from: Required<ListPosition> | number
  readonly limit: number
  /** The names backwards; rows of the same name stay in creation order. */
  readonly isDescending: boolean
}

/** A row with its place in a list that is in the order of names. */
export interface ListedByName<T> extends Listed<T> {
  readonly position: Required<ListPosition>
}

/** What a SCIM answer shows of a user, with the groups that it is a direct member of. */
export interface FoundUser extends StoredResource {
  readonly groups: readonly GroupReference[]
}

/** What keeps directories. An entry of the audit trail is written with the change, when there is one. */
export interface DirectoryRecords {
  createDirectory(directory: Directory, audit?: AuditWrite): Promise<void>
  getDirectory(id: string): Promise<Directory | undefined>
  /** In creation order. `after` is the last directory of the part before. */
  listDirectories(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]>
  /**
   * Stores the directory when the stored revision is the one before `directory.revision`. When it gets its first
   * endpoint, delivery starts at the events that follow.
   */
  replaceDirectory(directory: Directory, audit?: AuditWrite): Promise<'replaced' | DirectoryChanged>
  /** Deletes the directory with all that it holds; false when there is none. */
  deleteDirectory(id: string, audit?: AuditWrite): Promise<boolean>
}

export interface DirectoryListPart {
  readonly after?: Pick<Directory, 'id' | 'createdAt'> | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/**
 * What provisioning asks of a store. Each call is atomic: the change and its events are committed together, the events
 * numbered without gaps, or nothing is. Concurrent calls share commits.
 */
export interface ProvisioningStore {
  /** The name is taken in any letter case, within the directory (RFC 7643 §4.1.1). */
  createUser(
    directory: DirectoryRevision,
    user: IndexedUser,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'user-name-taken' | DirectoryChanged>
  /** Stores `after` where the stored version is that of `before`. */
  replaceUser(
    directory: DirectoryRevision,
    before: IndexedUser,
    after: IndexedUser,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'user-name-taken' | 'version-mismatch' | DirectoryChanged>
  /** Deletes the user at that version. It leaves its groups, whose versions change. */
  deleteUser(
    directory: DirectoryRevision,
    user: IndexedUser,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'version-mismatch' | DirectoryChanged>

  /** Creates the group, then its members with an event each. */
  createGroup(
    directory: DirectoryRevision,
    group: Group,
    members: MemberChanges,
    event: EventDraft,
    cause: Cause,
  ): Promise<MembersCommitted | DirectoryChanged>
  /** Stores `after` where the stored version is that of `before`, then changes its members. */
  replaceGroup(
    directory: DirectoryRevision,
    before: Group,
    after: Group,
    members: MemberChanges,
    event: EventDraft,
    cause: Cause,
  ): Promise<MembersCommitted | 'version-mismatch' | DirectoryChanged>
  /**
   * Changes the members alone: changes of different members never conflict. The group gets a new version when a member
   * really came or went. With a `version`, only where the group has that one.
   */
  changeMembers(
    directory: DirectoryRevision,
    groupId: string,
    members: MemberChanges,
    version: number | undefined,
    cause: Cause,
  ): Promise<MembersCommitted | 'group-not-found' | 'version-mismatch' | DirectoryChanged>
  /** Deletes the group at that version; its members leave silently. */
  deleteGroup(
    directory: DirectoryRevision,
    group: Pick<Group, 'id' | 'version'>,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'version-mismatch' | DirectoryChanged>
}

/** What reads ask of a store; every list is in creation order. */
export interface DirectoryReads {
  getUser(directoryId: string, id: string): Promise<User | undefined>
  /** Those of these users that there are, by id; at most 1,000 at a time. */
  getUsers(directoryId: string, ids: readonly string[]): Promise<Map<string, User>>
  getUserWithGroups(directoryId: string, id: string): Promise<FoundUser | undefined>
  countUsers(directoryId: string): Promise<number>
  listUsers(directoryId: string, part: ListPart): Promise<Listed<User>[]>
  /** In the order of the folded userName; every user has another. */
  listUsersByName(directoryId: string, part: NamePart): Promise<ListedByName<User>[]>
  /** The users that meet every equality, which are looked up by index. Texts are compared as their attribute asks. */
  findUsers(directoryId: string, equalities: readonly Equality[], part: ListPart): Promise<Listed<FoundUser>[]>
  countFoundUsers(directoryId: string, equalities: readonly Equality[]): Promise<number>
  /** The groups of each user, by user id; at most 1,000 users at a time. */
  groupsOfUsers(directoryId: string, userIds: readonly string[]): Promise<Map<string, GroupReference[]>>

  getGroup(directoryId: string, id: string): Promise<Group | undefined>
  /** Those of these groups that there are, by id; at most 1,000 at a time. */
  getGroups(directoryId: string, ids: readonly string[]): Promise<Map<string, Group>>
  countGroups(directoryId: string): Promise<number>
  listGroups(directoryId: string, part: ListPart): Promise<Listed<Group>[]>
  /** In the order of the folded displayName. */
  listGroupsByName(directoryId: string, part: NamePart): Promise<ListedByName<Group>[]>
  findGroups(directoryId: string, equalities: readonly Equality[], part: ListPart): Promise<Listed<Group>[]>
  countFoundGroups(directoryId: string, equalities: readonly Equality[]): Promise<number>
  listMembers(directoryId: string, groupId: string, part: ListPart): Promise<Listed<Member>[]>
}

/** Everything that the domain asks to be stored. */
export type DirectoryStore = DirectoryRecords & ProvisioningStore & DirectoryReads
