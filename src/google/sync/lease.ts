import type { Schedule } from '../../concurrency/schedule.ts'
import type { Directory } from '../../directory/directory.ts'
import type { GoogleStore, SyncProgress, SyncRun } from '../google-store.ts'
import type { Tally } from './run.ts'
import { SyncStopped } from './run.ts'

/** A process that does not renew a lease for this long loses its runs. */
export const leaseMs = 15_000
const renewMs = 3_000

/** A run of this process. */
export interface ActiveRun {
  readonly run: SyncRun
  readonly tally: Tally
  /** Aborted with a `SyncStopped` to end the run. */
  readonly stop: AbortController
}

/** Renews the leases of this process's runs, and records their progress. */
export interface Leases {
  add(active: ActiveRun): void
  remove(active: ActiveRun): void
  /** Ends all runs with a reason. */
  stopAll(reason: SyncStopped): void
  close(): void
}

export interface LeasesParts {
  readonly store: Pick<GoogleStore, 'renewSyncRuns' | 'recordSyncRun'>
  readonly getDirectory: (id: string) => Promise<Directory | undefined>
  /** This process, unique among all processes. */
  readonly holder: string
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void }
}

/**
 * The leases are renewed every three seconds while there are runs. A run is stopped if its lease was lost, or its directory
 * was deleted or deactivated: without a change to write it would not notice.
 */
export function createLeases({ store, getDirectory, holder, schedule, log }: LeasesParts): Leases {
  const runs = new Map<string, ActiveRun>()
  const recorded = new WeakMap<ActiveRun, SyncProgress>()
  let cancelRenewal: (() => void) | undefined

  async function renew(): Promise<void> {
    cancelRenewal = undefined
    try {
      await renewLeases([...runs.values()])
    } catch (error) {
      log.error({ err: error }, 'the leases of sync runs could not be renewed; retrying in three seconds')
    }
    if (runs.size > 0) cancelRenewal ??= schedule(renew, renewMs)
  }

  async function renewLeases(active: readonly ActiveRun[]): Promise<void> {
    if (active.length === 0) return
    const renewed = new Set(await store.renewSyncRuns(holder, leaseMs))
    for (const one of active) {
      await stopIfOver(one, renewed.has(one.run.id))
      await recordProgress(one)
    }
  }

  /** A waiting run reads its directory when it begins. */
  async function stopIfOver({ run, tally, stop }: ActiveRun, isHeld: boolean): Promise<void> {
    if (!runs.has(run.id) || (isHeld && tally.progress().phase === 'waiting')) return
    const reason = stopReason(await getDirectory(run.directoryId)) ?? (isHeld ? undefined : lostRun())
    if (reason !== undefined) stop.abort(reason)
  }

  async function recordProgress(active: ActiveRun): Promise<void> {
    const progress = active.tally.progress()
    if (progress === recorded.get(active) || !runs.has(active.run.id)) return
    recorded.set(active, progress)
    await store.recordSyncRun(active.run, holder, progress)
  }

  return {
    add(active) {
      runs.set(active.run.id, active)
      recorded.set(active, active.tally.progress())
      cancelRenewal ??= schedule(renew, renewMs)
    },
    remove: ({ run }) => void runs.delete(run.id),
    stopAll(reason) {
      for (const { stop } of runs.values()) stop.abort(reason)
    },
    close: () => cancelRenewal?.(),
  }
}

/** The reason why a directory is not synced any further; undefined if it is. */
export function stopReason(directory: Directory | undefined): SyncStopped | undefined {
  if (directory === undefined) return new SyncStopped('The directory was deleted.')
  return directory.deactivated ? new SyncStopped('The directory was deactivated.') : undefined
}

export function lostRun(): SyncStopped {
  return new SyncStopped('This run was taken over by another process because its own one did not respond for too long.')
}
