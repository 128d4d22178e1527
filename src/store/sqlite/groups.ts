import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../../directory/directory-store.ts'
import { identifyEvent } from '../events.ts'
import type { GroupChange } from '../group-changes.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import { changeGroups } from '../write/change-groups.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import type { LargeChanges } from './large-changes.ts'
import type { CommitParts } from './write/commit.ts'
import { createCommit, onlyOutcome } from './write/commit.ts'

type GroupProvisioning = Pick<ProvisioningStore, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'>

/** Provisioning of groups and members on SQLite. */
export function sqliteGroups(
  { write, members, limitOf }: ProvisioningParts,
  commitParts: CommitParts,
  large: LargeChanges,
): GroupProvisioning {
  const commit = createCommit(write, commitParts)
  const written = (revision: DirectoryRevision) => ({ ...revision, removalLimit: limitOf(revision) })

  /** Measures the members that a change touches, unless they are few, or more than are changed at once. */
  function isLarge(directoryId: string, groupChange: GroupChange<string>): boolean {
    const { groupId, members: memberChanges } = groupChange
    const present = memberChanges.kind === 'replace' ? members.count(directoryId, groupId) : 0
    const count = countNamed(memberChanges) + present
    if (count <= fewMembers || count > maxMembersAtOnce) return count > maxMembersAtOnce
    const named = members.userBytes(directoryId, namedIds(memberChanges)).values()
    const userBytes = [...named, present === 0 ? 0 : members.bytesOfMembers(directoryId, groupId)].reduce(
      (sum, bytes) => sum + bytes,
      0,
    )
    return isLargeChange(groupChange, { count, userBytes, groupBytes: members.groupBytes(directoryId, groupId) })
  }

  async function change<R extends string>(
    revision: DirectoryRevision,
    groupChange: GroupChange<R>,
  ): Promise<MembersCommitted | R | DirectoryChanged> {
    if (isLarge(revision.id, groupChange)) return large.change(written(revision), groupChange)
    return onlyOutcome(await commit(changeGroups(written(revision), [groupChange])))
  }

  return {
    createGroup: (revision, group, members, event, cause) =>
      change(revision, groupCreation(group, members, event, cause)),
    replaceGroup: (revision, before, after, members, event, cause) =>
      change(revision, groupReplacement(before, after, members, event, cause)),
    changeMembers: (revision, groupId, members, version, cause) =>
      change(revision, memberChange(groupId, members, version, cause)),
    async deleteGroup(revision, group, event, cause) {
      const inputs = [{ group, event: identifyEvent(event, cause) }]
      if (members.count(revision.id, group.id) > maxMembersAtOnce || members.isInMany(revision.id, group.id))
        return large.delete(revision, deleteGroups(written(revision), inputs, 'later'), group.id, cause.at)
      return onlyOutcome(await commit(deleteGroups(written(revision), inputs, 'in-stages')))
    },
  }
}
