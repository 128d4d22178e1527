import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { Committed } from '../../directory/store.ts'
import { DirectoryChangedError } from '../../provisioning/lifecycle.ts'
import type { ReconcileParts } from './parts.ts'
import { SyncStopped } from './stop.ts'
import { createTell } from './tell.ts'

const maxAttempts = 10

/**
 * Makes a change under the directory's current record and reports its events. When the record has changed, reads it again
 * and repeats the change.
 */
export type Write = <T extends Committed>(change: (directory: Directory) => Promise<T>) => Promise<T>

/**
 * Makes a `Write`. Concurrent writes that find the record changed read it once.
 *
 * @throws SyncStopped when the run must end, also when the directory has another domain now
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
      const outcome = await unlessChanged(change(used))
      if (outcome !== 'directory-changed') {
        if (outcome.events.length > 0) await tell(used, outcome.events)
        return outcome
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

async function unlessChanged<T>(change: Promise<T>): Promise<T | 'directory-changed'> {
  try {
    return await change
  } catch (error) {
    if (error instanceof DirectoryChangedError) return 'directory-changed'
    throw error
  }
}
