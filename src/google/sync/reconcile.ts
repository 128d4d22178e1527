import type { Context } from './context.ts'
import { createContext } from './context.ts'
import { countStored, reconcileDeletions } from './deletions.ts'
import { reconcileGroups } from './groups.ts'
import { reconcileManagers } from './managers.ts'
import { reconcileMembers } from './members.ts'
import type { ReconcileParts } from './parts.ts'
import type { SyncOutcome } from './pull.ts'
import { reconcileUsers } from './users.ts'

export type { ReconcileParts } from './parts.ts'

/**
 * Brings a directory in line with its Google Workspace, page by page. Everything goes through the functions that SCIM
 * requests go through, so that the events are the same; what is the same already costs no write. Deletions come when
 * everything was read, each after Google was asked about that one; when they are too many they are held.
 *
 * A run that fails has made whole changes only, and the next one does what it has left.
 *
 * @throws GoogleFailure
 * @throws SyncStopped, or the reason of the signal
 */
export async function reconcile(parts: ReconcileParts): Promise<SyncOutcome> {
  const context = createContext(parts)
  const before = await countStored(context)
  await reconcileUsers(context)
  await reconcileGroups(context)
  const removals = await reconcileMembers(context)
  const state = await reconcileDeletions(context, removals, before)
  await reconcileManagers(context)
  return { state, note: noteOf(context, state) }
}

/** What a run has to say of what it did not do. */
function noteOf({ remarks, maxDeletePercent }: Context, state: SyncOutcome['state']): string | undefined {
  const sentences: string[] = []
  if (state === 'held') {
    const share = `More than ${maxDeletePercent} % of the users or groups would be deleted`
    sentences.push(`${share}: approve this run if that is right.`)
  }
  if (remarks.unreadableGroups > 0) {
    sentences.push(`Groups that could not be read whole, and so may have kept members: ${remarks.unreadableGroups}.`)
  }
  if (remarks.removalsLeft) sentences.push('More members are to be removed than one run does: sync again.')
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
