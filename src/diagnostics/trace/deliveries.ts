import type { AttemptStore, RecordedAttempt, SequenceInterval } from '../../delivery/log/attempt-store.ts'

/** An attempt to deliver an event as the API returns it. */
export interface DeliveryAttemptView {
  /** ISO 8601, in UTC: end of the attempt. */
  readonly at: string
  readonly target: 'endpoint' | 'on-event'
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  /** Null when there was no response. */
  readonly status: number | null
  /** Null when the event was delivered. */
  readonly error: string | null
  readonly duration_ms: number
  /** The beginning of the response body; null when it is not kept. */
  readonly response_body: string | null
}

/** The maximum number of attempts that are read for consecutive events. */
const maxAttempts = 5_000

/** Reads the attempts to deliver events of a directory, by sequence number. */
export async function deliveriesOf(
  store: Pick<AttemptStore, 'attemptsOf'>,
  directoryId: string,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, readonly DeliveryAttemptView[]>> {
  const found = new Map<number, DeliveryAttemptView[]>(sequences.map((sequence) => [sequence, []]))
  for (const interval of intervalsOf(sequences)) {
    const attempts = await store.attemptsOf(directoryId, interval, maxAttempts)
    for (const attempt of attempts) {
      const [from, to] = [Math.max(attempt.firstSequence, interval.from), Math.min(attempt.lastSequence, interval.to)]
      for (let sequence = from; sequence <= to; sequence += 1) found.get(sequence)?.push(attemptView(attempt))
    }
  }
  return found
}

/** The intervals of consecutive numbers. */
function intervalsOf(sequences: readonly number[]): SequenceInterval[] {
  const intervals: { from: number; to: number }[] = []
  for (const sequence of sequences.toSorted((a, b) => a - b)) {
    const last = intervals.at(-1)
    if (last !== undefined && sequence <= last.to + 1) last.to = sequence
    else intervals.push({ from: sequence, to: sequence })
  }
  return intervals
}

function attemptView(recorded: RecordedAttempt): DeliveryAttemptView {
  const { at, target, attempt, status, error, durationMs: duration_ms, responseBody: response_body = null } = recorded
  return { at: new Date(at).toISOString(), target, attempt, status, error, duration_ms, response_body }
}
