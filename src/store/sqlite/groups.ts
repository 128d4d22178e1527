import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../../directory/store.ts'
import type { GroupChange } from '../group-changes.ts'
import { decideGroupChange, groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import { memberRemovalRuns, membershipRemovals } from '../removals.ts'
import { integer } from '../row.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import { nextRowSequence } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { GroupRows } from './group-rows.ts'
import type { LargeChanges } from './large-changes.ts'

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
  const deleteAtOnce = createDeleteGroup(parts)
  const deleteBehindGate = createDeleteGroup({ ...parts, write: createWriteDirectory(db, commits) }, large)

  /** What a change touches is measured, unless there are few members, or more than are changed at once. */
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
      counts.total(revision.id, group.id) > maxMembersAtOnce
        ? large.closed(revision.id, () => deleteBehindGate(revision, group, event, cause))
        : deleteAtOnce(revision, group, event, cause),
  }
}

type ChangeGroup = <R extends string>(
  revision: DirectoryRevision,
  change: GroupChange<R>,
) => Promise<MembersCommitted | R | DirectoryChanged>

function createChangeGroup(parts: ProvisioningParts, groups: GroupRows): ChangeGroup {
  const { write, record, counts, members, countRemovals } = parts
  return (revision, { kind, groupId, members: memberChanges, cause, start }) =>
    write(revision, (directory) => {
      const started = start(kind === 'create' ? undefined : groups.find(directory.id, groupId))
      if (typeof started === 'string') return started
      const facts = members.facts(directory.id, groupId, memberChanges)
      const decision = decideGroupChange(started, memberChanges, facts, nextRowSequence(directory) - 1)
      const { group, events, added, removed, skipped } = decision
      if (events.length > 0) groups.write(directory, kind, group)
      if (kind === 'create') counts.add(directory.id, 'groups', nextRowSequence(directory))
      const recorded = record(directory, events, cause, { memberships: added.length - removed.size })
      members.change(directory.id, groupId, added, removed)
      const runs = memberRemovalRuns(recorded, directory.memberships)
      if (runs.length > 0) countRemovals(revision, directory, membershipRemovals(runs, cause.at))
      return { events: recorded, group, skipped }
    })
}

/** @param large the members are left to be removed in steps, as those of a large group are */
function createDeleteGroup(
  { db, write, record, counts, members, countRemovals }: ProvisioningParts,
  large?: Pick<LargeChanges, 'markDeleted'>,
): GroupProvisioning['deleteGroup'] {
  const remove = db.prepare(
    'delete from groups where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  const removeMembers = db.prepare('delete from members where directory_id = ? and group_id = ?')
  return (revision, { id, version }, event, cause) =>
    write(revision, (directory) => {
      const row = remove.get(directory.id, id, version)
      if (row === undefined) return 'version-mismatch'
      counts.remove(directory.id, 'groups', integer(row, 'sequence'))
      const removals = counts.total(directory.id, id)
      counts.drop(directory.id, id)
      if (large === undefined) removeMembers.run(directory.id, id)
      else large.markDeleted(directory.id, id)
      const memberships = -removals - members.leaveGroups(directory.id, id, cause.at)
      const events = record(directory, [event], cause, { memberships })
      const run = { sequence: directory.lastSequence + 1, removals, hasEventEach: false, before: directory.memberships }
      if (removals > 0) countRemovals(revision, directory, membershipRemovals([run], cause.at))
      return { events }
    })
}
