import { backOffMs, parseRetryAfter } from '../concurrency/retry-delay.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { AttemptResult, Batch } from './attempt.ts'
import { lastSequenceOf } from './attempt.ts'
import type { DeadEvent, StreamChange, StreamPause, StreamState } from './event-store.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** The number of refusals after which an event is moved to the dead events. */
export const maxRefusals = 12

/** Time after which a stream that fails without a single success is paused, in milliseconds. */
export const maxFailingMs = 5 * day

const retryDelaysMs = [5 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 15 * minute] as const

/** The minimum interval between the retries of a directory that is changed again and again. */
export const minRetryIntervalMs = 1 * second

/** An event that is delivered this long after its commit is kept from its delivery on, not from its commit. */
const lateMs = 1 * day

const minRetryAfterMs = 1 * second
const maxRetryAfterMs = 60 * minute

// The state of delivery

export const deliveryStates = ['off', 'flowing', 'failing', 'paused', 'held'] as const

export type DeliveryState = (typeof deliveryStates)[number]

/**
 * The state of delivery to an endpoint. The events of a held directory are neither sent nor in the feed, so this comes first.
 *
 * @param directory whether it is deactivated or has no endpoint, and whether its events are held
 */
export function deliveryState(
  { pause, failures }: Pick<StreamState, 'pause' | 'failures'>,
  { isOff, isHeld }: { readonly isOff: boolean; readonly isHeld: boolean },
): DeliveryState {
  if (isHeld) return 'held'
  if (isOff) return 'off'
  if (pause !== undefined) return 'paused'
  return failures > 0 ? 'failing' : 'flowing'
}

// What a response means

export type Outcome = 'delivered' | Failure

export interface Failure {
  /**
   * `retry`: the endpoint is not available, the stream waits and sends the same batch again. `refused`: the same, and
   * the refusal counts against the events. `gone`: the endpoint no longer exists, the stream is paused.
   */
  readonly kind: 'retry' | 'refused' | 'gone'
  /** A sentence for the log. */
  readonly reason: string
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | null
}

export function outcomeOf(result: AttemptResult): Outcome {
  if (result.kind === 'failed') return { kind: 'retry', reason: result.reason, retryAfter: null }
  const { status, retryAfter } = result
  if (isSuccess(status)) return 'delivered'
  return { kind: failureKind(status), reason: `answered ${status}`, retryAfter }
}

/** Redirects are not followed: only 2xx counts as delivered. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function failureKind(status: number): Failure['kind'] {
  if (status === 410) return 'gone'
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500
  return isTemporary ? 'retry' : 'refused'
}

/** The metric label of a failed attempt: the status, or `no-answer`. */
export function failureLabel(result: AttemptResult): string {
  return result.kind === 'response' ? String(result.status) : 'no-answer'
}

// When to retry

/**
 * The delay before the next attempt: the value of `Retry-After`, limited to 1 s to 1 h, or else the backoff.
 *
 * @param failures the number of consecutive failures, from 1
 * @param random a number from 0 to 1
 */
export function retryDelayMs({ retryAfter }: Failure, failures: number, random: number, nowMs: number): number {
  const requestedMs = parseRetryAfter(retryAfter, nowMs)
  if (requestedMs === undefined) return retryBackOffMs(failures, random)
  return Math.min(Math.max(requestedMs, minRetryAfterMs), maxRetryAfterMs)
}

/** The backoff after the n-th consecutive failure: 5 s, 30 s, 2 min, 5 min, 10 min, then always 15 min, ±20 %. */
export function retryBackOffMs(failures: number, random: number): number {
  return backOffMs(retryDelaysMs, failures, random)
}

/**
 * Splits events into batches of up to `size`, in order.
 *
 * @param retriedBatchEnd the last sequence of a batch that is being retried: the first batch ends there, whatever its
 * size, so that the endpoint receives the same batch again
 */
export function splitIntoBatches(
  events: readonly StoredEvent[],
  size: number,
  retriedBatchEnd: number | undefined,
): Batch[] {
  const batches: Batch[] = []
  let rest = events
  while (rest.length > 0) {
    const isRetry = batches.length === 0 && retriedBatchEnd !== undefined
    const retriedCount = isRetry ? rest.filter(({ sequence }) => sequence <= retriedBatchEnd).length : 0
    const [first, ...others] = rest.slice(0, retriedCount > 0 ? retriedCount : size)
    if (first === undefined) return batches
    batches.push([first, ...others])
    rest = rest.slice(1 + others.length)
  }
  return batches
}

// The stream after an attempt

/** The stream after its next batch was delivered. */
export function afterDelivery(state: StreamState, batch: Batch, now: number): StreamState {
  const [{ createdAt }] = batch
  return {
    ...withoutFailures(state),
    refusals: 0,
    batchEnd: undefined,
    deliveredSequence: lastSequenceOf(batch),
    deliveredLateAt: now - createdAt >= lateMs ? now : state.deliveredLateAt,
  }
}

/** The stream after a replayed event was delivered: its position does not change. */
export function afterReplay(state: StreamState): StreamState {
  return withoutFailures(state)
}

/** Returns whether a batch is a replay: its events were already delivered, or became dead. */
export function isReplay(state: StreamState, [{ sequence }]: Batch): boolean {
  return sequence <= state.deliveredSequence
}

/** The stream after a failed attempt, and the events that became dead. */
export interface AfterFailure {
  readonly state: StreamState
  readonly dead: readonly DeadEvent[]
}

/**
 * The stream after a failed attempt. It waits for a retry; it is paused when the endpoint is gone or nothing has
 * succeeded for five days; after twelve refusals it continues without the batch. A refused replay is dead immediately.
 *
 * @param chance `random` is a number from 0 to 1; `isLast`: the directory is deleted, so that nobody could resume the stream
 */
export function afterFailure(
  state: StreamState,
  batch: Batch,
  failure: Failure,
  { now, random, isLast = false }: { readonly now: number; readonly random: number; readonly isLast?: boolean },
): AfterFailure {
  const replay = isReplay(state, batch)
  if (replay && failure.kind === 'refused') return { state, dead: deadEventsOf(batch, failure, now) }
  const { reason: lastError } = failure
  const failures = state.failures + 1
  const failingSince = state.failingSince ?? now
  const refusals = state.refusals + (failure.kind === 'refused' ? 1 : 0)
  if (refusals >= maxRefusals) {
    const skipped = { ...afterDelivery(state, batch, now), failingSince, lastError }
    return { state: skipped, dead: deadEventsOf(batch, failure, now) }
  }
  const batchEnd = replay ? state.batchEnd : lastSequenceOf(batch)
  const reason = pauseReason(failure, isLast ? 0 : now - failingSince)
  const next =
    reason === undefined
      ? { nextAttemptAt: now + retryDelayMs(failure, failures, random, now) }
      : { nextAttemptAt: undefined, pause: { reason, at: now } }
  return { state: { ...state, failures, failingSince, refusals, batchEnd, lastError, ...next }, dead: [] }
}

function pauseReason({ kind }: Failure, failingMs: number): StreamPause['reason'] | undefined {
  if (kind === 'gone') return 'gone'
  return failingMs >= maxFailingMs ? 'failing' : undefined
}

function deadEventsOf(batch: Batch, { reason }: Failure, diedAt: number): DeadEvent[] {
  return batch.map(({ sequence }) => ({ sequence, diedAt, reason }))
}

function withoutFailures(state: StreamState): StreamState {
  return { ...state, failures: 0, failingSince: undefined, nextAttemptAt: undefined, lastError: undefined }
}

// Changes by operators

/** Pauses a stream. It replaces a pause that the endpoint caused and that a new endpoint would end. */
export function pauseStream(at: number): StreamChange {
  return {
    endsLease: true,
    apply: (state) => (state.pause?.reason === 'operator' ? state : { ...state, pause: { reason: 'operator', at } }),
  }
}

/** Ends a pause for any reason; the next attempt is due immediately. */
export const resumeStream: StreamChange = {
  endsLease: true,
  apply: (state) => ({ ...withoutFailures(state), pause: undefined }),
}

/** Sends every event after a sequence again. It never moves a stream forward. */
export function replayAfter(sequence: number): StreamChange {
  return {
    endsLease: true,
    apply(state) {
      const deliveredSequence = Math.min(state.deliveredSequence, sequence)
      return { ...withoutFailures(state), deliveredSequence, refusals: 0, batchEnd: undefined }
    },
  }
}

/** Returns whether the stream waits before the event of a sequence: its attempts fail, or it is paused. */
export function isBlockedBy(sequence: number, { deliveredSequence, failures, pause }: StreamState): boolean {
  return sequence === deliveredSequence + 1 && (failures > 0 || pause !== undefined)
}

/**
 * Sets aside the event that blocks a stream, which continues with the next one; no change when another event, or none,
 * blocks it. It ends a pause that the endpoint caused, not one by an operator.
 */
export function skipEvent(sequence: number, reason: string, at: number): StreamChange {
  return {
    endsLease: true,
    dead: { sequence, diedAt: at, reason, isSkipped: true },
    apply(state) {
      if (!isBlockedBy(sequence, state)) return undefined
      const pause = state.pause?.reason === 'operator' ? state.pause : undefined
      return { ...withoutFailures(state), pause, deliveredSequence: sequence, refusals: 0, batchEnd: undefined }
    },
  }
}

/**
 * Makes the next attempt due immediately after the directory was changed, but at most once a second.
 *
 * @param hasNewEndpoint ends a pause caused by the previous endpoint, and voids an attempt in flight to it
 * @param at time of the change
 */
export function directoryUpdated(hasNewEndpoint: boolean, at: number): StreamChange {
  return {
    endsLease: hasNewEndpoint,
    apply(state) {
      const isReset = hasNewEndpoint && state.pause?.reason !== 'operator'
      const next = isReset ? { ...withoutFailures(state), pause: undefined } : state
      return isReset || state.nextAttemptAt !== undefined ? { ...next, ...retryAfterUpdate(state, at) } : next
    },
  }
}

function retryAfterUpdate({ nextAttemptAt = Number.POSITIVE_INFINITY, retriedAt }: StreamState, at: number) {
  const earliestAt = retriedAt === undefined ? at : retriedAt + minRetryIntervalMs
  if (earliestAt <= at) return { nextAttemptAt: undefined, retriedAt: at }
  return { nextAttemptAt: Math.min(nextAttemptAt, earliestAt) }
}
