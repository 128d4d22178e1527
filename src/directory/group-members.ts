import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectoryReads, MemberId } from './directory-store.ts'
import { firstMembers } from './directory-store.ts'
import type { Member } from './group.ts'
import type { ListPart, ListPosition, ListRow } from './list.ts'
import { listStart } from './list.ts'

const membersPerRead = 300

/** The members of a group in creation order, read in parts. Other requests are served between the parts. */
export function membersOfGroup(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  from = listStart,
): AsyncGenerator<readonly Member[], void, undefined> {
  return inParts((part) => store.listMembers(directoryId, groupId, part), from)
}

/** Like `membersOfGroup`, without their names. */
export function memberIdsOfGroup(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
): AsyncGenerator<readonly MemberId[], void, undefined> {
  return inParts((part) => store.listMemberIds(directoryId, groupId, part), listStart)
}

async function* inParts<T>(
  read: (part: ListPart) => Promise<ListRow<T>[]>,
  from: ListPosition,
): AsyncGenerator<readonly T[], void, undefined> {
  let position = from
  for (;;) {
    const part = await read({ from: position, limit: membersPerRead })
    yield part.map(itemOf)
    const last = part.at(-1)
    if (last === undefined || part.length < membersPerRead) return
    position = last.position
    await nextTurn()
  }
}

/** The members of a group that was read with its first members: an array if these are all, else in parts. */
export function allMembers(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  first: readonly ListRow<Member>[],
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

const itemOf = <T>({ item }: ListRow<T>): T => item
