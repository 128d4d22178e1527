import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Member } from './group.ts'
import type { DirectoryReads } from './store.ts'
import { listStart } from './store.ts'

const membersPerRead = 500

/** The members of a group in creation order, read in parts. Other requests are served between the parts. */
export async function* membersOfGroup(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
): AsyncGenerator<Member, void, undefined> {
  let from = listStart
  for (;;) {
    const part = await store.listMembers(directoryId, groupId, { from, limit: membersPerRead })
    for (const { item } of part) yield item
    const last = part.at(-1)
    if (last === undefined || part.length < membersPerRead) return
    from = last.position
    await nextTurn()
  }
}
