import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { Batch, Unwritten } from './batches.ts'
import { batchesOf } from './batches.ts'
import type { DeliveryAttempt } from './entry.ts'
import { loggedDelivery } from './entry.ts'
import type { DeliveryLogStore } from './store.ts'
import { createUnwrittenQueue } from './write-queue.ts'

const writeDelayMs = 200
const retryDelayMs = 1_000
const maxFailures = 30

/** Takes what became of deliveries, so that it can be looked up later. */
export interface DeliveryRecorder {
  /** Takes an attempt. Returns at once and never throws: delivery goes on, whatever becomes of the record. */
  record(attempt: DeliveryAttempt): void
}

export interface BufferedRecorder extends DeliveryRecorder {
  /** Writes at once what is not written yet; resolves when that was tried. Never rejects. */
  flush(): Promise<void>
  /** The same for the last time: later attempts are not taken. */
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly store: Pick<DeliveryLogStore, 'addDeliveries'>
  /** See `newOrderedId`. */
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  /** How many attempts may wait in memory. */
  readonly maxUnwritten?: number
}

/**
 * A recorder that gathers attempts in memory and writes them in batches, 200 ms after the first at the latest. What the
 * store does not take is tried again, for half a minute; when too much waits, the oldest are dropped.
 */
export function createRecorder({
  store,
  newId,
  clock,
  schedule,
  log,
  maxUnwritten,
}: RecorderOptions): BufferedRecorder {
  const queue = createUnwrittenQueue(maxUnwritten)
  let writing = Promise.resolve()
  let cancelTimer: (() => void) | undefined
  let dropped = 0
  let isClosed = false

  function record(attempt: DeliveryAttempt): void {
    if (isClosed) return
    try {
      dropped += queue.add({ delivery: loggedDelivery(attempt, newId(), clock()), failures: 0 })
      cancelTimer ??= schedule(flush, writeDelayMs)
    } catch (error) {
      log.error({ directoryId: attempt.directory.id, err: error }, 'a delivery could not be recorded')
    }
  }

  function flush(): Promise<void> {
    stopTimer()
    writing = writing.then(writeQueued)
    return writing
  }

  /** Writes batch after batch, up to the first that fails: what is wrong then is the store, as a rule. */
  async function writeQueued(): Promise<void> {
    const batches = batchesOf(queue.takeAll())
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      if (await write(batch)) continue
      keep(
        batches.flatMap(({ unwritten }) => unwritten),
        batch.unwritten,
      )
      break
    }
    if (dropped > 0) log.warn({ dropped }, 'the delivery log could not be written in time: it lacks deliveries')
    dropped = 0
  }

  async function write({ directoryId, unwritten }: Batch): Promise<boolean> {
    try {
      const deliveries = unwritten.map(({ delivery }) => delivery)
      await store.addDeliveries(directoryId, deliveries)
      return true
    } catch (error) {
      log.error({ directoryId, err: error }, 'the store did not take the delivery log')
      return false
    }
  }

  /** Keeps for later what was not tried, and behind it what failed: that may be wrong by itself. */
  function keep(untried: readonly Unwritten[], failed: readonly Unwritten[]): void {
    const again = failed.map(({ delivery, failures }) => ({ delivery, failures: failures + 1 }))
    const kept = isClosed ? [] : [...untried, ...again.filter(({ failures }) => failures < maxFailures)]
    dropped += untried.length + failed.length - kept.length + queue.putBack(kept)
    stopTimer()
    if (kept.length > 0) cancelTimer = schedule(flush, retryDelayMs)
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  function close(): Promise<void> {
    isClosed = true
    return flush()
  }

  return { record, flush, close }
}
