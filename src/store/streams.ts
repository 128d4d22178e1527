import type { PauseReason, StreamCounts, StreamState } from '../delivery/store.ts'

/** The columns of a stream's state, in both databases. */
export const streamColumns = `delivered_sequence, failures, failing_since, refusals, batch_end, next_attempt_at, paused_at,
  pause_reason`

/** A row of `streamColumns`. */
export interface StreamRow {
  readonly delivered_sequence: number
  readonly failures: number
  readonly failing_since: number | null
  readonly refusals: number
  readonly batch_end: number | null
  readonly next_attempt_at: number | null
  readonly paused_at: number | null
  readonly pause_reason: string | null
}

/** The state of a row. */
export function streamOf(row: StreamRow): StreamState {
  const { paused_at: at, pause_reason: reason } = row
  return {
    deliveredSequence: row.delivered_sequence,
    failures: row.failures,
    failingSince: row.failing_since ?? undefined,
    refusals: row.refusals,
    batchEnd: row.batch_end ?? undefined,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    pause: at === null ? undefined : { reason: reason as PauseReason, at },
  }
}

/** The values of a state, in the order of `streamColumns`. */
export function streamValues(state: StreamState): (number | string | null)[] {
  const { deliveredSequence, failures, failingSince, refusals, batchEnd, nextAttemptAt, pause } = state
  return [
    deliveredSequence,
    failures,
    failingSince ?? null,
    refusals,
    batchEnd ?? null,
    nextAttemptAt ?? null,
    pause?.at ?? null,
    pause?.reason ?? null,
  ]
}

/** The counts of a row of `state, events, streams, oldest`. */
export function streamCountsOf(row: Readonly<Record<string, unknown>>): StreamCounts {
  const { state, events, streams, oldest } = row
  const oldestAt = oldest === null || oldest === undefined ? undefined : Number(oldest)
  return { state: state as StreamCounts['state'], events: Number(events), streams: Number(streams), oldestAt }
}
