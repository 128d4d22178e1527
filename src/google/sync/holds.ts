import type { Audited, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directories } from '../../directory/directories.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import type { GoogleStore } from '../google-store.ts'
import type { SyncRuns } from './runs.ts'

export interface PulledHoldsParts {
  readonly store: Pick<GoogleStore, 'heldRun' | 'getSyncRun' | 'listHeld' | 'dropHeldRun'> &
    Pick<DirectoryReads, 'getUsers'>
  readonly directories: Pick<Directories, 'get'>
  readonly syncRuns: Pick<SyncRuns, 'approve'>
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  /** The percentage of users or groups that a run may delete without approval. */
  readonly maxDeletePercent: number
}

/** Presents held runs as holds that can be released or discarded. */
export function createPulledHolds(parts: PulledHoldsParts) {
  const { store, directories, syncRuns, audited, clock, maxDeletePercent: percent } = parts
  return {
    /** The held run of a directory; undefined when none is held. */
    async find(directoryId: string) {
      const runId = await store.heldRun(directoryId)
      const run = runId === undefined ? undefined : await store.getSyncRun(directoryId, runId)
      if (run?.state !== 'held') return undefined
      return { runId: run.id, since: run.finishedAt ?? run.startedAt, deletions: run.held, percent }
    },
    /** The users that a run would delete, in the order of their ids, after an id. */
    async users(directoryId: string, runId: string, after: string, limit: number) {
      const ids = await store.listHeld(directoryId, runId, 'user', after, limit)
      const found = new Map<string, string>()
      for (let first = 0; first < ids.length; first += usersPerRead) {
        const users = await store.getUsers(directoryId, ids.slice(first, first + usersPerRead))
        for (const [id, { email }] of users) found.set(id, email)
      }
      return ids.map((id) => ({ id, email: found.get(id) ?? '' }))
    },
    /** @throws DirectoryError those of `SyncRuns.approve` */
    async release(directoryId: string, runId: string, caller: Caller): Promise<void> {
      await syncRuns.approve(directoryId, runId, 'api', caller)
    },
    /**
     * Drops the held deletions; false when the run is not held any more.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async discard(directoryId: string, runId: string, caller: Caller): Promise<boolean> {
      const target = directoryTarget(await directories.get(directoryId))
      const changes = { reasons: { from: ['sync'], to: [] } }
      const audit = audited({ action: 'directory.hold_discarded', caller, target, changes, at: clock() })
      return store.dropHeldRun(directoryId, runId, audit)
    },
  }
}

const usersPerRead = 1_000
