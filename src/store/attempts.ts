import { deliveryTargets } from '../delivery/event-store.ts'
import type { RecordedAttempt } from '../delivery/log/attempt-store.ts'
import { newId } from '../ids/new-id.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { attemptLocation } from './sealing.ts'

/** The columns of an attempt without its directory, in the order of `attemptValues`. */
export const attemptColumns = [
  ...['last_sequence', 'first_sequence', 'target', 'attempt', 'at', 'status', 'error', 'duration_ms'],
  ...['response_id', 'response_body'],
] as const

/** Encrypts the response body. */
export function attemptValues(attempt: RecordedAttempt, { seal }: Sealing): (string | number | null)[] {
  const { lastSequence, firstSequence, target, at, status, error, durationMs, responseBody: body } = attempt
  const id = body === undefined ? null : newId()
  const sealed = body === undefined || id === null ? null : seal(body, attemptLocation(id))
  return [lastSequence, firstSequence, target, attempt.attempt, at, status, error, durationMs, id, sealed]
}

export function decodeAttempt(row: Row, { open }: Sealing): RecordedAttempt {
  const sealed = optionalText(row, 'response_body')
  return {
    ...(sealed === undefined ? {} : { responseBody: open(sealed, attemptLocation(text(row, 'response_id'))) }),
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
