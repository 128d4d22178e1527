import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Cause, EventDraft } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { MemberFacts, MemberOutcome } from '../../directory/member-changes.ts'
import { decideMemberChanges } from '../../directory/member-changes.ts'
import type { MembersCommitted, ProvisioningStore } from '../../directory/store.ts'
import type { User } from '../../directory/user.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import { memberPlaces } from '../member-places.ts'
import { groupOf, userOf } from '../resource-rows.ts'
import { integer } from '../row.ts'
import type { DirectoryState } from './events.ts'
import { createRecordEvents } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import { groupStatements } from './groups.ts'
import type { ListCounts } from './list-counts.ts'
import { memberStatements } from './members.ts'
import { userStatements } from './users.ts'

/** Provisioning on SQLite: every call is one write of the group commit. */
export function sqliteProvisioning(db: DatabaseSync, { write }: GroupCommit, counts: ListCounts): ProvisioningStore {
  const users = userStatements(db)
  const groups = groupStatements(db)
  const members = memberStatements(db)
  const record = createRecordEvents(db)
  const state = db.prepare('select number, last_sequence from directory_state where directory_id = ? and revision = ?')

  /** The directory as its writes need it; undefined when its record is not at that revision. */
  function stateOf({ id, revision }: DirectoryRevision): DirectoryState | undefined {
    const row = state.get(id, revision)
    return row && { id, number: integer(row, 'number'), lastSequence: integer(row, 'last_sequence') }
  }

  function memberFacts(directoryId: string, { id: groupId }: Group, changes: MemberChanges): MemberFacts {
    const wanted = changes.kind === 'replace' ? changes.members : changes.add
    const present =
      changes.kind === 'replace'
        ? members.allMembers(directoryId, groupId)
        : members.presentAmong(directoryId, groupId, [...wanted.keys(), ...changes.remove])
    const coming = [...wanted.keys()].filter((id) => !present.has(id))
    const going = [...present.keys()].filter((id) => !wanted.has(id))
    const found = new Map<string, User>()
    for (const id of [...coming, ...going]) {
      const row = users.userRow(directoryId, id)
      if (row !== undefined) found.set(id, userOf(row))
    }
    const nested = coming.filter((id) => !found.has(id) && groups.groupRow(directoryId, id) !== undefined)
    return { present, users: found, groups: new Set(nested) }
  }

  /** Applies what was decided; `first` is the sequence number of the first event that tells of it. */
  function applyMembers(directoryId: string, groupId: string, outcome: MemberOutcome, first: number): void {
    for (const id of outcome.removed) {
      counts.countOut(directoryId, groupId, members.removeMember(directoryId, groupId, id))
    }
    for (const { id, memberType, sequence } of memberPlaces(outcome, first)) {
      members.insertMember(directoryId, groupId, id, memberType, sequence)
      counts.countIn(directoryId, groupId, sequence)
    }
  }

  /** Changes the members of a stored group, after the events that were made before. */
  function changeMembersOf(
    directory: DirectoryState,
    group: Group,
    changes: MemberChanges,
    before: readonly EventDraft[],
    cause: Cause,
  ): MembersCommitted {
    const outcome = decideMemberChanges(group, changes, memberFacts(directory.id, group, changes))
    const events = record(directory, [...before, ...outcome.events], cause)
    applyMembers(directory.id, group.id, outcome, directory.lastSequence + before.length + 1)
    return { events, group, skipped: outcome.skipped }
  }

  function leaveGroups(directoryId: string, memberId: string, at: number): void {
    for (const { groupId, sequence } of members.leaveGroups(directoryId, memberId)) {
      counts.countOut(directoryId, groupId, sequence)
      groups.touchGroup(directoryId, groupId, at)
    }
  }

  return {
    createUser: (directory, user, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        if (!users.insertUser(at, user, at.lastSequence + 1)) return 'user-name-taken'
        counts.countIn(at.id, 'users', at.lastSequence + 1)
        return { events: record(at, [event], cause) }
      }),
    replaceUser: (directory, before, after, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        if (before.userName !== after.userName && users.isNameTaken(directory.id, after)) return 'user-name-taken'
        if (!users.updateUser(directory.id, before, after)) return 'version-mismatch'
        return { events: record(at, [event], cause) }
      }),
    deleteUser: (directory, user, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        const sequence = users.deleteUser(directory.id, user)
        if (sequence === undefined) return 'version-mismatch'
        counts.countOut(directory.id, 'users', sequence)
        leaveGroups(directory.id, user.id, cause.at)
        return { events: record(at, [event], cause) }
      }),
    createGroup: (directory, group, changes, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        groups.insertGroup(at, group, at.lastSequence + 1)
        counts.countIn(at.id, 'groups', at.lastSequence + 1)
        return changeMembersOf(at, group, changes, [event], cause)
      }),
    replaceGroup: (directory, before, after, changes, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        if (!groups.updateGroup(directory.id, before, after)) return 'version-mismatch'
        return changeMembersOf(at, after, changes, [event], cause)
      }),
    changeMembers: (directory, groupId, changes, version, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        const row = groups.groupRow(directory.id, groupId)
        if (row === undefined) return 'group-not-found'
        if (version !== undefined && version !== row.version) return 'version-mismatch'
        const group = groupOf(row)
        const outcome = changeMembersOf(at, group, changes, [], cause)
        if (outcome.events.length === 0) return outcome
        groups.touchGroup(directory.id, groupId, cause.at)
        return { ...outcome, group: { ...group, version: group.version + 1, updatedAt: cause.at } }
      }),
    deleteGroup: (directory, group, event, cause) =>
      write(() => {
        const at = stateOf(directory)
        if (at === undefined) return 'directory-changed'
        const sequence = groups.deleteGroup(directory.id, group)
        if (sequence === undefined) return 'version-mismatch'
        counts.countOut(directory.id, 'groups', sequence)
        counts.dropList(directory.id, group.id)
        leaveGroups(directory.id, group.id, cause.at)
        return { events: record(at, [event], cause) }
      }),
  }
}
