import type { Directory } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { DirectoryRecords } from '../directory/store.ts'
import type { Delivery, Retry } from './delivery.ts'
import { failureLabel, outcomeOf, retryPauseMs } from './delivery.ts'
import { createDirectoryView } from './directory-view.ts'
import type { DeliveryLog, DeliveryObserver } from './observer.ts'
import { createProgress } from './progress.ts'
import type { Schedule } from './schedule.ts'
import type { Send } from './send.ts'
import type { DeliveryTarget, EventStore } from './store.ts'
import type { Next, Pause } from './turns.ts'

const pageSize = 100
const storePause: Pause = { pauseMs: 1_000 }

/** What delivery reads and writes. */
export type StreamStore = EventStore & Pick<DirectoryRecords, 'getDirectory'>

/** What every stream of a dispatcher shares. */
export interface StreamContext {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly send: Send
  readonly clock: () => number
  readonly random: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLog
  readonly observer: DeliveryObserver
  /** Aborts when deliveries in flight are given up. */
  readonly signal: AbortSignal
  /** Whether no further event may be sent. */
  readonly isClosing: () => boolean
  /** Whether a turn that has sent so many events, since that time, must leave its place to others. */
  readonly isTurnOver: (sent: number, startedAt: number) => boolean
}

/** How far a turn has come. */
interface Turn {
  readonly startedAt: number
  sent: number
  sequence: number
}

/** The events of one directory on their way to its target, in order and one at a time. */
export interface Stream {
  /** Sends what is due. Never rejects. After `'idle'` the stream has nothing left to remember. */
  takeTurn(): Promise<Next>
}

export function createStream(context: StreamContext, directoryId: string): Stream {
  const { store, target, clock, schedule } = context
  const view = createDirectoryView(store, directoryId, clock)
  const progress = createProgress({
    record: (sequence) => store.recordDelivered(directoryId, target, sequence),
    schedule,
    onError: storeFailed,
  })
  let failures = 0

  async function takeTurn(): Promise<Next> {
    const next = await sendDue().catch(storeFailed)
    const recorded = await progress.flush()
    return recorded || typeof next === 'object' ? next : storePause
  }

  async function sendDue(): Promise<Next> {
    const startedAt = clock()
    if ((await receiver(view.refresh)) === undefined) return 'idle'
    if (!(await progress.flush())) return storePause
    const turn = { startedAt, sent: 0, sequence: await store.deliveredSequence(directoryId, target) }
    let next: Next | undefined
    while (next === undefined) next = await sendPage(turn)
    return next
  }

  /** Sends the events that come next; what it answers, if anything, ends the turn. */
  async function sendPage(turn: Turn): Promise<Next | undefined> {
    const events = await store.eventsAfter(directoryId, turn.sequence, pageSize)
    if (events.length === 0) return 'idle'
    for (const event of events) {
      const next = await sendOne(event)
      if (next !== undefined) return next
      turn.sequence = event.sequence
      turn.sent += 1
      if (context.isTurnOver(turn.sent, turn.startedAt)) return 'again'
    }
    progress.flush()
    return undefined
  }

  /** Sends one event; what it answers, if anything, ends the turn as well. */
  async function sendOne(event: StoredEvent): Promise<Next | undefined> {
    const directory = await receiver(view.current)
    if (directory === undefined || context.isClosing()) return 'idle'
    const delivery = await attempt(directory, event)
    const outcome = outcomeOf(delivery)
    if (outcome !== 'delivered') return hold(event, delivery, outcome)
    failures = 0
    progress.advance(event.sequence)
    context.observer.delivered(delivery.latencyMs, Math.max(0, clock() - event.createdAt))
    return undefined
  }

  async function attempt(directory: Directory, event: StoredEvent): Promise<Delivery> {
    const startedAt = clock()
    try {
      return await context.send(directory, event, context.signal)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'failed', reason, latencyMs: clock() - startedAt }
    }
  }

  function hold(event: StoredEvent, delivery: Delivery, retry: Retry): Pause {
    failures += 1
    const pauseMs = retryPauseMs(retry, failures, context.random(), clock())
    const { id: eventId, sequence } = event
    const details = { directoryId, target, eventId, sequence, failures, reason: retry.reason, pauseMs }
    context.log.warn(details, 'an event was not delivered; its directory waits and sends it again')
    context.observer.failed(failureLabel(delivery))
    return { pauseMs }
  }

  /** The directory, when events may go to it now. */
  async function receiver(read: () => Promise<Directory | undefined>): Promise<Directory | undefined> {
    const directory = await read()
    if (directory === undefined) progress.forget()
    return directory !== undefined && takesEvents(directory) ? directory : undefined
  }

  function takesEvents({ deactivated, endpoint }: Directory): boolean {
    return !deactivated && (target === 'on-event' || endpoint !== undefined)
  }

  function storeFailed(error: unknown): Pause {
    context.log.error({ directoryId, target, err: error }, 'delivery cannot use the store; it tries again in a second')
    return storePause
  }

  return { takeTurn }
}
