import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { SyncLog } from './runner.ts'
import type { SyncRuns } from './runs.ts'

const minTickMs = 1_000
const maxTickMs = 60_000

export interface IntervalParts {
  readonly runs: Pick<SyncRuns, 'startAll'>
  /** The time between the starts of a directory's runs. */
  readonly intervalMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: Pick<SyncLog, 'error'>
}

/** Starts the sync of each directory whose last run, in any process, started at least an interval ago. */
export interface SyncInterval {
  start(): void
  /** Starts no more runs; does not stop those in progress. */
  close(): Promise<void>
}

export function createSyncInterval({ runs, intervalMs, clock, schedule, log }: IntervalParts): SyncInterval {
  const tickMs = Math.min(maxTickMs, Math.max(minTickMs, intervalMs / 10))
  const ticks = createRepetition(schedule, async () => {
    try {
      await runs.startAll({ trigger: 'interval', unlessSince: clock() - intervalMs })
    } catch (error) {
      log.error({ err: error }, 'the directories to sync could not be read; retrying at the next tick')
    }
    return tickMs
  })
  return { start: () => ticks.start(tickMs), close: ticks.close }
}
