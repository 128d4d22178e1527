import type { GoogleMember } from '../client/items.ts'
import type { Context } from './context.ts'
import { googlePages, isFailure } from './pages.ts'

/** The direct members of a nested group; `unreadable` for a group of others, or one that is gone. */
export type NestedMembers = (groupId: string) => Promise<readonly GoogleMember[] | 'unreadable'>

/** How many members of nested groups are kept, in all. */
const maxKeptMembers = 50_000

/** Makes a `NestedMembers` that keeps what it has read, up to a bound: a group may be nested in many. */
export function createNestedMembers(context: Context): NestedMembers {
  const kept = new Map<string, ReturnType<NestedMembers>>()
  let size = 0

  async function read(groupId: string): ReturnType<NestedMembers> {
    const members = await readNested(context, groupId)
    size += 1 + members.length
    if (size > maxKeptMembers) {
      kept.clear()
      size = 0
    }
    return members
  }

  return (groupId) => {
    const members = kept.get(groupId) ?? read(groupId)
    kept.set(groupId, members)
    return members
  }
}

async function readNested(
  { workspace, signal, tally }: Context,
  groupId: string,
): Promise<readonly GoogleMember[] | 'unreadable'> {
  const members: GoogleMember[] = []
  try {
    for await (const page of googlePages((token) => workspace.listMembers(groupId, token), signal)) {
      tally.count('pages')
      for (const member of page) members.push(member)
    }
    return members
  } catch (error) {
    if (isUnreadable(error)) return 'unreadable'
    throw error
  }
}

/** Google does not say in which of these ways it refuses the groups of others. */
function isUnreadable(error: unknown): boolean {
  return isFailure(error, 'forbidden') || isFailure(error, 'not-found') || isFailure(error, 'refused')
}
