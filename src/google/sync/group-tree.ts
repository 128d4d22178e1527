import { isFailure } from '../client/failure.ts'
import type { GoogleMember } from '../client/items.ts'
import type { SyncContext } from './context.ts'
import { googlePages, storedPages } from './pages.ts'

const maxDepth = 20
const maxNestedGroups = 1000

/** The direct and nested members of a group. */
export interface GroupTree {
  /** Users of this directory that this run has visited. */
  readonly users: Set<string>
  /** Members that do not exist here, such as users of another organization. */
  readonly strangers: ReadonlySet<string>
  /** Whether everyone in the Workspace is a member, which here means all active users. */
  readonly hasEveryone: boolean
  /** Whether the group's own list was read. */
  readonly isListed: boolean
  /** Whether the whole tree was read; otherwise members may be missing. */
  readonly isComplete: boolean
}

interface Reading {
  readonly users: Set<string>
  readonly strangers: Set<string>
  /** The groups found so far, with their depth. */
  readonly nested: Map<string, number>
  hasEveryone: boolean
  isListed: boolean
  isComplete: boolean
}

/** The parts of a run with which groups are read. Users that it has not visited are strangers. */
export interface TreeParts
  extends Pick<SyncContext, 'workspace' | 'provisioning' | 'directoryId' | 'tally' | 'signal'> {
  readonly visitedUsers: Pick<SyncContext['visitedUsers'], 'has'>
}

/** Reads a group and its nested groups, each once even if they contain each other. */
export async function readTree(
  context: TreeParts,
  groupId: string,
  readNested: NestedMembers,
): Promise<GroupTree | 'gone'> {
  const reading: Reading = {
    users: new Set(),
    strangers: new Set(),
    nested: new Map([[groupId, 0]]),
    hasEveryone: false,
    isListed: true,
    isComplete: true,
  }
  if ((await readRoot(context, reading, groupId)) === 'gone') return 'gone'
  // The map grows during the iteration.
  for (const [id, depth] of reading.nested) {
    if (depth === 0) continue
    context.signal.throwIfAborted()
    const members = await readNested(id)
    if (members === 'unreadable') reading.isComplete = false
    else addMembers(context, reading, members, depth + 1)
  }
  if (reading.hasEveryone) await addEveryone(context, reading)
  return reading
}

async function readRoot(context: TreeParts, reading: Reading, groupId: string): Promise<'read' | 'gone'> {
  try {
    for await (const members of memberPages(context, groupId)) addMembers(context, reading, members, 1)
  } catch (error) {
    if (isFailure(error, 'not-found')) return 'gone'
    if (!isFailure(error, 'forbidden')) throw error
    reading.isListed = false
    reading.isComplete = false
  }
  return 'read'
}

function memberPages(context: TreeParts, groupId: string): AsyncIterable<readonly GoogleMember[]> {
  return googlePages(context, (token) => context.workspace.listMembers(groupId, token))
}

function addMembers(
  { visitedUsers }: TreeParts,
  reading: Reading,
  members: readonly GoogleMember[],
  depth: number,
): void {
  for (const { id, kind } of members) {
    if (kind === 'group') addNestedGroup(reading, id, depth)
    else if (kind === 'customer') reading.hasEveryone = true
    else if (kind === 'user' && visitedUsers.has(id)) reading.users.add(id)
    else reading.strangers.add(id)
  }
}

function addNestedGroup(reading: Reading, id: string, depth: number): void {
  if (reading.nested.has(id)) return
  if (depth > maxDepth || reading.nested.size > maxNestedGroups) reading.isComplete = false
  else reading.nested.set(id, depth)
}

async function addEveryone(context: TreeParts, { users }: Reading): Promise<void> {
  const { provisioning, directoryId, signal, visitedUsers } = context
  for await (const stored of storedPages((part) => provisioning.store.listUsers(directoryId, part), signal)) {
    for (const { id, active } of stored) if (active && visitedUsers.has(id)) users.add(id)
  }
}

/** The direct members of a nested group; `unreadable` if it belongs to another organization or no longer exists. */
export type NestedMembers = (groupId: string) => Promise<readonly GoogleMember[] | 'unreadable'>

/** The maximum number of members of nested groups in the cache. */
const maxCachedMembers = 50_000

/** Caches the lists, because a group may be nested in many others. */
export function createNestedMembers(context: TreeParts): NestedMembers {
  const cache = new Map<string, ReturnType<NestedMembers>>()
  let size = 0

  async function read(groupId: string): ReturnType<NestedMembers> {
    const members = await readNestedGroup(context, groupId)
    size += 1 + members.length
    if (size > maxCachedMembers) {
      cache.clear()
      size = 0
    }
    return members
  }

  return (groupId) => {
    const members = cache.get(groupId) ?? read(groupId)
    cache.set(groupId, members)
    return members
  }
}

async function readNestedGroup(context: TreeParts, groupId: string): ReturnType<NestedMembers> {
  const members: GoogleMember[] = []
  try {
    for await (const page of memberPages(context, groupId)) for (const member of page) members.push(member)
    return members
  } catch (error) {
    // Google may respond in any of these ways for a group of another organization.
    if (isFailure(error, 'forbidden', 'not-found', 'refused')) return 'unreadable'
    throw error
  }
}
