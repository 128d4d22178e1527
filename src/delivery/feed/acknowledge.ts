import type { DeliveryLogger, DeliveryObserver } from '../observer.ts'
import type { FeedDirectory, FeedStore } from './feed-store.ts'

/** Accuracy of the recorded time at which a feed was read, in milliseconds. */
const readAccuracyMs = 3_600_000

/** Called with a directory of the feed, and the sequence that its reader continues after. */
export type OnFeedRead = (directory: Pick<FeedDirectory, 'id' | 'reader'>, position: number) => void

export interface AcknowledgeParts {
  readonly store: Pick<FeedStore, 'endDeprovisionings'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: DeliveryLogger
  readonly observer: Pick<DeliveryObserver, 'deprovisioned'>
  /** Called at most about once an hour for a directory without an endpoint whose feed is read. */
  readonly onReader: (directoryId: string) => void
}

/**
 * Ends the deprovisionings that a reader has received, where the feed is the only consumer: continuing after an event
 * means that it was received. This happens after the read and does not delay it.
 */
export function createAcknowledge({ store, clock, log, observer, onReader }: AcknowledgeParts): OnFeedRead {
  return ({ id, reader }, position) => {
    if (reader === undefined) return
    if (clock() - (reader.readAt ?? 0) >= readAccuracyMs) onReader(id)
    if (reader.firstDeprovisioning === undefined || reader.firstDeprovisioning > position) return
    store.endDeprovisionings(id, position, clock()).then(observer.deprovisioned, (error: unknown) => {
      log.error({ directoryId: id, err: error }, 'deprovisionings that a feed has reported could not be recorded')
    })
  }
}
