import { chunks, forEachConcurrently } from '../../concurrency/for-each.ts'
import type { ListPart } from '../../directory/list.ts'
import { changeMembers as changeStoredMembers } from '../../provisioning/groups.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { SyncContext } from './context.ts'
import type { GroupTree, NestedMembers } from './group-tree.ts'
import { createNestedMembers, readTree } from './group-tree.ts'
import { storedPages } from './pages.ts'

const maxConcurrentGroups = 4
const maxConcurrentLookups = 4
/** The number of members per change, so small that its memory is short-lived: 500 would cost a fifth more CPU time. */
const membersPerChange = 100
/** The maximum number of removals per run; the next run does the rest. */
const maxRemovals = 100_000

/** Members that are missing from their groups in Google; they are removed after Google has confirmed each. */
export interface Removals {
  /** Returns false if the run has reached its maximum. */
  add(groupId: string, userId: string, hasEveryone: boolean): boolean
  readonly groups: ReadonlyMap<string, GroupRemovals>
}

export interface GroupRemovals {
  readonly userIds: string[]
  /** Whether everyone in the Workspace is a member of the group. */
  readonly hasEveryone: boolean
}

export function createRemovals(max: number = maxRemovals): Removals {
  const groups = new Map<string, GroupRemovals>()
  let size = 0
  return {
    groups,
    add(groupId, userId, hasEveryone) {
      if (size >= max) return false
      size += 1
      const known = groups.get(groupId)
      if (known === undefined) groups.set(groupId, { userIds: [userId], hasEveryone })
      else known.userIds.push(userId)
      return true
    },
  }
}

/** Adds missing members to all groups; returns the members to remove later. */
export async function addMissingMembers(context: SyncContext): Promise<Removals> {
  const { provisioning, directoryId, signal, tally, visitedGroups } = context
  tally.enter('members')
  const removals = createRemovals()
  const readNested = createNestedMembers(context)
  for await (const groups of storedPages((part) => provisioning.store.listGroups(directoryId, part), signal)) {
    const visited = groups.filter(({ id }) => visitedGroups.has(id)).map(({ id }) => id)
    await forEachConcurrently(visited, maxConcurrentGroups, signal, (id) =>
      syncMembers(context, id, readNested, removals),
    )
  }
  return removals
}

async function syncMembers(
  context: SyncContext,
  groupId: string,
  readNested: NestedMembers,
  removals: Removals,
): Promise<void> {
  const tree = await readTree(context, groupId, readNested)
  if (tree === 'gone') return
  if (tree.strangers.size > 0) context.tally.count('skipped', tree.strangers.size)
  if (!tree.isComplete) noteUnreadable(context, groupId)
  await compareMembers(context, groupId, tree, removals)
  await changeMembers(context, 'add', groupId, tree.users)
}

function noteUnreadable({ notes, skip, log, directoryId, runId }: SyncContext, groupId: string): void {
  notes.unreadableGroups += 1
  skip(groupId)
  log.warn({ directoryId, runId, groupId }, 'a group could not be read completely and may keep old members')
}

/**
 * Removes the stored members from the tree's users, so that the users to add are left. Stored members who are not in
 * the tree are added to the removals if the group's own list was read; those whom this run has not visited are left to
 * the deletions.
 */
async function compareMembers(
  { provisioning, directoryId, signal, visitedUsers, notes }: SyncContext,
  groupId: string,
  { users, isListed, hasEveryone }: GroupTree,
  removals: Removals,
): Promise<void> {
  const list = (part: ListPart) => provisioning.store.listMembers(directoryId, groupId, part)
  for await (const members of storedPages(list, signal)) {
    for (const { id } of members) {
      const isMissing = !users.delete(id) && isListed && visitedUsers.has(id)
      if (isMissing && !removals.add(groupId, id, hasEveryone)) notes.hasMoreRemovals = true
    }
  }
}

/** Removes members, each after Google has confirmed it, because a list may be incomplete. */
export async function removeMembers(context: SyncContext, removals: Removals): Promise<void> {
  await forEachConcurrently(removals.groups, maxConcurrentGroups, context.signal, async ([groupId, wanted]) => {
    const confirmed = await confirmedRemovals(context, groupId, wanted)
    await changeMembers(context, 'remove', groupId, confirmed)
  })
}

async function confirmedRemovals(
  context: SyncContext,
  groupId: string,
  { userIds, hasEveryone }: GroupRemovals,
): Promise<string[]> {
  const { workspace, signal } = context
  const confirmed: string[] = []
  let tree: Promise<GroupTree | 'gone'> | undefined

  /** Reads the whole group again if Google does not answer, or if everyone is a member. */
  async function isMissingInTree(userId: string): Promise<boolean> {
    tree ??= readTree(context, groupId, createNestedMembers(context))
    const again = await tree
    return again !== 'gone' && again.isComplete && !again.users.has(userId)
  }

  await forEachConcurrently(userIds, maxConcurrentLookups, signal, async (userId) => {
    const isMember = hasEveryone ? 'unknown' : await workspace.hasMember(groupId, userId)
    if (isMember === false || (isMember === 'unknown' && (await isMissingInTree(userId)))) confirmed.push(userId)
  })
  return confirmed
}

async function changeMembers(
  context: SyncContext,
  op: 'add' | 'remove',
  groupId: string,
  userIds: Iterable<string>,
): Promise<void> {
  for (const ids of chunks(userIds, membersPerChange)) await changeSomeMembers(context, op, groupId, ids)
}

/** Adds or removes members; those who are not stored users are counted as skipped. */
async function changeSomeMembers(
  { provisioning, write, signal, tally }: SyncContext,
  op: 'add' | 'remove',
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  signal.throwIfAborted()
  const members: MemberChanges =
    op === 'add'
      ? { kind: 'delta', add: new Set(userIds), remove: new Set() }
      : { kind: 'delta', add: new Set(), remove: new Set(userIds) }
  const { events, skipped } = await write((context) => changeStoredMembers(provisioning, context, groupId, members))
  tally.count(op === 'add' ? 'membersAdded' : 'membersRemoved', events.length)
  if (skipped.length > 0) tally.count('skipped', skipped.length)
}
