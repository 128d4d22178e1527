import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Directory } from '../../directory/directory.ts'
import type { Committed } from '../../directory/directory-store.ts'
import type { Cause, StoredEvent } from '../../directory/event.ts'
import { scopeOf } from '../../directory/google-connection.ts'
import type { WriteContext } from '../../provisioning/lifecycle.ts'
import { withCurrentDirectory } from '../../provisioning/lifecycle.ts'
import type { SyncTask } from './run.ts'
import { SyncStopped } from './run.ts'

/**
 * Makes a change under the current revision of the directory, and reports its events. If the directory has changed, it
 * is read again and the change repeated.
 */
export type Write = <T extends Committed>(change: (context: WriteContext) => Promise<T>) => Promise<T>

export interface WriteParts extends Pick<SyncTask, 'directory' | 'refreshed' | 'onEvents'> {
  readonly cause: () => Cause
}

/**
 * Creates the write function of a run. Concurrent writes under an outdated revision read the directory once.
 *
 * @throws SyncStopped if the run must end, also because it is to sync something else by now
 */
export function createWrite({ directory, refreshed, onEvents, cause }: WriteParts): Write {
  const notify = createNotify(onEvents)
  let current = directory
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const after = await refreshed()
    if (scopeText(after) !== scopeText(directory)) {
      throw new SyncStopped('The domain, groups or units to sync were changed: sync again.')
    }
    current = after
  }

  async function reread(outdated: Directory): Promise<Directory> {
    if (outdated !== current) return current
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    await refreshing
    return current
  }

  return (change) =>
    withCurrentDirectory(current, reread, async (used) => {
      // Google allows groups with the same name, and nobody could repair a sync that does not.
      const outcome = await change({ directory: { ...used, uniqueGroupNames: false }, cause: cause() })
      if (outcome.events.length > 0) await notify(used, outcome.events)
      return outcome
    })
}

function scopeText({ google }: Directory): string | undefined {
  return google && JSON.stringify(scopeOf(google))
}

/** The same write without a removal limit: its removals do not count. */
export function withoutLimit(context: WriteContext): WriteContext {
  return { ...context, directory: { ...context.directory, removalLimit: null } }
}

interface PendingEvents {
  readonly directory: Directory
  readonly events: readonly StoredEvent[]
  readonly notified: PromiseWithResolvers<void>
}

/**
 * Wraps `onEvents` so that concurrent commits are reported one after the other in the order of their sequences. Commits
 * of the same turn of the event loop are collected and reported from the next turn on.
 */
export function createNotify(onEvents: SyncTask['onEvents']): SyncTask['onEvents'] {
  let pending: PendingEvents[] = []
  let isNotifying = false

  async function notifyAll(): Promise<void> {
    isNotifying = true
    await nextTurn()
    for (let next = takeFirst(); next !== undefined; next = takeFirst()) await notifyOne(next)
    isNotifying = false
  }

  async function notifyOne({ directory, events, notified }: PendingEvents): Promise<void> {
    try {
      await onEvents(directory, events)
      notified.resolve()
    } catch (error) {
      notified.reject(error)
    }
  }

  function takeFirst(): PendingEvents | undefined {
    const [first, ...others] = pending.toSorted((a, b) => firstSequence(a) - firstSequence(b))
    pending = others
    return first
  }

  return (directory, events) => {
    const notified = Promise.withResolvers<void>()
    pending.push({ directory, events, notified })
    if (!isNotifying) void notifyAll()
    return notified.promise
  }
}

function firstSequence({ events }: PendingEvents): number {
  return events[0]?.sequence ?? 0
}
