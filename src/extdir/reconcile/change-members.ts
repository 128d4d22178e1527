import { patchGroup } from '../../directory/provision-groups.ts'
import type { Context } from './context.ts'
import { chunks } from './each.ts'
import { eventsOf } from './writer.ts'

const membersPerChange = 500

/** Adds users to a group, or removes them from it; users that are not stored are counted as left out. */
export async function changeMembers(
  context: Context,
  op: 'add' | 'remove',
  groupId: string,
  userIds: Iterable<string>,
): Promise<void> {
  for (const part of chunks(userIds, membersPerChange)) {
    const known = op === 'add' ? await storedAmong(context, part) : part
    const unknown = part.length - known.length
    if (unknown > 0) context.tally.count('skipped', unknown)
    if (known.length > 0) await changePart(context, op, groupId, known)
  }
}

async function storedAmong({ provisioning, directoryId }: Context, ids: readonly string[]): Promise<string[]> {
  const stored = await provisioning.store.getUsers(directoryId, ids)
  return ids.filter((id) => stored.has(id))
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
  const events = await write(async (directory) =>
    eventsOf(await patchGroup(parts, directory, groupId, body, undefined, cause())),
  )
  tally.count(op === 'add' ? 'membersAdded' : 'membersRemoved', events.length)
}
