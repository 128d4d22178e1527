import { splitIntoBatches } from './policy.ts'
import { createStreamRecord } from './progress.ts'
import { createRecipient } from './recipient.ts'
import type { Delay, TurnResult } from './run-queue.ts'
import { giveUpLease, sendBatch } from './send-batch.ts'
import type { Step, StreamContext, StreamParts, Turn } from './stream-context.ts'

const pageSize = 100
const storeRetry: Delay = { delayMs: 1_000 }

export interface TurnRequest {
  /** Whether the turn sends immediately, without the rest of a backoff. */
  readonly isUrgent: boolean
  /** Called when another process holds the lease. */
  readonly onHeldElsewhere: () => void
}

/** Sends the events of one directory to a target: in order, one batch at a time. */
export interface Stream {
  /** Sends what is due. Never rejects. After `'idle'` the stream has no state left in memory. */
  runTurn(request: TurnRequest): Promise<TurnResult>
}

export function createStream(context: StreamContext, directoryId: string): Stream {
  const { store, target, leases, clock, schedule, log } = context

  function storeFailed(error: unknown): Delay {
    log.error({ directoryId, target, err: error }, 'delivery cannot use the database; retrying in a second')
    return storeRetry
  }

  const onDeprovisioned = context.observer.deprovisioned
  const record = createStreamRecord({ store, leases, directoryId, schedule, onError: storeFailed, onDeprovisioned })
  const recipient = createRecipient({ store, target, directoryId, clock, onDeleted: record.discard })
  const stream: StreamParts = { context, directoryId, recipient, record }

  return {
    async runTurn(request) {
      record.takeLeaseLost()
      const result = await sendDue(stream, request).catch(storeFailed)
      const isRecorded = await record.flush()
      leases.markUnused(directoryId)
      if (!isRecorded) return storeRetry
      if (typeof result === 'object' || !context.keepsLeases) await leases.release(directoryId)
      // After the loss of a lease, an event that was sent may have to be sent again.
      return record.takeLeaseLost() && result === 'idle' ? 'again' : result
    },
  }
}

async function sendDue(stream: StreamParts, { isUrgent, onHeldElsewhere }: TurnRequest): Promise<TurnResult> {
  const { context, directoryId, recipient, record } = stream
  const turn: Turn = { startedAt: context.clock(), sent: 0 }
  const directory = await recipient.refresh()
  if (directory === undefined) return giveUpLease(stream)
  if (!(await record.flush())) return storeRetry
  const leased = await context.leases.acquire(directoryId)
  if (leased === 'held') onHeldElsewhere()
  if (typeof leased === 'string') return 'idle'
  record.load(leased)
  if (leased.state.pause !== undefined) return giveUpLease(stream)
  const delayMs = (leased.state.nextAttemptAt ?? 0) - turn.startedAt
  if (delayMs > 0 && !isUrgent) return { delayMs }
  let step = directory.deactivated ? 'continue' : await sendReplays(stream, turn)
  while (step === 'continue') step = await sendPage(stream, turn)
  return step
}

async function sendReplays(stream: StreamParts, turn: Turn): Promise<Step> {
  const { context, directoryId, record } = stream
  for (const event of await context.store.requestedReplays(directoryId, context.target, pageSize)) {
    const isUpcoming = event.sequence > (record.current()?.state.deliveredSequence ?? 0)
    const step = isUpcoming ? await dropReplay(stream, event.sequence) : await sendBatch(stream, [event], turn)
    if (step !== 'continue') return step
  }
  return 'continue'
}

/**
 * Drops the replay of an event that the stream has not reached yet: it is sent in order, after the events before it.
 */
async function dropReplay({ record }: StreamParts, sequence: number): Promise<Step> {
  return (await record.write({ replayed: [sequence] })) ? 'continue' : 'again'
}

async function sendPage(stream: StreamParts, turn: Turn): Promise<Step> {
  const { context, directoryId, record } = stream
  const { batchSize } = context
  const { deliveredSequence = 0, batchEnd } = record.current()?.state ?? {}
  const limit = Math.max(1, Math.floor(pageSize / batchSize)) * batchSize
  const events = await context.store.eventsAfter(directoryId, deliveredSequence, limit)
  if (events.length === 0) return 'idle'
  for (const batch of splitIntoBatches(events, batchSize, batchSize > 1 ? batchEnd : undefined)) {
    const step = await sendBatch(stream, batch, turn)
    if (step !== 'continue') return step
    if (context.isTurnOver(turn.sent, turn.startedAt)) return 'again'
  }
  void record.flush()
  return 'continue'
}
