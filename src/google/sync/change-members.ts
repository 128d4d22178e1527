import { chunks } from '../../concurrency/for-each.ts'
import { changeMembers as changeGroupMembers } from '../../provisioning/groups.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { Context } from './context.ts'

/** Few enough that what they bring to memory is short-lived: five times as many cost a fifth more of the processor. */
const membersPerChange = 100

/** Adds users to a group, or removes them from it; users that are not stored are counted as left out. */
export async function changeMembers(
  context: Context,
  op: 'add' | 'remove',
  groupId: string,
  userIds: Iterable<string>,
): Promise<void> {
  for (const part of chunks(userIds, membersPerChange)) await changePart(context, op, groupId, part)
}

async function changePart(
  { provisioning, write, cause, signal, tally }: Context,
  op: 'add' | 'remove',
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  signal.throwIfAborted()
  const members: MemberChanges =
    op === 'add'
      ? { kind: 'delta', add: new Map(userIds.map((value) => [value, { value }])), remove: new Set() }
      : { kind: 'delta', add: new Map(), remove: new Set(userIds) }
  const { events, skipped } = await write((directory) =>
    changeGroupMembers(provisioning, { directory, cause: cause() }, groupId, members),
  )
  tally.count(op === 'add' ? 'membersAdded' : 'membersRemoved', events.length)
  if (skipped.length > 0) tally.count('skipped', skipped.length)
}
