import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { DirectoryChanged } from '../../directory/store.ts'
import type { ReconcileParts } from './parts.ts'
import { SyncStopped } from './stop.ts'
import { createTell } from './tell.ts'

const maxAttempts = 10

/** Makes a change under the directory's record as it is, again when that has changed; answers the events, which were told. */
export type Write = (
  change: (directory: Directory) => Promise<readonly StoredEvent[] | DirectoryChanged>,
) => Promise<readonly StoredEvent[]>

/**
 * Makes a `Write`. Writes that are refused at the same time read the record once.
 *
 * @throws SyncStopped when the run must end: also when its directory is to show another domain now
 */
export function createWrite({
  directory,
  refreshed,
  onEvents,
}: Pick<ReconcileParts, 'directory' | 'refreshed' | 'onEvents'>): Write {
  const tell = createTell(onEvents)
  let current = directory
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const after = await refreshed()
    if (after.google?.domain !== current.google?.domain) throw new SyncStopped('The domain was changed: sync again.')
    current = after
  }

  return async (change) => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const used = current
      const events = await change(used)
      if (events !== 'directory-changed') {
        if (events.length > 0) await tell(used, events)
        return events
      }
      if (used !== current) continue
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      await refreshing
    }
    throw new DirectoryError('busy', 'The directory keeps being changed: sync again in a moment.')
  }
}

/** The events of what a provisioning call made. */
export function eventsOf(
  made: { readonly events: readonly StoredEvent[] } | DirectoryChanged,
): readonly StoredEvent[] | DirectoryChanged {
  return made === 'directory-changed' ? made : made.events
}
