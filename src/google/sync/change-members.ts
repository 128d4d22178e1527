import { chunks } from '../../concurrency/for-each.ts'
import { patchGroup } from '../../provisioning/groups.ts'
import type { Context } from './context.ts'
import { eventsOf } from './writer.ts'

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
  const body = { Operations: [{ op, path: 'members', value: userIds.map((value) => ({ value })) }] }
  const parts = { ...provisioning, newId: () => groupId }
  let skipped = 0
  const events = await write(async (directory) => {
    const changed = await patchGroup(parts, directory, groupId, body, undefined, cause())
    if (changed !== 'directory-changed') skipped = changed.skipped.length
    return eventsOf(changed)
  })
  tally.count(op === 'add' ? 'membersAdded' : 'membersRemoved', events.length)
  if (skipped > 0) tally.count('skipped', skipped)
}
