import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import type { Cause } from '../../directory/event.ts'
import { returnedFrom } from '../../directory/returned-users.ts'
import { termsOf } from '../../directory/search-terms.ts'
import type { IndexedUser, ReplacedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import type { MappedRevision, MappedState, RoleChange } from '../mapped-users.ts'
import { mappedCreation, mappedReplacement, rolesOf } from '../mapped-users.ts'
import type { UserPresence } from '../removals.ts'
import { userRemovals } from '../removals.ts'
import { integer, text } from '../row.ts'
import { createDeletedUsers, createPruneDeletedUsers } from './deleted-users.ts'
import { createOpenDeprovisionings } from './deprovisionings.ts'
import type { ProvisioningParts, WriteDirectory } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { DirectoryState } from './events.ts'
import { nextRowSequence } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LargeChanges } from './large-changes.ts'
import type { LeaveGroups } from './members.ts'
import type { NumberedDirectory } from './row-key.ts'
import { rowKey } from './row-key.ts'
import type { TermOwner } from './search-terms.ts'

interface ChangedRoles extends Pick<RoleChange, 'gained' | 'lost'> {
  readonly user: Pick<IndexedUser, 'id'>
  readonly state: Pick<MappedState, 'position'>
}

type UserProvisioning = Pick<ProvisioningStore, 'createUser' | 'replaceUser' | 'deleteUser' | 'pruneDeletedUsers'>

/** Provisioning of users on SQLite. */
export function sqliteUsers(
  { db, write, record, counts, members, removed, terms, limitOf, mapped }: ProvisioningParts,
  large: Pick<LargeChanges, 'delete'>,
  commits: GroupCommit,
): UserProvisioning {
  const behindGate = createWriteDirectory(db, commits)
  const [insertUser, updateUser, deleteUser] = [createInsertUser(db), createUpdateUser(db), createDeleteUser(db)]
  const openDeprovisionings = createOpenDeprovisionings(db)
  const deleted = createDeletedUsers(db)
  const keyOf = db.prepare('select row_key from users where directory_id = ? and id = ?')
  const ownerOf = ({ product }: DirectoryRevision, userKey: number): TermOwner => {
    return { product, kind: 'user', rowKey: userKey }
  }
  const byName = db.prepare('select id from users where directory_id = ? and user_name_folded = ?')

  function isNameTaken(directoryId: string, { id, userName }: IndexedUser): boolean {
    const row = byName.get(directoryId, fold(userName))
    return row !== undefined && text(row, 'id') !== id
  }

  /** Counts a user who was removed or came back. Memberships that end with the user do not count by themselves. */
  function countPresence(
    revision: DirectoryRevision,
    directory: DirectoryState,
    presence: Omit<UserPresence, 'sequence'>,
    { at }: Cause,
  ): void {
    const stored = removed.removedUsers(directory.id, presence.user)
    if (presence.change === 'returned' && stored.length === 0) return
    const changes = [{ ...presence, sequence: directory.lastSequence + 1 }]
    removed.count(directory, limitOf(revision), userRemovals(changes, stored, directory.activeUsers, at))
  }

  /** Writes the roles that a user gains and loses by the next event of the directory. */
  function writeRoles(
    { compiled }: MappedRevision,
    directory: DirectoryState,
    { user, state: { position }, ...roles }: ChangedRoles,
    { at }: Cause,
  ): void {
    if (compiled === undefined || roles.gained.length + roles.lost.length === 0) return
    const sequence = directory.lastSequence + 1
    mapped.writeRoles(directory, compiled, [{ userId: user.id, position, sequence, ...roles }], at)
  }

  const deletion =
    (write: WriteDirectory, leaveGroups: LeaveGroups): UserProvisioning['deleteUser'] =>
    (revision: MappedRevision, user, event, cause) =>
      write(revision, (directory) => {
        const had = revision.compiled && mapped.state(directory.id, user.id)
        const sequence = deleteUser(directory.id, user)
        if (sequence === undefined) return 'version-mismatch'
        counts.remove(directory.id, 'users', sequence)
        terms.remove(ownerOf(revision, rowKey(directory.number, sequence)), termsOf(user.searched))
        const memberships = -leaveGroups(directory.id, user.id, cause.at)
        const events = record(directory, [event], cause, { activeUsers: -Number(user.active), memberships })
        openDeprovisionings(directory.id, user, events, cause)
        deleted.keep(directory.id, user, cause.at)
        countPresence(revision, directory, { user, change: 'removed', wasActive: user.active }, cause)
        if (had !== undefined)
          writeRoles(revision, directory, { user, state: had, gained: [], lost: rolesOf(had) }, cause)
        return { events }
      })

  return {
    createUser: (revision: MappedRevision, given, givenEvent, cause) =>
      write(revision, (directory) => {
        const sequence = nextRowSequence(directory)
        const former = deleted.find(directory, given)
        const returned =
          former === undefined ? { user: given, event: givenEvent } : returnedFrom(given, givenEvent, former)
        const { user, event, gained } = revision.compiled
          ? mappedCreation(revision.compiled, returned.user, returned.event)
          : { ...returned, gained: [] }
        if (!insertUser(directory, user, sequence)) return 'user-name-taken'
        if (former !== undefined) deleted.forget(directory.id, former.id)
        counts.add(directory.id, 'users', sequence)
        terms.create(ownerOf(revision, rowKey(directory.number, sequence)), termsOf(user.searched))
        const events = record(directory, [event], cause, { activeUsers: Number(user.active) })
        if (user.active) countPresence(revision, directory, { user, change: 'returned', wasActive: false }, cause)
        writeRoles(revision, directory, { user, state: { position: sequence }, gained, lost: [] }, cause)
        return { events }
      }),
    replaceUser: (revision: MappedRevision, before, given, givenEvent, cause) =>
      write(revision, (directory) => {
        if (before.userName !== given.userName && isNameTaken(directory.id, given)) return 'user-name-taken'
        const state = revision.compiled && mapped.state(directory.id, given.id)
        const replaced = { user: given, event: givenEvent, gained: [], lost: [] }
        const {
          user: after,
          event,
          gained,
          lost,
        } = revision.compiled && state ? mappedReplacement(revision.compiled, given, state, givenEvent) : replaced
        if (!updateUser(directory.id, before, after)) return 'version-mismatch'
        const findOwner = () => ownerOf(revision, integer(keyOf.get(directory.id, after.id) ?? {}, 'row_key'))
        terms.change(findOwner, before.searched, after.searched)
        const activeUsers = Number(after.active) - Number(before.active)
        const events = record(directory, [event], cause, { activeUsers })
        openDeprovisionings(directory.id, after, events, cause)
        if (activeUsers !== 0) {
          const change = before.active ? 'removed' : 'returned'
          countPresence(revision, directory, { user: after, change, wasActive: before.active }, cause)
        }
        if (state !== undefined) writeRoles(revision, directory, { user: after, state, gained, lost }, cause)
        return { events }
      }),
    deleteUser: (revision, user, event, cause) =>
      members.isInMany(revision.id, user.id)
        ? large.delete(revision, user.id, (leave) => deletion(behindGate, leave)(revision, user, event, cause))
        : deletion(write, members.leaveGroups)(revision, user, event, cause),
    pruneDeletedUsers: createPruneDeletedUsers(db, commits),
  }
}

/** Inserts a user with the sequence number of its event; returns false when its userName is taken. */
function createInsertUser(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into users (row_key, directory_id, id, sequence, created_at, version, updated_at, name_is_email, display_name,
      email, first_name, last_name, raw, mapped, user_name, user_name_folded, external_id, active, returned_from)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (directory_id, user_name_folded) do nothing`)
  const { insertEmail } = emailStatements(db)
  return ({ id: directoryId, number }: NumberedDirectory, user: IndexedUser, sequence: number): boolean => {
    const key = rowKey(number, sequence)
    const identity = [key, directoryId, user.id, sequence, user.createdAt] as const
    const values = [...unindexedValues(user), ...indexedValues(user)] as const
    const { changes } = insert.run(...identity, user.version, ...values, user.returnedFrom ?? null)
    if (changes === 0) return false
    for (const email of storedEmails(user)) insertEmail.run(directoryId, email, user.id)
    return true
  }
}

/**
 * Stores `after` over `before`; returns false when the stored version is another. SQLite writes to the index of every column
 * that a statement assigns, even the same value, so most changes assign only those without an index.
 */
function createUpdateUser(db: DatabaseSync) {
  const prepare = (indexed: string) =>
    db.prepare(`
      update users set version = ?, updated_at = ?, name_is_email = ?, display_name = ?, email = ?, first_name = ?,
        last_name = ?, raw = ?, mapped = ?${indexed}
      where directory_id = ? and id = ? and version = ?`)
  const update = prepare('')
  const updateIndexed = prepare(', user_name = ?, user_name_folded = ?, external_id = ?, active = ?')
  const { insertEmail, deleteEmail } = emailStatements(db)
  return (directoryId: string, before: ReplacedUser, after: IndexedUser): boolean => {
    const values = [after.version, ...unindexedValues(after)] as const
    const key = [directoryId, before.id, before.version] as const
    const { changes } = sameIndexed(before, after)
      ? update.run(...values, ...key)
      : updateIndexed.run(...values, ...indexedValues(after), ...key)
    if (changes === 0) return false
    const [had, has] = [storedEmails(before), storedEmails(after)]
    for (const email of had) if (!has.includes(email)) deleteEmail.run(directoryId, email, before.id)
    for (const email of has) if (!had.includes(email)) insertEmail.run(directoryId, email, after.id)
    return true
  }
}

/** Deletes a user; returns the sequence number of its row, undefined when the stored version is another. */
function createDeleteUser(db: DatabaseSync) {
  const remove = db.prepare(
    'delete from users where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  const { deleteEmail } = emailStatements(db)
  return (directoryId: string, user: IndexedUser): number | undefined => {
    const row = remove.get(directoryId, user.id, user.version)
    if (row === undefined) return undefined
    for (const email of storedEmails(user)) deleteEmail.run(directoryId, email, user.id)
    return integer(row, 'sequence')
  }
}

function emailStatements(db: DatabaseSync) {
  return {
    insertEmail: db.prepare(
      'insert into user_emails (directory_id, email, user_id) values (?, ?, ?) on conflict do nothing',
    ),
    deleteEmail: db.prepare('delete from user_emails where directory_id = ? and email = ? and user_id = ?'),
  }
}

/** The values of the columns without an index that a change may change, after the version. */
function unindexedValues(user: IndexedUser) {
  const isNameEmail = user.emails.includes(fold(user.userName))
  const { updatedAt, displayName, email, firstName, lastName, raw, mapped } = user
  return [updatedAt, Number(isNameEmail), displayName, email, firstName, lastName, raw, mapped ?? null] as const
}

function indexedValues({ userName, externalId, active }: IndexedUser) {
  return [userName, fold(userName), externalId ?? null, Number(active)] as const
}

function sameIndexed(before: ReplacedUser, after: IndexedUser): boolean {
  return before.userName === after.userName && before.externalId === after.externalId && before.active === after.active
}

/**
 * The email addresses that have a row: all but the one that is the userName, which is the only address of most users. Each
 * row costs a page of its own in the commit, as addresses are in no order.
 */
function storedEmails({ emails, userName }: ReplacedUser): readonly string[] {
  const folded = fold(userName)
  return emails.filter((email) => email !== folded)
}
