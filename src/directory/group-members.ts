import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Member } from './group.ts'
import type { DirectoryReads, Listed } from './store.ts'
import { firstMembers, listStart } from './store.ts'

const membersPerRead = 500

/** The members of a group in creation order, read in parts. Other requests are served between the parts. */
export async function* membersOfGroup(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  from = listStart,
): AsyncGenerator<readonly Member[], void, undefined> {
  let position = from
  for (;;) {
    const part = await store.listMembers(directoryId, groupId, { from: position, limit: membersPerRead })
    yield part.map(itemOf)
    const last = part.at(-1)
    if (last === undefined || part.length < membersPerRead) return
    position = last.position
    await nextTurn()
  }
}

/** The members of a group that was read with its first members: an array when these are all, else in parts. */
export function allMembers(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  first: readonly Listed<Member>[],
): readonly Member[] | AsyncIterable<readonly Member[]> {
  const members = first.map(itemOf)
  const last = first.at(-1)
  return last === undefined || first.length < firstMembers
    ? members
    : withRest(members, membersOfGroup(store, directoryId, groupId, last.position))
}

async function* withRest(first: readonly Member[], rest: AsyncIterable<readonly Member[]>) {
  yield first
  yield* rest
}

const itemOf = ({ item }: Listed<Member>): Member => item
