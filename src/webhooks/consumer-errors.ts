import { RollcallError } from '../client/error.ts'
import type { RollcallEvent } from './event.ts'

/** Earlier events are missing. Respond with 503, so that the event is sent again, and catch up from the feed. */
export class SequenceGapError extends RollcallError {
  override readonly name = 'SequenceGapError'
  readonly directoryId: string
  /** The expected sequence. */
  readonly expected: number
  readonly received: number

  constructor({ directory_id, sequence }: RollcallEvent, expected: number) {
    const message = `The events ${expected} to ${sequence - 1} of directory ${directory_id} are missing.`
    super(message, { code: 'sequence-gap', status: 503 })
    this.directoryId = directory_id
    this.expected = expected
    this.received = sequence
  }
}

/**
 * The service has lost events that were processed, and uses their sequences again. Respond with 503, so that the event
 * is sent again.
 */
export class DivergedError extends RollcallError {
  override readonly name = 'DivergedError'
  readonly directoryId: string

  constructor({ directory_id, sequence }: RollcallEvent) {
    const message = `The event ${sequence} of directory ${directory_id} is not among those that were processed, because the service has lost its last changes: pass resync to createConsumer, or delete the position of the directory and request a resync.`
    super(message, { code: 'cursor-diverged', status: 503 })
    this.directoryId = directory_id
  }
}
