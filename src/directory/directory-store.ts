import type { Equality } from '../scim/filter/narrow.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import type { Abridged } from './abridged.ts'
import type { AuditWrite } from './audit.ts'
import type { Directory, DirectoryRevision, DirectoryScope, NamedScope } from './directory.ts'
import type { Cause, EventDraft, EventWrite, StoredEvent } from './event.ts'
import type { Group, GroupReference, GroupView, Member } from './group.ts'
import type { ListChoice, ListPage, ListPart, ListPosition, ListRow } from './list.ts'
import type { Linked, Returned, StoredResource } from './resource.ts'
import type { Recognizable } from './returned-users.ts'
import type { IndexedUser, ReplacedUser, User, UserView } from './user.ts'

/** A committed change and its events. */
export interface Committed {
  readonly events: readonly StoredEvent[]
  readonly furtherEvents?: FurtherEvents
}

/** Further events of a change that has too many to hold in memory; they are read from the store page by page. */
export interface FurtherEvents extends AsyncIterable<StoredEvent> {
  /** The number of characters of their data and changes. */
  readonly characters: number
  readonly lastSequence: number
}

/** A committed change of members: the group after the change, and the ids that no user or group has. */
export interface MembersCommitted extends Committed {
  readonly group: Group
  readonly skipped: readonly string[]
}

/**
 * The outcome of a write whose directory was changed or deleted after the request was authorized: nothing is written.
 */
export type DirectoryChanged = 'directory-changed'

/**
 * A condition on users that an index can answer. `email` matches one of the addresses, or the userName of a user
 * without any; `accountId` is the account in the product; `role` is a role that a mapping gives, and is the only condition of its list.
 */
export type UserEquality = Equality | { readonly attribute: 'accountId' | 'email' | 'role'; readonly value: string }

/**
 * A user in a list. The groups are those that it is a direct member of; they are present only if they are few and were
 * read.
 */
export interface ListedUser extends Abridged<StoredResource & UserView> {
  readonly groups?: readonly GroupReference[] | undefined
}

/** A group in a list. The members are present only if they are few and were read. */
export interface ListedGroup extends Abridged<StoredResource & GroupView> {
  readonly members?: readonly Member[] | undefined
}

/** A user with the first `firstGroups` groups that it is a direct member of. */
export interface FoundUser extends StoredResource, Returned, Linked {
  readonly userName: string
  readonly groups: readonly GroupReference[]
}

/** Like `FoundUser`, with every field of the user. */
export type UserInGroups = User & Pick<FoundUser, 'groups'>

/** The storage of directories. An audit entry is committed together with its change. */
export interface DirectoryRecords {
  /**
   * Creates a directory unless its tenant has `maxPerScope` directories for its product; 0 means unlimited. Exact for
   * concurrent calls with an audit entry.
   */
  createDirectory(
    directory: Directory,
    audit?: AuditWrite,
    maxPerScope?: number,
    event?: EventWrite,
  ): Promise<'created' | 'too-many-directories'>
  /** @param which `leaving`: also a deleted directory whose last events are still sent */
  getDirectory(id: string, which?: 'leaving'): Promise<Directory | undefined>
  /** At most a thousand deleted directories of a tenant for a product whose last events are kept, the earliest first. */
  leavingDirectories(scope: { readonly tenant: string; readonly product: string }): Promise<Directory[]>
  /** The existing directories among these ids, by id; at most a few hundred at a time. */
  getDirectories(ids: readonly string[]): Promise<Map<string, Directory>>
  /** The directories of a scope in creation order. `after` is the last directory of the previous part. */
  listDirectories(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]>
  /**
   * At most `limit` directories of a scope whose name or tenant begins with `prefix`, in creation order. The comparison
   * ignores the case of the letters A to Z.
   */
  findDirectories(scope: DirectoryScope, prefix: string, limit: number): Promise<Directory[]>
  /**
   * Stores the directory if the stored revision is the one before `directory.revision`. When it gets its first
   * endpoint, delivery starts at the events that follow.
   */
  replaceDirectory(
    directory: Directory,
    audit?: AuditWrite,
    options?: ReplaceDirectoryOptions,
  ): Promise<'replaced' | DirectoryChanged>
  /** Returns whether anything in the directory ever changed, even if no event about it is left. */
  hadEvents(id: string): Promise<boolean>
  /**
   * Deletes the directory with everything in it, and revokes the setup links that name it; false when it does not
   * exist. Its events are kept if the deletion has one: it is the last, in place of those that are held, and a paused
   * stream goes on.
   *
   * @param at time of the deletion, in Unix milliseconds
   */
  deleteDirectory(id: string, at: number, audit?: AuditWrite, event?: EventWrite): Promise<boolean>
}

export interface ReplaceDirectoryOptions {
  /** Replaces only a directory in which nothing ever changed; otherwise the result is that of a changed revision. */
  readonly onlyWithoutEvents?: boolean
  /** Begins a run over the users of the directory, as its settings concern them. */
  readonly run?: Pick<Cause, 'requestId' | 'at'> | undefined
  readonly event?: EventWrite | undefined
}

export interface DirectoryListPart {
  readonly after?: Pick<Directory, 'id' | 'createdAt'> | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/**
 * The storage of changes to users and groups. Each call is atomic: the change and its events, numbered without gaps,
 * are committed together or not at all. Concurrent calls share commits.
 */
export interface ProvisioningStore {
  /**
   * userNames are unique within the directory, in any letter case (RFC 7643 §4.1.1). If the user is recognized, it and
   * the event say so: see `returnedFrom`.
   */
  createUser(
    directory: DirectoryRevision,
    user: Recognizable<IndexedUser>,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'user-name-taken' | DirectoryChanged>
  /** Stores `after` if the stored version is that of `before`. */
  replaceUser(
    directory: DirectoryRevision,
    before: ReplacedUser,
    after: IndexedUser,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'user-name-taken' | 'version-mismatch' | DirectoryChanged>
  /**
   * Deletes the user if it has this version, and its memberships. The versions of its groups change. With a
   * recognition, the digests of its names are kept.
   */
  deleteUser(
    directory: DirectoryRevision,
    user: Recognizable<IndexedUser>,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'version-mismatch' | DirectoryChanged>
  /** Forgets at most `limit` users, in all directories, who were deleted before a time. Returns the number. */
  pruneDeletedUsers(before: number, limit: number): Promise<number>

  /**
   * Creates the group, then its members with an event each. In a directory with unique group names, a group cannot get
   * the name of another one, in any letter case; groups that already share a name keep it.
   */
  createGroup(
    directory: DirectoryRevision,
    group: Group,
    members: MemberChanges,
    event: EventDraft,
    cause: Cause,
  ): Promise<MembersCommitted | 'group-name-taken' | DirectoryChanged>
  /** Stores `after` if the stored version is that of `before`, then changes its members. */
  replaceGroup(
    directory: DirectoryRevision,
    before: Group,
    after: Group,
    members: MemberChanges,
    event: EventDraft,
    cause: Cause,
  ): Promise<MembersCommitted | 'group-name-taken' | 'version-mismatch' | DirectoryChanged>
  /**
   * Changes only the members, so that changes of different members never conflict. The group gets a new version if a
   * member was added or removed. If `version` is set, the change is made only if the group has that version.
   */
  changeMembers(
    directory: DirectoryRevision,
    groupId: string,
    members: MemberChanges,
    version: number | undefined,
    cause: Cause,
  ): Promise<MembersCommitted | 'group-not-found' | 'version-mismatch' | DirectoryChanged>
  /** Deletes the group if it has this version. Its memberships end without events of their own. */
  deleteGroup(
    directory: DirectoryRevision,
    group: Pick<Group, 'id' | 'version' | 'name' | 'externalId'>,
    event: EventDraft,
    cause: Cause,
  ): Promise<Committed | 'version-mismatch' | DirectoryChanged>
}

/** The position of a directory in the list of directories, which are in creation order. */
export type DirectoryPosition = Pick<Directory, 'id' | 'createdAt'>

/** A directory in a list without its secrets. */
export interface ListedDirectory extends DirectoryPosition {
  readonly tenant: string
}

/** A directory of a product, and whether it has any users, or any groups. */
export interface FilledDirectory extends ListedDirectory {
  readonly isEmpty: boolean
}

/** The place of a directory in the order of the last changes in directories of a product. */
export interface ChangedPosition {
  /** Minutes since 1970. */
  readonly minute: number
  readonly id: string
}

/** A part of a list of a directory. */
interface DirectoryPart extends ListPart {
  /** A scope that must contain the directory: otherwise there are no rows. It is looked up in the same round trip if possible. */
  readonly within?: NamedScope | undefined
}

/** A part of a list of users. */
export type UserListPart = DirectoryPart &
  ListChoice<UserEquality> & {
    /** Asks for the groups of users that are in few. A list may lack them, or have them unasked. */
    readonly withGroups?: boolean
  }

/** A part of a list of groups. */
export type GroupListPart = DirectoryPart & ListChoice

/** The maximum number of groups that are read together with a user. */
export const firstGroups = 100

/** The groups of a user are listed with it only if there are fewer than this. */
export const manyGroups = 20

/** The maximum number of members that are read together with their group. */
export const firstMembers = 100

/** The members of a group are listed with it only if there are fewer than this. */
export const manyMembers = 20

/** A user or group, and the directory that it is in. */
export interface InDirectory<T> {
  readonly directory: DirectoryPosition
  readonly found: T
}

/** A group with its first members. */
export interface GroupWithMembers {
  readonly group: Group
  /** The members in the order of `listMembers`. */
  readonly members: readonly ListRow<Member>[]
}

/** A member of a group without its name. */
export type MemberId = Omit<Member, 'display'>

/** A user whose fields are compared. */
export type ComparedUser = Omit<UserView, 'raw'>

/** The reads of users and groups. Lists are in creation order unless stated otherwise, and contain no large `raw`. */
export interface DirectoryReads {
  /** Like `listDirectories`, without reading the secrets. */
  listDirectoriesInScope(scope: DirectoryScope, part: DirectoryListPart): Promise<ListedDirectory[]>
  /** The first directories of a product from a position on, in creation order. */
  filledDirectories(
    product: string,
    kind: 'user' | 'group',
    from: DirectoryPosition,
    limit: number,
  ): Promise<FilledDirectory[]>
  /**
   * The directories of a product in which something has changed in a minute or later, in the order of their last changes. One
   * that changes while the list is read comes again.
   */
  changedDirectories(
    product: string,
    after: ChangedPosition,
    limit: number,
  ): Promise<(ListedDirectory & ChangedPosition)[]>
  getUser(directoryId: string, id: string): Promise<User | undefined>
  /** Searches all directories of a scope, which is a directory, or a tenant and a product. */
  findUserInScope(scope: DirectoryScope, id: string): Promise<InDirectory<UserInGroups> | undefined>
  /** The existing users among these ids, by id; at most 1,000 ids at a time. */
  getUsers(directoryId: string, ids: readonly string[]): Promise<Map<string, User>>
  /** The user and its first `firstGroups` groups. */
  getUserWithGroups(directoryId: string, id: string): Promise<FoundUser | undefined>
  /** The number of users, or of those that meet all equalities. */
  countUsers(directoryId: string, where?: readonly UserEquality[]): Promise<number>
  listUsers(directoryId: string, part: UserListPart): Promise<ListRow<ListedUser>[]>
  /** The ids of the users after a position, in creation order. */
  listUserIds(directoryId: string, part: ListPart): Promise<ListPosition[]>
  /**
   * Runs work on all users of a directory as they are at one moment: in parts, in no order, and holding nobody back. It is run again if its
   * transaction is repeated. Returns undefined if there is no such directory.
   *
   * @param work gets the sequence of the last event at that moment
   */
  readSnapshot<T>(
    directoryId: string,
    work: (sequence: number, parts: AsyncIterable<readonly ComparedUser[]>) => Promise<T>,
  ): Promise<T | undefined>
  /** A page of `listUsers` and the number of users. `withGroups` includes the groups of users that are in few. */
  pageOfUsers(directoryId: string, part: ListPart, withGroups: boolean): Promise<ListPage<ListedUser>>
  /** The first `firstGroups` groups of each user, by user id; at most 1,000 users at a time. */
  groupsOfUsers(directoryId: string, userIds: readonly string[]): Promise<Map<string, GroupReference[]>>
  /**
   * The groups that a user is a direct member of, in the order of their ids, starting after one of them ('' for the
   * first).
   */
  listGroupsOfUser(directoryId: string, userId: string, after: string, limit: number): Promise<GroupReference[]>

  getGroup(directoryId: string, id: string): Promise<Group | undefined>
  /** The group and its first `firstMembers` members, as of one moment. */
  getGroupWithMembers(directoryId: string, id: string): Promise<GroupWithMembers | undefined>
  /** Like `findUserInScope`. */
  findGroupInScope(scope: DirectoryScope, id: string): Promise<InDirectory<Group> | undefined>
  /** Like `findUserInScope` and `getGroupWithMembers`. */
  findGroupWithMembersInScope(scope: DirectoryScope, id: string): Promise<InDirectory<GroupWithMembers> | undefined>
  /** The existing groups among these ids, by id; at most 1,000 at a time. */
  getGroups(directoryId: string, ids: readonly string[]): Promise<Map<string, Group>>
  /** As `countUsers`. */
  countGroups(directoryId: string, where?: readonly Equality[]): Promise<number>
  /** The number of direct members of each group, users and groups, by group id; at most 1,000 groups at a time. */
  countMembers(directoryId: string, groupIds: readonly string[]): Promise<Map<string, number>>
  /** As `listUsers`. A change of members is a change of the group. */
  listGroups(directoryId: string, part: GroupListPart): Promise<ListRow<ListedGroup>[]>
  /** A page of `listGroups` and the number of groups. `withMembers` includes the members of groups that have few. */
  pageOfGroups(directoryId: string, part: ListPart, withMembers: boolean): Promise<ListPage<ListedGroup>>
  listMembers(directoryId: string, groupId: string, part: ListPart): Promise<ListRow<Member>[]>
  /** Like `listMembers`, without names. */
  listMemberIds(directoryId: string, groupId: string, part: ListPart): Promise<ListRow<MemberId>[]>
}

/** Everything that the domain requires of a store. */
export type DirectoryStore = DirectoryRecords & ProvisioningStore & DirectoryReads
