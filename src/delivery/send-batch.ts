import { isDeprovisioning } from '../directory/behaviors.ts'
import type { Directory } from '../directory/directory.ts'
import type { AttemptResult, Batch } from './attempt.ts'
import type { StreamState } from './event-store.ts'
import type { Failure } from './policy.ts'
import { afterDelivery, afterFailure, afterReplay, failureLabel, isReplay, outcomeOf } from './policy.ts'
import type { Step, StreamContext, StreamParts, Turn } from './stream-context.ts'
import { noticeAfterFailure } from './stream-notice.ts'

/** Makes one attempt to send a batch, and records the outcome. */
export async function sendBatch(stream: StreamParts, batch: Batch, turn: Turn): Promise<Step> {
  const { context, directoryId, record } = stream
  const directory = await stream.recipient.current()
  if (directory === undefined || context.isClosing()) return giveUpLease(stream)
  const before = record.current()
  if (before === undefined || !context.leases.isValid(directoryId)) return 'again'
  const result = await attemptToSend(context, directory, batch, before.state.failures + 1)
  const state = record.current()?.state
  // Without a lease the outcome does not count: the next holder sends the batch again.
  if (state === undefined) return 'again'
  const outcome = outcomeOf(result)
  if (outcome !== 'delivered') return recordFailure(stream, directory, { state, batch, result, failure: outcome })
  turn.sent += batch.length
  for (const { createdAt } of batch) {
    context.observer.delivered(result.latencyMs, Math.max(0, context.clock() - createdAt))
  }
  return recordDelivery(stream, state, batch)
}

/** Ends a turn that cannot continue here, and leaves the stream to other processes. */
export async function giveUpLease({ context, directoryId, record }: StreamParts): Promise<'idle'> {
  if (await record.flush()) await context.leases.release(directoryId)
  return 'idle'
}

async function attemptToSend(
  { send, clock, signal }: StreamContext,
  directory: Directory,
  batch: Batch,
  attempt: number,
): Promise<AttemptResult> {
  const startedAt = clock()
  try {
    return await send(directory, batch, attempt, signal)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', reason, latencyMs: clock() - startedAt }
  }
}

async function recordDelivery({ record, context }: StreamParts, state: StreamState, batch: Batch): Promise<Step> {
  const at = context.clock()
  const deprovisioned = batch.filter(isDeprovisioning).map(({ sequence }) => ({ sequence, at }))
  if (!isReplay(state, batch)) {
    record.advance(afterDelivery(state, batch, at), deprovisioned)
    return 'continue'
  }
  record.update(afterReplay(state))
  const replayed = batch.map(({ sequence }) => sequence)
  return (await record.write({ replayed, deprovisioned })) ? 'continue' : 'again'
}

interface FailedAttempt {
  /** The state before the attempt. */
  readonly state: StreamState
  readonly batch: Batch
  readonly result: AttemptResult
  readonly failure: Failure
}

async function recordFailure(
  stream: StreamParts,
  directory: Directory,
  { state: before, batch, result, failure }: FailedAttempt,
): Promise<Step> {
  const { context, record } = stream
  context.observer.failed(failureLabel(result))
  const now = context.clock()
  const isLast = directory.deletedAt !== undefined
  const after = afterFailure(before, batch, failure, { now, random: context.random(), isLast })
  const { state, dead } = after
  const draft = noticeAfterFailure(directory, batch, failure, after, now)
  const notice = draft && context.notices.prepare(draft)
  record.update(state)
  if (!(await record.write({ dead, notice, failedAt: now }))) return 'again'
  if (notice !== undefined) context.notices.committed()
  const isDead = dead.length > 0
  logFailure(stream, batch, state, failure, { deadEvents: dead.length, result })
  if (isDead) {
    context.observer.died(dead.length)
    return 'continue'
  }
  if (state.pause !== undefined) return giveUpLease(stream)
  return { delayMs: (state.nextAttemptAt ?? now) - now }
}

function logFailure(
  { context: { log, target }, directoryId }: StreamParts,
  [{ id: eventId, sequence }]: Batch,
  { failures, pause }: StreamState,
  { reason }: Failure,
  { deadEvents, result }: { readonly deadEvents: number; readonly result: AttemptResult },
): void {
  const thrown = result.kind === 'failed' && result.error !== undefined ? { err: result.error } : {}
  const details = { directoryId, target, eventId, sequence, failures, deadEvents, paused: pause?.reason, reason }
  log.warn({ ...details, ...thrown }, failureMessage(deadEvents > 0, pause !== undefined))
}

function failureMessage(isDead: boolean, isPaused: boolean): string {
  if (isDead) return 'an event was rejected too often and is now dead; delivery continues with the next one'
  if (isPaused) return 'delivery of the events of a directory is paused; resume it when the endpoint works again'
  return 'an event was not delivered; it will be sent again'
}
