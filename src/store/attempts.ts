import { deliveryTargets } from '../delivery/event-store.ts'
import type { RecordedAttempt } from '../delivery/log/attempt-store.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText } from './row.ts'

/** The columns of an attempt without its directory, in the order of `attemptValues`. */
export const attemptColumns = [
  ...['last_sequence', 'first_sequence', 'target', 'attempt', 'at', 'status', 'error', 'duration_ms'],
] as const

export function attemptValues(attempt: RecordedAttempt): (string | number | null)[] {
  const { lastSequence, firstSequence, target, at, status, error, durationMs } = attempt
  return [lastSequence, firstSequence, target, attempt.attempt, at, status, error, durationMs]
}

export function decodeAttempt(row: Row): RecordedAttempt {
  return {
    firstSequence: integer(row, 'first_sequence'),
    lastSequence: integer(row, 'last_sequence'),
    target: oneOf(row, 'target', deliveryTargets),
    attempt: integer(row, 'attempt'),
    at: integer(row, 'at'),
    status: optionalInteger(row, 'status') ?? null,
    error: optionalText(row, 'error') ?? null,
    durationMs: integer(row, 'duration_ms'),
  }
}

/** The most events in a batch: an attempt that includes an event ends less than so many events after it. */
export const maxEventsPerAttempt = 1_000
