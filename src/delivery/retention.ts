import type { Schedule } from '../concurrency/schedule.ts'
import { createSignal } from '../concurrency/signal.ts'
import type { PruneDue, RetentionStore } from './event-store.ts'
import type { DeliveryLogger } from './observer.ts'

const dayMs = 24 * 3_600_000
const firstRunMs = 60_000
const intervalMs = 3_600_000
/** Pause between two steps, which leaves the database to other work. */
const stepPauseMs = 25
const directoriesPerStep = 100

const lost = 'the last events of a deleted directory are removed although its endpoint has not received them'

export interface RetentionOptions {
  readonly store: RetentionStore
  /** Days for which an event is kept after its delivery, or after its commit when it was delivered within a day. */
  readonly days: number
  /** Whether this process sends every event to an `onEvent` callback. */
  readonly hasOnEvent: boolean
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Removes old events that every target has received, in small steps. Any number of processes may run it. */
export interface Retention {
  /** Runs after a minute, then every hour. */
  start(): void
  /** Stops after the current step. */
  close(): Promise<void>
}

export function createRetention({ store, days, hasOnEvent, clock, schedule, log }: RetentionOptions): Retention {
  const closeSignal = createSignal(schedule)
  let isClosing = false
  let finished = Promise.resolve()

  async function run(): Promise<void> {
    await closeSignal.wait(firstRunMs)
    while (!isClosing) {
      await removeOldEvents().catch((error) =>
        log.error({ err: error }, 'old events could not be removed; retrying in an hour'),
      )
      if (!isClosing) await closeSignal.wait(intervalMs)
    }
  }

  async function removeOldEvents(): Promise<void> {
    const before = clock() - days * dayMs
    for (let isMore = true; isMore && !isClosing; ) {
      const forgotten = await store.forgetDirectories(before, directoriesPerStep)
      for (const { id: directoryId, undelivered } of forgotten)
        if (undelivered > 0) log.warn({ directoryId, undelivered }, lost)
      isMore = forgotten.length === directoriesPerStep
      if (isMore) await closeSignal.wait(stepPauseMs)
    }
    for (let due: PruneDue[] | undefined; !isClosing; await closeSignal.wait(stepPauseMs)) {
      due = await store.directoriesToPrune(before, due?.at(-1), directoriesPerStep)
      for (const { id } of due) await removeEventsOf(id, before)
      if (due.length < directoriesPerStep) return
    }
  }

  async function removeEventsOf(directoryId: string, before: number): Promise<void> {
    let after: number | undefined = 0
    while (after !== undefined && !isClosing) {
      after = await store.removeEvents(directoryId, {
        before,
        after,
        hasOnEvent,
        abandonedBefore: before - days * dayMs,
      })
      if (after !== undefined) await closeSignal.wait(stepPauseMs)
    }
  }

  return {
    start() {
      finished = run()
    },
    close() {
      isClosing = true
      closeSignal.notify()
      return finished
    },
  }
}
