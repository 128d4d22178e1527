import type { GoogleMember } from '../client/items.ts'
import type { Context } from './context.ts'
import type { NestedMembers } from './nested-members.ts'
import { googlePages, isFailure, storedPages } from './pages.ts'

const maxDepth = 20
const maxNestedGroups = 1000

/** The users in a group, by themselves or by groups within it. */
export interface GroupTree {
  /** Users of this directory, seen in this run. */
  readonly users: Set<string>
  /** Others, such as people of another organisation. */
  readonly strangers: ReadonlySet<string>
  /** Whether everyone of the customer is a member, which we take for all active users. */
  readonly hasEveryone: boolean
  /** Whether the group's own list was read. */
  readonly isListed: boolean
  /** Whether all of the tree was read: else somebody may be in the group whom it does not show. */
  readonly isComplete: boolean
}

interface Reading {
  readonly users: Set<string>
  readonly strangers: Set<string>
  /** The groups that were come to, by how deep they are. */
  readonly nested: Map<string, number>
  hasEveryone: boolean
  isListed: boolean
  isComplete: boolean
}

/** Reads a group and the groups within it, each once, whatever circles they make. */
export async function readTree(context: Context, groupId: string, nested: NestedMembers): Promise<GroupTree | 'gone'> {
  const reading: Reading = {
    users: new Set(),
    strangers: new Set(),
    nested: new Map([[groupId, 0]]),
    hasEveryone: false,
    isListed: true,
    isComplete: true,
  }
  if ((await readGroup(context, reading, groupId)) === 'gone') return 'gone'
  // The map grows on the way.
  for (const [id, depth] of reading.nested) if (depth > 0) await readNested(context, reading, id, depth, nested)
  if (reading.hasEveryone) await addEveryone(context, reading)
  return reading
}

async function readGroup(context: Context, reading: Reading, groupId: string): Promise<'read' | 'gone'> {
  const { workspace, signal, tally } = context
  try {
    for await (const members of googlePages((token) => workspace.listMembers(groupId, token), signal)) {
      tally.count('pages')
      take(context, reading, members, 1)
    }
  } catch (error) {
    if (isFailure(error, 'not-found')) return 'gone'
    if (!isFailure(error, 'forbidden')) throw error
    reading.isListed = false
    reading.isComplete = false
  }
  return 'read'
}

async function readNested(
  context: Context,
  reading: Reading,
  groupId: string,
  depth: number,
  nested: NestedMembers,
): Promise<void> {
  context.signal.throwIfAborted()
  const members = await nested(groupId)
  if (members === 'unreadable') reading.isComplete = false
  else take(context, reading, members, depth + 1)
}

function take({ seenUsers }: Context, reading: Reading, members: readonly GoogleMember[], depth: number): void {
  for (const { id, kind } of members) {
    if (kind === 'group') takeGroup(reading, id, depth)
    else if (kind === 'customer') reading.hasEveryone = true
    else if (kind === 'user' && seenUsers.has(id)) reading.users.add(id)
    else reading.strangers.add(id)
  }
}

function takeGroup(reading: Reading, id: string, depth: number): void {
  if (reading.nested.has(id)) return
  if (depth > maxDepth || reading.nested.size > maxNestedGroups) reading.isComplete = false
  else reading.nested.set(id, depth)
}

async function addEveryone(context: Context, { users }: Reading): Promise<void> {
  const { provisioning, directoryId, signal, seenUsers } = context
  for await (const stored of storedPages((part) => provisioning.store.listUsers(directoryId, part), signal)) {
    for (const { id, active } of stored) if (active && seenUsers.has(id)) users.add(id)
  }
}
