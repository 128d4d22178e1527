import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../../directory/directory-store.ts'
import { groupTexts, termsOf } from '../../directory/search-terms.ts'
import { namesGroup } from '../../mapping/compiled.ts'
import type { GroupChange } from '../group-changes.ts'
import { claimedName, decideGroupChange, groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { affectedUsers } from '../mapped-users.ts'
import { endedMemberships, memberRemovalRuns, membershipRemovals } from '../removals.ts'
import { integer } from '../row.ts'
import type { ProvisioningParts, WriteDirectory } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { nextRowSequence } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { GroupRows } from './group-rows.ts'
import type { LargeChanges } from './large-changes.ts'
import type { LeaveGroups } from './members.ts'
import { rowKey } from './row-key.ts'

type GroupProvisioning = Pick<ProvisioningStore, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'>

/** Provisioning of groups and members on SQLite. */
export function sqliteGroups(
  parts: ProvisioningParts,
  rows: GroupRows,
  large: LargeChanges,
  commits: GroupCommit,
): GroupProvisioning {
  const { db, counts, members } = parts
  const changeAtOnce = createChangeGroup(parts, rows)
  const deletion = createDeleteGroup(parts)
  const deleteAtOnce = createDeleteAtOnce(parts)
  const behindGate = createWriteDirectory(db, commits)

  /** Measures the members that a change touches, unless they are few, or more than are changed at once. */
  function isLarge(directoryId: string, groupChange: GroupChange<string>): boolean {
    const { groupId, members: memberChanges } = groupChange
    const present = memberChanges.kind === 'replace' ? counts.total(directoryId, groupId) : 0
    const count = countNamed(memberChanges) + present
    if (count <= fewMembers || count > maxMembersAtOnce) return count > maxMembersAtOnce
    const named = members.userBytes(directoryId, namedIds(memberChanges)).values()
    const userBytes = [...named, present === 0 ? 0 : members.bytesOfMembers(directoryId, groupId)].reduce(
      (sum, bytes) => sum + bytes,
      0,
    )
    return isLargeChange(groupChange, { count, userBytes, groupBytes: rows.bytes(directoryId, groupId) })
  }

  const change: ChangeGroup = (revision, groupChange) => {
    return isLarge(revision.id, groupChange) ? large.change(revision, groupChange) : changeAtOnce(revision, groupChange)
  }

  return {
    createGroup: (revision, group, members, event, cause) =>
      change(revision, groupCreation(group, members, event, cause)),
    replaceGroup: (revision, before, after, members, event, cause) =>
      change(revision, groupReplacement(before, after, members, event, cause)),
    changeMembers: (revision, groupId, members, version, cause) =>
      change(revision, memberChange(groupId, members, version, cause)),
    deleteGroup: (revision, group, event, cause) =>
      counts.total(revision.id, group.id) > maxMembersAtOnce || members.isInMany(revision.id, group.id)
        ? large.delete(revision, group.id, (leave) => deletion(behindGate, leave)(revision, group, event, cause))
        : deleteAtOnce(revision, group, event, cause),
  }
}

type ChangeGroup = <R extends string>(
  revision: DirectoryRevision,
  change: GroupChange<R>,
) => Promise<MembersCommitted | R | DirectoryChanged>

/** Makes the change of a group in one write. */
export function createChangeGroup(parts: ProvisioningParts, groups: GroupRows): ChangeGroup {
  const { write, record, counts, members, removed: removals, limitOf, mapped } = parts
  return (revision: MappedRevision, change) =>
    write(revision, (directory) => {
      const { kind, groupId, members: memberChanges, cause } = change
      const stored = kind === 'create' ? undefined : groups.find(directory.id, groupId)
      const claimed = revision.uniqueGroupNames === true ? claimedName(change, stored) : undefined
      const started = change.start(stored, claimed !== undefined && groups.isNameTaken(directory.id, claimed, groupId))
      if (typeof started === 'string') return started
      const facts = members.facts(directory.id, groupId, memberChanges)
      const decision = decideGroupChange(started, memberChanges, facts, nextRowSequence(directory) - 1)
      const { group, events, added, removed, skipped } = decision
      if (events.length > 0) groups.write(directory, revision.product, kind, group)
      if (kind === 'create') counts.add(directory.id, 'groups', nextRowSequence(directory))
      const recorded = record(directory, events, cause, { memberships: added.length - removed.size })
      members.change(directory.id, groupId, added, removed)
      const joining = kind === 'create' ? [] : added.map(({ id }) => id)
      const undone = removals.takeMemberships(directory.id, groupId, joining)
      const runs = memberRemovalRuns(recorded, directory.memberships, undone)
      if (runs.length > 0) {
        const leaving = [...removed].filter((id) => facts.users.has(id))
        const ended = endedMemberships(recorded, groupId, leaving)
        removals.count(directory, limitOf(revision), membershipRemovals(runs, ended, cause.at))
      }
      const changed = [...removed, ...added.map(({ id }) => id)]
      const affected = affectedUsers(revision.compiled, stored, group, changed)
      if (affected === undefined || revision.compiled === undefined) return { events: recorded, group, skipped }
      const { usersAtOnce } = revision.compiled
      const present = affected.areMembers ? mapped.membersOf(directory.id, groupId, usersAtOnce + 1) : []
      const after = { ...directory, lastSequence: directory.lastSequence + recorded.length }
      const userIds = [...new Set([...affected.userIds, ...present])]
      const evaluated = mapped.reevaluate(after, revision.compiled, userIds, cause)
      return { events: [...recorded, ...evaluated], group, skipped }
    })
}

/** Makes the deletion of a group in one write. */
export function createDeleteAtOnce(parts: ProvisioningParts): GroupProvisioning['deleteGroup'] {
  const { db, write, members } = parts
  const removeMembers = db.prepare('delete from members where directory_id = ? and group_id = ?')
  return createDeleteGroup(parts)(write, (directoryId, id, at) => {
    removeMembers.run(directoryId, id)
    return members.leaveGroups(directoryId, id, at)
  })
}

/** Makes the deletion of a group, with what writes it and what ends the memberships of the group in others. */
function createDeleteGroup({ db, record, counts, removed, terms, limitOf, mapped }: ProvisioningParts) {
  const remove = db.prepare(
    'delete from groups where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  return (write: WriteDirectory, leaveGroups: LeaveGroups): GroupProvisioning['deleteGroup'] =>
    (revision: MappedRevision, group, event, cause) =>
      write(revision, (directory) => {
        const { id, version } = group
        const compiled = revision.compiled && namesGroup(revision.compiled, group) ? revision.compiled : undefined
        const members = compiled && mapped.membersOf(directory.id, id, compiled.usersAtOnce + 1)
        const row = remove.get(directory.id, id, version)
        if (row === undefined) return 'version-mismatch'
        const sequence = integer(row, 'sequence')
        const owner = { product: revision.product, kind: 'group', rowKey: rowKey(directory.number, sequence) } as const
        terms.remove(owner, termsOf(groupTexts(group)))
        counts.remove(directory.id, 'groups', sequence)
        const removals = counts.total(directory.id, id)
        counts.drop(directory.id, id)
        const memberships = -removals - leaveGroups(directory.id, id, cause.at)
        const events = record(directory, [event], cause, { memberships })
        const run = {
          ...{ sequence: directory.lastSequence + 1, removals },
          ...{ hasEventEach: false, before: directory.memberships },
        }
        if (removals > 0) removed.count(directory, limitOf(revision), membershipRemovals([run], [], cause.at))
        if (compiled === undefined || members === undefined) return { events }
        const after = { ...directory, lastSequence: directory.lastSequence + events.length }
        return { events: [...events, ...mapped.reevaluate(after, compiled, members, cause)] }
      })
}
