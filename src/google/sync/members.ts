import { each } from '../../concurrency/for-each.ts'
import type { ListPart } from '../../directory/store.ts'
import { changeMembers } from './change-members.ts'
import type { Context } from './context.ts'
import type { GroupTree } from './group-tree.ts'
import { readTree } from './group-tree.ts'
import type { NestedMembers } from './nested-members.ts'
import { createNestedMembers } from './nested-members.ts'
import { storedPages } from './pages.ts'
import type { Removals } from './removals.ts'
import { createRemovals } from './removals.ts'

const groupsAtOnce = 4

/** Adds the users that groups have by now; answers those whom they seem to have no more, who stay for the moment. */
export async function reconcileMembers(context: Context): Promise<Removals> {
  const { provisioning, directoryId, signal, tally, seenGroups } = context
  tally.enter('members')
  const removals = createRemovals()
  const nested = createNestedMembers(context)
  for await (const groups of storedPages((part) => provisioning.store.listGroups(directoryId, part), signal)) {
    const listed = groups.filter(({ id }) => seenGroups.has(id)).map(({ id }) => id)
    await each(listed, groupsAtOnce, signal, (id) => reconcileGroup(context, id, nested, removals))
  }
  return removals
}

async function reconcileGroup(
  context: Context,
  groupId: string,
  nested: NestedMembers,
  removals: Removals,
): Promise<void> {
  const tree = await readTree(context, groupId, nested)
  if (tree === 'gone') return
  if (tree.strangers.size > 0) context.tally.count('skipped', tree.strangers.size)
  if (!tree.isComplete) noteUnreadable(context, groupId)
  await compareMembers(context, groupId, tree, removals)
  await changeMembers(context, 'add', groupId, tree.users)
}

function noteUnreadable({ remarks, leaveOut, log, directoryId, runId }: Context, groupId: string): void {
  remarks.unreadableGroups += 1
  leaveOut(groupId)
  log.warn({ directoryId, runId, groupId }, 'a group could not be read whole: it may keep members')
}

/**
 * Takes the stored members of a group from its users, so that those are left who are to be added. Members that are not
 * among its users are to be removed, when its own list was read: Google is asked about each, so that those stay who are in
 * it by a group that could not be read. Somebody whom this run has not seen at all is not: that is for the deletions.
 */
async function compareMembers(
  { provisioning, directoryId, signal, seenUsers, remarks }: Context,
  groupId: string,
  { users, isListed, hasEveryone }: GroupTree,
  removals: Removals,
): Promise<void> {
  const list = (part: ListPart) => provisioning.store.listMembers(directoryId, groupId, part)
  for await (const members of storedPages(list, signal)) {
    for (const { id } of members) {
      const isMissing = !users.delete(id) && isListed && seenUsers.has(id)
      if (isMissing && !removals.add(groupId, id, hasEveryone)) remarks.removalsLeft = true
    }
  }
}
