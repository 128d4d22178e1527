import type { Schedule } from '../concurrency/schedule.ts'
import { createSignal } from '../concurrency/signal.ts'
import type { DeliveryLogger } from './observer.ts'
import type { RetentionStore } from './store.ts'

const dayMs = 24 * 3_600_000
const firstRunMs = 60_000
const runEveryMs = 3_600_000
/** Between two steps others have the database. */
const stepPauseMs = 25
const directoriesPerStep = 200

export interface RetentionOptions {
  readonly store: RetentionStore
  /** How many days an event is kept, counted from its commit. */
  readonly days: number
  /** Whether this process hands every event to an `onEvent`. */
  readonly hasOnEvent: boolean
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Removes old events that every target has taken, in small steps. Every process may run one. */
export interface Retention {
  /** Runs in a minute, then every hour. */
  start(): void
  /** Stops after the present step. */
  close(): Promise<void>
}

export function createRetention({ store, days, hasOnEvent, clock, schedule, log }: RetentionOptions): Retention {
  const bell = createSignal(schedule)
  let closing = false
  let working = Promise.resolve()

  async function work(): Promise<void> {
    await bell.wait(firstRunMs)
    while (!closing) {
      await removeOld().catch((error) =>
        log.error({ err: error }, 'old events cannot be removed; it goes on in an hour'),
      )
      if (!closing) await bell.wait(runEveryMs)
    }
  }

  async function removeOld(): Promise<void> {
    const before = clock() - days * dayMs
    let after: string | undefined = ''
    while (after !== undefined && !closing) {
      const directories = await store.oldestEvents(after, directoriesPerStep)
      for (const { directoryId, createdAt } of directories) {
        if (createdAt !== undefined && createdAt < before) await removeOf(directoryId, before)
      }
      after = directories.length < directoriesPerStep ? undefined : directories.at(-1)?.directoryId
      if (after !== undefined) await bell.wait(stepPauseMs)
    }
  }

  async function removeOf(directoryId: string, before: number): Promise<void> {
    let after: number | undefined = 0
    while (after !== undefined && !closing) {
      after = await store.removeEvents(directoryId, { before, after, hasOnEvent })
      if (after !== undefined) await bell.wait(stepPauseMs)
    }
  }

  return {
    start() {
      working = work()
    },
    close() {
      closing = true
      bell.notify()
      return working
    },
  }
}
