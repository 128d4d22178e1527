import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { DeliveryAttempt } from './entry.ts'
import { loggedDelivery } from './entry.ts'
import type { DeliveryLogStore } from './store.ts'
import type { UnwrittenEntry, WriteBatch } from './write-queue.ts'
import { createWriteQueue, writeBatchesOf } from './write-queue.ts'

const writeDelayMs = 200
const retryDelayMs = 1_000
const maxFailures = 30

export interface DeliveryRecorder {
  /** Adds an attempt to the log. Returns immediately and never throws: the log must not delay delivery. */
  record(attempt: DeliveryAttempt): void
}

export interface BufferedRecorder extends DeliveryRecorder {
  /** Writes the buffered attempts now. Resolves when that was tried. Never rejects. */
  flush(): Promise<void>
  /** Flushes for the last time: later attempts are not recorded. */
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
 * Creates a recorder that buffers attempts for up to 200 ms and writes them in batches. Failed writes are retried for about
 * half a minute; when too many attempts wait, the oldest are dropped.
 */
export function createRecorder(options: RecorderOptions): BufferedRecorder {
  const { store, newId, clock, schedule, log, maxUnwritten } = options
  const queue = createWriteQueue(maxUnwritten)
  let writing = Promise.resolve()
  let cancelTimer: (() => void) | undefined
  let dropped = 0
  let isClosed = false

  function flush(): Promise<void> {
    stopTimer()
    writing = writing.then(writeQueued)
    return writing
  }

  async function writeQueued(): Promise<void> {
    const unwritten = await writeAll(store, log, writeBatchesOf(queue.takeAll()))
    if (unwritten !== undefined) putBack(unwritten)
    if (dropped > 0)
      log.warn({ dropped }, 'the delivery log could not be written in time: deliveries are missing from it')
    dropped = 0
  }

  /** Entries that failed go behind those that were not tried: the problem may be in the entries themselves. */
  function putBack({ untried, failed }: UnwrittenEntries): void {
    const retried = failed.map(({ delivery, failures }) => ({ delivery, failures: failures + 1 }))
    const kept = isClosed ? [] : [...untried, ...retried.filter(({ failures }) => failures < maxFailures)]
    dropped += untried.length + failed.length - kept.length + queue.putBack(kept)
    stopTimer()
    if (kept.length > 0) cancelTimer = schedule(flush, retryDelayMs)
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return {
    record(attempt) {
      if (isClosed) return
      try {
        dropped += queue.add({ delivery: loggedDelivery(attempt, newId(), clock()), failures: 0 })
        cancelTimer ??= schedule(flush, writeDelayMs)
      } catch (error) {
        log.error({ directoryId: attempt.directory.id, err: error }, 'a delivery could not be recorded')
      }
    },
    flush,
    close() {
      isClosed = true
      return flush()
    },
  }
}

interface UnwrittenEntries {
  readonly untried: readonly UnwrittenEntry[]
  readonly failed: readonly UnwrittenEntry[]
}

/** Writes batches up to the first failure, which usually means that the store is unavailable. Returns what is left. */
async function writeAll(
  store: RecorderOptions['store'],
  log: DeliveryLogger,
  batches: readonly WriteBatch[],
): Promise<UnwrittenEntries | undefined> {
  for (const [index, { directoryId, entries }] of batches.entries()) {
    try {
      const deliveries = entries.map(({ delivery }) => delivery)
      await store.addDeliveries(directoryId, deliveries)
    } catch (error) {
      log.error({ directoryId, err: error }, 'the delivery log could not be written')
      return { untried: batches.slice(index + 1).flatMap((batch) => batch.entries), failed: entries }
    }
  }
  return undefined
}
