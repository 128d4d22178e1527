import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../../directory/directory-store.ts'
import { groupTexts, termsOf } from '../../directory/search-terms.ts'
import { namesGroup } from '../../mapping/compiled.ts'
import type { GroupChange } from '../group-changes.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { membershipRemovals } from '../removals.ts'
import { integer } from '../row.ts'
import { changeGroups } from '../write/change-groups.ts'
import type { ProvisioningParts, WriteDirectory } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { GroupCommit } from './group-commit.ts'
import type { GroupRows } from './group-rows.ts'
import type { LargeChanges } from './large-changes.ts'
import type { LeaveGroups } from './members.ts'
import { rowKey } from './row-key.ts'
import type { CommitParts } from './write/commit.ts'
import { createCommit, onlyOutcome } from './write/commit.ts'

type GroupProvisioning = Pick<ProvisioningStore, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'>

/** Provisioning of groups and members on SQLite. */
export function sqliteGroups(
  parts: ProvisioningParts,
  commitParts: CommitParts,
  rows: GroupRows,
  large: LargeChanges,
  commits: GroupCommit,
): GroupProvisioning {
  const { db, counts, members } = parts
  const changeAtOnce = createChangeGroup(parts.write, commitParts, parts.limitOf)
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
export function createChangeGroup(
  write: WriteDirectory,
  commitParts: CommitParts,
  limitOf: ProvisioningParts['limitOf'],
): ChangeGroup {
  const commit = createCommit(write, commitParts)
  return async (revision, change) => {
    const directory = { ...revision, removalLimit: limitOf(revision) }
    return onlyOutcome(await commit(changeGroups(directory, [change])))
  }
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
