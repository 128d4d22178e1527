import type { Facts } from '../facts.ts'
import { groups, members } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import { ListCounts } from './counts.ts'

/** A group that loses members without an event of its own. */
interface LeftGroup {
  version: number
  at: number
}

/**
 * Ends the memberships of users or groups that are deleted; groups that are not deleted themselves get a new version.
 *
 * @param deletedAt when each of them is deleted, by id, in Unix milliseconds
 */
export function leaveGroups(
  deletedAt: ReadonlyMap<string, number>,
  { leaving }: Pick<Facts, 'leaving'>,
  writes: WriteCollection,
): void {
  const left = new Map<string, LeftGroup>()
  const counts = new ListCounts()
  for (const { groupId, memberId, position, groupVersion } of leaving) {
    const at = deletedAt.get(memberId)
    if (at === undefined || deletedAt.has(groupId)) continue
    writes.write('remove', members, { group_id: groupId, member_id: memberId })
    counts.count(groupId, { stored: position }, -1)
    writes.state.memberships -= 1
    const group = left.get(groupId) ?? { version: groupVersion, at }
    left.set(groupId, { version: group.version + 1, at: Math.max(group.at, at) })
  }
  counts.collect(writes)
  for (const [id, { version, at }] of left) writes.update(groups, { id }, { version, updated_at: at })
}
