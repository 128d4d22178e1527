import { each } from '../../concurrency/for-each.ts'
import type { HeldKind } from '../store.ts'
import type { Context } from './context.ts'
import type { DeletionKind } from './deletion-kinds.ts'
import { groupsToDelete, usersToDelete } from './deletion-kinds.ts'
import { storedPages } from './pages.ts'
import type { Removals } from './removals.ts'
import { removeMembers } from './remove-members.ts'

/** Of so few users, or groups, any number may be deleted. */
const fewEnough = 20
const questionsAtOnce = 16

/** How many users and groups there were before a run: those that it creates itself do not make up for those that go. */
export type StoredBefore = Readonly<Record<HeldKind, number>>

export async function countStored({ provisioning, directoryId }: Context): Promise<StoredBefore> {
  const { store } = provisioning
  return { user: await store.countUsers(directoryId), group: await store.countGroups(directoryId) }
}

const noIds: ReadonlySet<string> = new Set()

/** Some of the ids that Google's list has not shown. */
interface Unseen {
  readonly ids: readonly string[]
  /** Those whose deletion was approved. */
  readonly approved: ReadonlySet<string>
  /** Those whose deletion an earlier run holds. */
  readonly waiting: ReadonlySet<string>
}

/**
 * Removes and deletes what Google has no more, after a run that has read all there is. When too many of the users or of
 * the groups would be deleted, nobody is, but for those that were approved: the others are held. What an earlier run holds
 * goes on to wait, however many users there are by now: no run approves what the one before did not dare.
 */
export async function reconcileDeletions(
  context: Context,
  removals: Removals,
  before: StoredBefore,
): Promise<'completed' | 'held'> {
  context.tally.enter('deletions')
  await removeMembers(context, removals)
  const kinds = [groupsToDelete(context), usersToDelete(context)]
  const heldRunId = await context.store.heldRun(context.directoryId)
  let isHeld = false
  for (const kind of kinds) if (await isTooMany(context, kind, before[kind.kind], heldRunId)) isHeld = true
  for (const kind of kinds) await deleteUnseen(context, kind, isHeld)
  return isHeld ? 'held' : 'completed'
}

async function isTooMany(
  context: Context,
  kind: DeletionKind,
  total: number,
  heldRunId: string | undefined,
): Promise<boolean> {
  let howMany = 0
  for await (const { ids, approved, waiting } of unseenOf(context, kind, heldRunId)) {
    if (waiting.size > 0) return true
    howMany += ids.length - approved.size
  }
  return total > fewEnough && howMany * 100 > total * context.maxDeletePercent
}

async function deleteUnseen(context: Context, kind: DeletionKind, isHeld: boolean): Promise<void> {
  for await (const { ids, approved } of unseenOf(context, kind)) {
    const held = isHeld ? ids.filter((id) => !approved.has(id)) : []
    if (held.length > 0) await hold(context, kind, held)
    const others = isHeld ? approved : ids
    await each(others, questionsAtOnce, context.signal, (id) => deleteGone(context, kind, id))
  }
}

async function hold({ store, directoryId, runId, tally }: Context, { kind }: DeletionKind, ids: readonly string[]) {
  await store.holdDeletions(directoryId, runId, kind, ids)
  tally.count('held', ids.length)
}

async function deleteGone({ tally }: Context, kind: DeletionKind, id: string): Promise<void> {
  if (!(await kind.isGone(id))) return
  await kind.remove(id)
  tally.count('deleted')
}

async function* unseenOf(
  context: Context,
  kind: DeletionKind,
  heldRunId?: string,
): AsyncGenerator<Unseen, void, undefined> {
  const { store, directoryId, runId, isApproved, signal } = context
  for await (const stored of storedPages((part) => kind.list(part), signal)) {
    const ids = stored.filter(({ id }) => !kind.seen.has(id)).map(({ id }) => id)
    if (ids.length === 0) continue
    const heldBy = (run: string | undefined) => (run ? store.heldAmong(directoryId, run, kind.kind, ids) : noIds)
    yield { ids, approved: await heldBy(isApproved ? runId : undefined), waiting: await heldBy(heldRunId) }
  }
}
