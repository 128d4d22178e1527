import { chunks, forEachConcurrently } from '../../concurrency/for-each.ts'
import { goneGroupsText } from '../../directory/google-connection.ts'
import type { GoogleGroup, GooglePage, GoogleUser } from '../client/items.ts'
import type { SyncContext, SyncParts } from './context.ts'
import { createSyncContext } from './context.ts'
import { countStored, syncDeletions } from './deletions.ts'
import { syncGroup } from './groups.ts'
import { syncManagers } from './managers.ts'
import { addMissingMembers, removeMembers } from './members.ts'
import { resolveNameConflict } from './names.ts'
import { googlePages } from './pages.ts'
import type { SyncOutcome } from './run.ts'
import { readScope } from './scope.ts'
import { syncUser } from './users.ts'

/** The number of concurrent writes, which share commits. */
const maxConcurrentWrites = 64
const itemsPerRead = 500

/**
 * Syncs a directory with its Google Workspace, page by page. All writes use the same functions as SCIM requests and so
 * cause the same events; unchanged resources cost no write. Deletions come after everything was read, each after Google
 * has confirmed it, and are held if there are too many.
 *
 * A run that fails leaves complete changes only, and the next run continues.
 *
 * @throws GoogleFailure
 * @throws SyncStopped, or the reason of the signal
 */
export async function syncDirectory(parts: SyncParts): Promise<SyncOutcome> {
  const context = createSyncContext(parts, await readScope(parts))
  const before = await countStored(context)
  await syncUsers(context)
  await syncGroups(context)
  const removals = await addMissingMembers(context)
  context.tally.enter('deletions')
  await removeMembers(context, removals)
  const state = await syncDeletions(context, before)
  await syncManagers(context)
  return { state, note: noteOf(context, state) }
}

/**
 * Creates and updates users; none are deleted yet. Users who have left the scope are updated until then, because their
 * deletion may be held.
 */
function syncUsers(context: SyncContext): Promise<void> {
  const { provisioning, directoryId, workspace, signal, visitedUsers, scope } = context
  context.tally.enter('users')
  return forEachListed<GoogleUser>(context, {
    list: (token) => workspace.listUsers(token),
    emailOf: ({ primaryEmail }) => primaryEmail,
    async sync(listed) {
      const stored = await provisioning.store.getUsers(directoryId, idsOf(listed))
      const conflicts: GoogleUser[] = []
      const chosen = listed.filter(scope.includes)
      for (const { id } of chosen) visitedUsers.add(id)
      const users = listed.filter(({ id }) => visitedUsers.has(id) || stored.has(id))
      await forEachConcurrently(users, maxConcurrentWrites, signal, async (user) => {
        if ((await syncUser(context, user, stored.get(user.id))) === 'user-name-taken') conflicts.push(user)
      })
      for (const user of conflicts) await resolveNameConflict(context, user)
    },
  })
}

/** Creates and updates groups, without their members; none are deleted yet. */
async function syncGroups(context: SyncContext): Promise<void> {
  const { provisioning, directoryId, workspace, signal, visitedGroups, scope } = context
  async function sync(groups: readonly GoogleGroup[]): Promise<void> {
    for (const { id } of groups) visitedGroups.add(id)
    const stored = await provisioning.store.getGroups(directoryId, idsOf(groups))
    await forEachConcurrently(groups, maxConcurrentWrites, signal, (group) =>
      syncGroup(context, group, stored.get(group.id)),
    )
  }

  context.tally.enter('groups')
  if (scope.groups !== undefined) return sync(scope.groups)
  await forEachListed<GoogleGroup>(context, {
    list: (token) => workspace.listGroups(token),
    emailOf: ({ email }) => email,
    sync,
  })
}

interface ListedItems<T> {
  list(pageToken?: string): Promise<GooglePage<T>>
  emailOf(item: T): string
  /** Called with at most `itemsPerRead` items of the domain. */
  sync(items: readonly T[]): Promise<void>
}

async function forEachListed<T extends { readonly id: string }>(
  context: SyncContext,
  { list, emailOf, sync }: ListedItems<T>,
): Promise<void> {
  for await (const page of googlePages(context, list)) {
    const inDomain = new Map<string, T>()
    for (const item of page) {
      if (context.isInDomain(emailOf(item))) inDomain.set(item.id, item)
      else context.skip(item.id)
    }
    for (const items of chunks(inDomain.values(), itemsPerRead)) await sync(items)
  }
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id)
}

/** A note on what the run did not do, in sentences. */
function noteOf(
  { notes, maxDeletePercent, scope: { goneGroups } }: SyncContext,
  state: SyncOutcome['state'],
): string | undefined {
  const sentences: string[] = []
  if (state === 'held') {
    const share = `More than ${maxDeletePercent} % of the users or groups, or all users, would be deleted`
    sentences.push(`${share}: approve this run if that is right.`)
  }
  if (notes.unreadableGroups > 0) {
    sentences.push(`Groups that could not be read completely and may keep old members: ${notes.unreadableGroups}.`)
  }
  if (goneGroups.length > 0) sentences.push(goneGroupsText(goneGroups))
  if (notes.hasMoreRemovals) sentences.push('There are more members to remove than one run allows: sync again.')
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
