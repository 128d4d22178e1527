import type { Schedule } from '../../concurrency/schedule.ts'
import type { SyncLog } from './runner.ts'
import type { SyncRuns } from './sync-runs.ts'

const minTickMs = 1_000
const maxTickMs = 60_000

export interface IntervalParts {
  readonly runs: Pick<SyncRuns, 'startAll'>
  /** How far apart the runs of a directory begin. */
  readonly intervalMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: Pick<SyncLog, 'error'>
}

/** Starts the sync of each directory when its last one began long enough ago, whichever process that was in. */
export interface SyncInterval {
  start(): void
  /** Starts no more; what runs is the runner's. */
  close(): Promise<void>
}

export function createSyncInterval({ runs, intervalMs, clock, schedule, log }: IntervalParts): SyncInterval {
  const tickMs = Math.min(maxTickMs, Math.max(minTickMs, intervalMs / 10))
  let closed = false
  let cancel: (() => void) | undefined
  let ticking = Promise.resolve()

  async function tick(): Promise<void> {
    try {
      await runs.startAll({ trigger: 'interval', unlessSince: clock() - intervalMs })
    } catch (error) {
      log.error({ err: error }, 'the directories to sync cannot be found; it tries again in a while')
    }
    wait()
  }

  function wait(): void {
    const next = () => {
      ticking = tick()
    }
    if (!closed) cancel = schedule(next, tickMs)
  }

  return {
    start: wait,
    close() {
      closed = true
      cancel?.()
      return ticking
    },
  }
}
