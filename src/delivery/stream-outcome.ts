import type { Failure } from './policy.ts'
import { maxFailingMs, maxRefusals, retryPauseMs } from './policy.ts'
import type { Batch } from './send.ts'
import type { DeadEvent, StreamState } from './store.ts'

/** A stream after an attempt, and the events that were set aside with it. */
export interface AfterAttempt {
  readonly state: StreamState
  readonly dead: readonly DeadEvent[]
}

/** The stream after its parcel was taken. Pure. */
export function afterDelivery(state: StreamState, parcel: Batch): StreamState {
  return { ...succeeded(state), refusals: 0, batchEnd: undefined, deliveredSequence: lastSequenceOf(parcel) }
}

/** The stream after something was taken that does not move it on. Pure. */
export function succeeded(state: StreamState): StreamState {
  return { ...state, failures: 0, failingSince: undefined, nextAttemptAt: undefined }
}

/**
 * The stream after an attempt in vain (design §7.2): it waits; it is paused at once when the endpoint is gone, and after five
 * days of failures only; after twelve refusals it goes on without the parcel. Pure.
 *
 * @param random from 0 to 1
 */
export function afterFailure(
  state: StreamState,
  parcel: Batch,
  outcome: Failure,
  { now, random }: { readonly now: number; readonly random: number },
): AfterAttempt {
  const failures = state.failures + 1
  const failingSince = state.failingSince ?? now
  const refusals = state.refusals + (outcome.kind === 'refused' ? 1 : 0)
  if (refusals >= maxRefusals) return { state: passed(state, parcel, failingSince), dead: deadOf(parcel, outcome, now) }
  const batchEnd = parcel[0].sequence > state.deliveredSequence ? lastSequenceOf(parcel) : state.batchEnd
  const failing = { ...state, failures, failingSince, refusals, batchEnd }
  const reason = pauseReason(outcome, now - failingSince)
  if (reason !== undefined) {
    return { state: { ...failing, nextAttemptAt: undefined, pause: { reason, at: now } }, dead: [] }
  }
  return { state: { ...failing, nextAttemptAt: now + retryPauseMs(outcome, failures, random, now) }, dead: [] }
}

function pauseReason({ kind }: Failure, failingMs: number): 'gone' | 'failing' | undefined {
  if (kind === 'gone') return 'gone'
  return failingMs >= maxFailingMs ? 'failing' : undefined
}

/** What was refused is passed; that there has been no success counts on. */
function passed(state: StreamState, parcel: Batch, failingSince: number): StreamState {
  return { ...afterDelivery(state, parcel), failingSince }
}

function deadOf(parcel: Batch, { reason }: Failure, diedAt: number): DeadEvent[] {
  return parcel.map(({ sequence }) => ({ sequence, diedAt, reason }))
}

function lastSequenceOf(parcel: Batch): number {
  return (parcel.at(-1) ?? parcel[0]).sequence
}
