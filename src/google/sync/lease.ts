import type { Schedule } from '../../concurrency/schedule.ts'
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
  /** This process, unique among all processes. */
  readonly holder: string
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void }
}

/** The leases are renewed every three seconds while there are runs; a run whose lease was lost is stopped. */
export function createLeases({ store, holder, schedule, log }: LeasesParts): Leases {
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
    for (const { run, stop } of active) if (runs.has(run.id) && !renewed.has(run.id)) stop.abort(lostRun())
    for (const one of active) await recordProgress(one)
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

export function lostRun(): SyncStopped {
  return new SyncStopped('This run was taken over by another process because its own one did not respond for too long.')
}
