import { forEachConcurrently } from '../../concurrency/for-each.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { isFailure } from '../client/failure.ts'
import type { GoogleGroup } from '../client/items.ts'
import type { HeldKind } from '../google-store.ts'
import type { SyncContext } from './context.ts'
import { deleteStoredGroup, syncGroup } from './groups.ts'
import type { IdSet } from './id-set.ts'
import { resolveNameConflict } from './names.ts'
import { storedPages } from './pages.ts'
import { deleteStoredUser } from './users.ts'

/** The safety threshold applies above this number of users or groups. */
const minCountForThreshold = 20
const maxConcurrentLookups = 16

/** The numbers of users and groups before the run, so that those it creates do not raise the threshold. */
export type StoredBefore = Readonly<Record<HeldKind, number>>

export async function countStored({ provisioning, directoryId }: SyncContext): Promise<StoredBefore> {
  const { store } = provisioning
  return { user: await store.countUsers(directoryId), group: await store.countGroups(directoryId) }
}

/**
 * Deletes users and groups that Google no longer has, after everything was read. All deletions except approved ones are
 * held if they exceed the threshold of the users or of the groups, or affect all users known before. Deletions that an
 * earlier run holds stay held, whatever the numbers are now: a run never approves what an earlier one held.
 */
export async function syncDeletions(context: SyncContext, before: StoredBefore): Promise<'completed' | 'held'> {
  const kinds = [groupDeletions(context), userDeletions(context)]
  const heldRunId = await context.store.heldRun(context.directoryId)
  let isHeld = false
  for (const kind of kinds) if (await exceedsThreshold(context, kind, before[kind.kind], heldRunId)) isHeld = true
  for (const kind of kinds) await deleteOrHold(context, kind, isHeld)
  return isHeld ? 'held' : 'completed'
}

async function exceedsThreshold(
  context: SyncContext,
  kind: DeletionKind,
  total: number,
  heldRunId: string | undefined,
): Promise<boolean> {
  let count = 0
  let missing = 0
  for await (const { ids, approved, held } of unvisited(context, kind, heldRunId)) {
    if (held.size > 0) return true
    missing += ids.length
    count += ids.length - approved.size
  }
  // Another Workspace may be connected now, however small the directory is.
  const isNobodyLeft = kind.kind === 'user' && count > 0 && missing >= total
  if (isNobodyLeft && context.maxDeletePercent < 100) return true
  return total > minCountForThreshold && count * 100 > total * context.maxDeletePercent
}

async function deleteOrHold(context: SyncContext, kind: DeletionKind, isHeld: boolean): Promise<void> {
  const { store, directoryId, runId, tally } = context
  for await (const { ids, approved } of unvisited(context, kind)) {
    const toHold = isHeld ? ids.filter((id) => !approved.has(id)) : []
    if (toHold.length > 0) {
      await store.holdDeletions(directoryId, runId, kind.kind, toHold)
      tally.count('held', toHold.length)
    }
    const toDelete = isHeld ? approved : ids
    await forEachConcurrently(toDelete, maxConcurrentLookups, context.signal, (id) =>
      deleteIfGone(context, kind, id, approved.has(id)),
    )
  }
}

async function deleteIfGone(
  { tally }: SyncContext,
  kind: DeletionKind,
  id: string,
  isApproved: boolean,
): Promise<void> {
  if (!(await kind.isGone(id))) return
  await kind.delete(id, isApproved)
  tally.count('deleted')
}

/** Stored ids that are missing from Google's list. */
interface Unvisited {
  readonly ids: readonly string[]
  /** Ids whose deletion was approved. */
  readonly approved: ReadonlySet<string>
  /** Ids whose deletion an earlier run holds. */
  readonly held: ReadonlySet<string>
}

const noIds: ReadonlySet<string> = new Set()

async function* unvisited(
  context: SyncContext,
  { kind, visitedIds, list }: DeletionKind,
  heldRunId?: string,
): AsyncGenerator<Unvisited, void, undefined> {
  const { store, directoryId, runId, isApproved, signal } = context
  for await (const stored of storedPages(list, signal)) {
    const ids = stored.filter(({ id }) => !visitedIds.has(id)).map(({ id }) => id)
    if (ids.length === 0) continue
    const heldBy = (run: string | undefined) => (run ? store.heldAmong(directoryId, run, kind, ids) : noIds)
    yield { ids, approved: await heldBy(isApproved ? runId : undefined), held: await heldBy(heldRunId) }
  }
}

/** The differences between deleting users and deleting groups. */
interface DeletionKind {
  readonly kind: HeldKind
  readonly visitedIds: IdSet
  readonly list: (part: ListPart) => Promise<ListRow<{ readonly id: string }>[]>
  /** Asks Google for a resource that its list did not contain. If it is to be synced after all, it is updated. */
  readonly isGone: (id: string) => Promise<boolean>
  readonly delete: (id: string, isApproved: boolean) => Promise<void>
}

function userDeletions(context: SyncContext): DeletionKind {
  const { provisioning, directoryId, workspace, visitedUsers } = context
  return {
    kind: 'user',
    visitedIds: visitedUsers,
    list: (part) => provisioning.store.listUsers(directoryId, part),
    async isGone(id) {
      const user = await workspace.getUser(id)
      if (user === undefined || !context.isInDomain(user.primaryEmail)) return true
      if (!(await context.scope.stillIncludes(user))) return true
      visitedUsers.add(id)
      await resolveNameConflict(context, user)
      return false
    },
    delete: (id, isApproved) => deleteStoredUser(context, id, isApproved),
  }
}

function groupDeletions(context: SyncContext): DeletionKind {
  const { provisioning, directoryId, visitedGroups, scope } = context
  return {
    kind: 'group',
    visitedIds: visitedGroups,
    list: (part) => provisioning.store.listGroups(directoryId, part),
    async isGone(id) {
      // Every chosen group was read by itself.
      if (scope.groups !== undefined) return true
      const group = await groupOrForbidden(context, id)
      if (group === 'forbidden') {
        context.skip(id)
        return false
      }
      if (group === undefined || !context.isInDomain(group.email)) return true
      visitedGroups.add(id)
      await syncGroup(context, group, await provisioning.store.getGroup(directoryId, id))
      return false
    },
    delete: (id, isApproved) => deleteStoredGroup(context, id, isApproved),
  }
}

/** Reads a group; `forbidden` if Google does not allow it: the group exists, but nothing else is known. */
async function groupOrForbidden(
  { workspace }: SyncContext,
  id: string,
): Promise<GoogleGroup | undefined | 'forbidden'> {
  try {
    return await workspace.getGroup(id)
  } catch (error) {
    if (isFailure(error, 'forbidden')) return 'forbidden'
    throw error
  }
}
