import { each } from '../../concurrency/for-each.ts'
import { changeMembers } from './change-members.ts'
import type { Context } from './context.ts'
import type { GroupTree } from './group-tree.ts'
import { readTree } from './group-tree.ts'
import { createNestedMembers } from './nested-members.ts'
import type { GroupRemovals, Removals } from './removals.ts'

const groupsAtOnce = 4
const questionsAtOnce = 4

/** Removes members from their groups, each after Google was asked about that one: a list may miss somebody. */
export async function removeMembers(context: Context, removals: Removals): Promise<void> {
  await each(removals.groups, groupsAtOnce, context.signal, async ([groupId, wanted]) => {
    const gone = await goneAmong(context, groupId, wanted)
    await changeMembers(context, 'remove', groupId, gone)
  })
}

async function goneAmong(
  context: Context,
  groupId: string,
  { userIds, hasEveryone }: GroupRemovals,
): Promise<string[]> {
  const { workspace, signal } = context
  const gone: string[] = []
  let tree: Promise<GroupTree | 'gone'> | undefined

  /** Where Google does not say, or means others by everyone, the group is read once more with all that is in it. */
  async function isMissingInTree(userId: string): Promise<boolean> {
    tree ??= readTree(context, groupId, createNestedMembers(context))
    const again = await tree
    return again !== 'gone' && again.isComplete && !again.users.has(userId)
  }

  await each(userIds, questionsAtOnce, signal, async (userId) => {
    const isMember = hasEveryone ? 'unknown' : await workspace.hasMember(groupId, userId)
    if (isMember === false || (isMember === 'unknown' && (await isMissingInTree(userId)))) gone.push(userId)
  })
  return gone
}
