import type { DeliveryTarget } from '../event-store.ts'

/** An attempt to deliver one event or a batch, without the body of the request. */
export interface RecordedAttempt {
  readonly firstSequence: number
  readonly lastSequence: number
  readonly target: DeliveryTarget
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  /** End of the attempt, in Unix milliseconds. */
  readonly at: number
  /** Null when there was no response. */
  readonly status: number | null
  /** Null when the events were delivered. */
  readonly error: string | null
  /** Rounded to whole milliseconds. */
  readonly durationMs: number
  /** The beginning of the response body, without passwords; undefined when it is not kept. */
  readonly responseBody?: string | undefined
}

/** A part of a directory's events, both ends included. */
export interface SequenceInterval {
  readonly from: number
  readonly to: number
}

/** The attempts of every directory. They are kept as long as their events. */
export interface AttemptStore {
  /** Adds attempts of one directory. Existing ones are left unchanged. */
  addAttempts(directoryId: string, attempts: readonly RecordedAttempt[]): Promise<void>
  /** The attempts to deliver any of these events, ordered by last event and time: at most `limit`. */
  attemptsOf(directoryId: string, events: SequenceInterval, limit: number): Promise<readonly RecordedAttempt[]>
}
