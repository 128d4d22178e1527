import type { DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import { identifyEvent } from '../events.ts'
import type { GroupChange } from '../group-changes.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import type { ProvisioningWrites } from '../provisioning.ts'
import type { GroupOutcome } from '../write/change-groups.ts'
import { changeGroups } from '../write/change-groups.ts'
import type { GroupDeletion } from '../write/delete-groups.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import type { DeletionOutcome } from '../write/deletions.ts'
import type { WrittenDirectory } from '../write/effects/effect.ts'
import type { LargeChanges } from './large-changes.ts'
import type { ProvisioningParts } from './write/commit.ts'

type GroupProvisioning = Pick<ProvisioningWrites, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'>

/** Provisioning of groups and members on SQLite. */
export function sqliteGroups({ members, batched }: ProvisioningParts, large: LargeChanges): GroupProvisioning {
  const remove = batched<GroupDeletion, DeletionOutcome>((directory, inputs) =>
    deleteGroups(directory, inputs, 'in-stages'),
  )

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

  /** Makes changes of one kind: small ones share a batch, and each large one is made in steps. */
  function changes<R extends string>() {
    const changeSmall = batched<GroupChange<R>, GroupOutcome<R>>(changeGroups)
    return (
      directory: WrittenDirectory,
      groupChange: GroupChange<R>,
    ): Promise<MembersCommitted | R | DirectoryChanged> =>
      isLarge(directory.id, groupChange) ? large.change(directory, groupChange) : changeSmall(directory, groupChange)
  }

  const create = changes<'group-name-taken'>()
  const replace = changes<'group-name-taken' | 'version-mismatch'>()
  const changeMembers = changes<'group-not-found' | 'version-mismatch'>()
  return {
    createGroup: (directory, group, members, event, cause) =>
      create(directory, groupCreation(group, members, event, cause)),
    replaceGroup: (directory, before, after, members, event, cause) =>
      replace(directory, groupReplacement(before, after, members, event, cause)),
    changeMembers: (directory, groupId, members, version, cause) =>
      changeMembers(directory, memberChange(groupId, members, version, cause)),
    deleteGroup(directory, group, event, cause) {
      const input = { group, event: identifyEvent(event, cause) }
      if (members.count(directory.id, group.id) > maxMembersAtOnce || members.isInMany(directory.id, group.id))
        return large.delete(directory, deleteGroups(directory, [input], 'later'), group.id, cause.at)
      return remove(directory, input)
    },
  }
}
