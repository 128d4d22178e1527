import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DirectoryReads } from './directory-store.ts'
import { firstGroups } from './directory-store.ts'
import type { GroupReference } from './group.ts'

/** The groups of a user: an array, or parts that are read anew each time they are iterated. */
export type UserGroups = readonly GroupReference[] | AsyncIterable<readonly GroupReference[]>

const groupsPerRead = 300

/** The groups of a user that was read with its first groups: an array if these are all, else in parts. */
export function allGroups(
  store: Pick<DirectoryReads, 'listGroupsOfUser'>,
  directoryId: string,
  userId: string,
  first: readonly GroupReference[],
): UserGroups {
  if (first.length < firstGroups) return first
  return {
    [Symbol.asyncIterator]: () => inParts((after) => store.listGroupsOfUser(directoryId, userId, after, groupsPerRead)),
  }
}

/** Other requests are served between the parts. */
async function* inParts(
  read: (after: string) => Promise<readonly GroupReference[]>,
): AsyncGenerator<readonly GroupReference[], void, undefined> {
  for (let after = ''; ; ) {
    const part = await read(after)
    if (part.length > 0) yield part
    const last = part.at(-1)
    if (last === undefined || part.length < groupsPerRead) return
    after = last.id
    await nextTurn()
  }
}
