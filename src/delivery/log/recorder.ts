import { createBufferedWriter } from '../../concurrency/buffered-writer.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { DeliveryLogStore, LoggedDelivery } from './delivery-log-store.ts'
import type { DeliveryAttempt } from './entry.ts'
import { loggedDelivery } from './entry.ts'

const writeDelayMs = 200
const maxUnwrittenAttempts = 5_000
const maxQueuedCharacters = 8_000_000
const batch = { maxRows: 100, maxCharacters: 1_000_000 }

export interface DeliveryRecorder {
  /** Adds an attempt to the log. Returns immediately and never throws: the log must not delay delivery. */
  record(attempt: DeliveryAttempt): void
}

export interface BufferedRecorder extends DeliveryRecorder {
  /** Writes the buffered attempts now. Resolves after the attempt to write, and never rejects. */
  flush(): Promise<void>
  /** Flushes for the last time: later attempts are not recorded. */
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly store: Pick<DeliveryLogStore, 'addDeliveries'>
  /** Makes ids whose order is that of their creation. */
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  /** The maximum number of attempts that wait in memory. */
  readonly maxUnwritten?: number
}

/**
 * Creates a recorder that buffers attempts for up to 200 ms and writes them in batches. Failed writes are retried for
 * about half a minute; when too many attempts wait, the oldest are dropped.
 */
export function createRecorder(options: RecorderOptions): BufferedRecorder {
  const { store, newId, clock, schedule, log, maxUnwritten = maxUnwrittenAttempts } = options
  const writer = createBufferedWriter<LoggedDelivery>({
    ...{ schedule, delayMs: writeDelayMs, batch },
    queue: { maxCount: maxUnwritten, maxCharacters: maxQueuedCharacters },
    write: (directoryId, deliveries) => store.addDeliveries(directoryId, deliveries),
    onError: (directoryId, err) => log.error({ directoryId, err }, 'the delivery log could not be written'),
    onDropped: (dropped) =>
      log.warn({ dropped }, 'the delivery log could not be written in time: deliveries are missing from it'),
  })
  return {
    record(attempt) {
      try {
        const delivery = loggedDelivery(attempt, newId(), clock())
        writer.add(delivery.directoryId, delivery, sizeOf(delivery))
      } catch (error) {
        log.error({ directoryId: attempt.directory.id, err: error }, 'a delivery could not be recorded')
      }
    },
    flush: writer.flush,
    close: writer.close,
  }
}

/** The approximate size of an entry in memory, in characters. */
function sizeOf({ payload, responseBody }: LoggedDelivery): number {
  return 500 + (payload?.length ?? 0) + responseBody.length
}
