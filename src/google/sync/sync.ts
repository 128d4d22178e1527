import { chunks, forEachConcurrently } from '../../concurrency/for-each.ts'
import type { GoogleGroup, GooglePage, GoogleUser } from '../client/items.ts'
import type { SyncContext, SyncParts } from './context.ts'
import { createSyncContext } from './context.ts'
import { countStored, syncDeletions } from './deletions.ts'
import { syncGroup } from './groups.ts'
import type { IdSet } from './id-set.ts'
import { syncManagers } from './managers.ts'
import { addMissingMembers, removeMembers } from './members.ts'
import { resolveNameConflict } from './names.ts'
import { googlePages } from './pages.ts'
import type { SyncOutcome } from './run.ts'
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
  const context = createSyncContext(parts)
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

/** Creates and updates users; none are deleted yet. */
function syncUsers(context: SyncContext): Promise<void> {
  const { provisioning, directoryId, workspace, signal, visitedUsers } = context
  context.tally.enter('users')
  return forEachListed<GoogleUser>(context, {
    list: (token) => workspace.listUsers(token),
    visitedIds: visitedUsers,
    emailOf: ({ primaryEmail }) => primaryEmail,
    async sync(users) {
      const stored = await provisioning.store.getUsers(directoryId, idsOf(users))
      const conflicts: GoogleUser[] = []
      await forEachConcurrently(users, maxConcurrentWrites, signal, async (user) => {
        if ((await syncUser(context, user, stored.get(user.id))) === 'user-name-taken') conflicts.push(user)
      })
      for (const user of conflicts) await resolveNameConflict(context, user)
    },
  })
}

/** Creates and updates groups, without their members; none are deleted yet. */
function syncGroups(context: SyncContext): Promise<void> {
  const { provisioning, directoryId, workspace, signal, visitedGroups } = context
  context.tally.enter('groups')
  return forEachListed<GoogleGroup>(context, {
    list: (token) => workspace.listGroups(token),
    visitedIds: visitedGroups,
    emailOf: ({ email }) => email,
    async sync(groups) {
      const stored = await provisioning.store.getGroups(directoryId, idsOf(groups))
      await forEachConcurrently(groups, maxConcurrentWrites, signal, (group) =>
        syncGroup(context, group, stored.get(group.id)),
      )
    },
  })
}

interface ListedItems<T> {
  list(pageToken?: string): Promise<GooglePage<T>>
  readonly visitedIds: IdSet
  emailOf(item: T): string
  /** Called with at most `itemsPerRead` items of the domain. */
  sync(items: readonly T[]): Promise<void>
}

async function forEachListed<T extends { readonly id: string }>(
  context: SyncContext,
  { list, visitedIds, emailOf, sync }: ListedItems<T>,
): Promise<void> {
  for await (const page of googlePages(context, list)) {
    const inScope = new Map<string, T>()
    for (const item of page) {
      if (context.isInScope(emailOf(item))) inScope.set(item.id, item)
      else context.skip(item.id)
    }
    for (const id of inScope.keys()) visitedIds.add(id)
    for (const items of chunks(inScope.values(), itemsPerRead)) await sync(items)
  }
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id)
}

/** A note on what the run did not do, in sentences. */
function noteOf({ notes, maxDeletePercent }: SyncContext, state: SyncOutcome['state']): string | undefined {
  const sentences: string[] = []
  if (state === 'held') {
    const share = `More than ${maxDeletePercent} % of the users or groups, or all users, would be deleted`
    sentences.push(`${share}: approve this run if that is right.`)
  }
  if (notes.unreadableGroups > 0) {
    sentences.push(`Groups that could not be read completely and may keep old members: ${notes.unreadableGroups}.`)
  }
  if (notes.hasMoreRemovals) sentences.push('There are more members to remove than one run allows: sync again.')
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
