import type { Schedule } from '../concurrency/schedule.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/store.ts'
import { createDirectoryView } from './directory-view.ts'
import type { Leases } from './lease.ts'
import type { DeliveryLogger, DeliveryObserver } from './observer.ts'
import { parcelsOf } from './parcels.ts'
import type { AttemptResult, Failure } from './policy.ts'
import { failureLabel, outcomeOf } from './policy.ts'
import { createProgress } from './progress.ts'
import type { Next, Pause } from './run-queue.ts'
import type { Batch, Send } from './send.ts'
import type { DeliveryTarget, EventStore, LeasedStream, StreamEffects, StreamState } from './store.ts'
import { afterDelivery, afterFailure, succeeded } from './stream-outcome.ts'

const pageSize = 100
const storePause: Pause = { pauseMs: 1_000 }

/** What delivery reads and writes. */
export type StreamStore = EventStore & Pick<DirectoryRecords, 'getDirectory'>

/** What every stream of a dispatcher shares. */
export interface StreamContext {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly leases: Leases
  readonly send: Send
  /** How many events are sent together. */
  readonly parcelSize: number
  /** Whether a stream that has nothing more to send keeps its lease for a while, as more is likely to come. */
  readonly keepsLeases: boolean
  readonly clock: () => number
  readonly random: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly observer: DeliveryObserver
  /** Aborts when deliveries in flight are given up. */
  readonly signal: AbortSignal
  /** Whether no further event may be sent. */
  readonly isClosing: () => boolean
  /** Whether a turn that has sent so many events, since that time, must leave its place to others. */
  readonly isTurnOver: (sent: number, startedAt: number) => boolean
}

/** What a turn is asked for with. */
export interface TurnRequest {
  /** Whether the rest of a back-off is left out. */
  readonly isHurried: boolean
  /** Told when another process has the lease. */
  readonly onHeldElsewhere: () => void
}

/** The events of one directory on their way to its target, in order and one parcel at a time. */
export interface Stream {
  /** Sends what is due. Never rejects. After `'idle'` the stream has nothing left to remember. */
  takeTurn(request: TurnRequest): Promise<Next>
}

/** Within a turn: go on with what comes next. */
type Step = Next | 'on'

export function createStream(context: StreamContext, directoryId: string): Stream {
  const { store, target, leases, clock, schedule, parcelSize } = context
  const pageLimit = Math.max(1, Math.floor(pageSize / parcelSize)) * parcelSize
  const view = createDirectoryView(store, directoryId, clock)
  const progress = createProgress({ record: () => record(), schedule, onError: storeFailed })
  /** As it is known here; what of it is not recorded yet is `progress`'s to record. */
  let stream: LeasedStream | undefined
  let recording: Promise<unknown> = Promise.resolve()
  /** Whether the lease ended within the turn, so that there may be something to send again. */
  let isLost = false

  async function takeTurn(request: TurnRequest): Promise<Next> {
    isLost = false
    const next = await sendDue(request).catch(storeFailed)
    const recorded = await progress.flush()
    leases.rest(directoryId)
    if (!recorded) return storePause
    if (typeof next === 'object' || !context.keepsLeases) await leases.release(directoryId)
    return isLost && next === 'idle' ? 'again' : next
  }

  async function sendDue({ isHurried, onHeldElsewhere }: TurnRequest): Promise<Next> {
    const startedAt = clock()
    if ((await receiver(view.refresh)) === undefined) return leave()
    if (!(await progress.flush())) return storePause
    const taken = await leases.take(directoryId)
    if (taken === 'held') onHeldElsewhere()
    if (typeof taken === 'string') return 'idle'
    stream = taken
    if (taken.state.pause !== undefined) return leave()
    const waitMs = (taken.state.nextAttemptAt ?? 0) - startedAt
    if (waitMs > 0 && !isHurried) return { pauseMs: waitMs }
    const turn = { startedAt, sent: 0 }
    let next = await sendReplays(turn)
    while (next === 'on') next = await sendPage(turn)
    return next
  }

  async function sendReplays(turn: Turn): Promise<Step> {
    for (const event of await store.requestedReplays(directoryId, target, pageSize)) {
      const isToCome = event.sequence > (stream?.state.deliveredSequence ?? 0)
      const next = isToCome ? await skip(event.sequence) : await sendOnce([event], turn, replayed)
      if (next !== 'on') return next
    }
    return 'on'
  }

  /** An event that the stream has still to come to is sent in its place, not ahead of those before it. */
  async function skip(sequence: number): Promise<Step> {
    return (await record({ replayed: [sequence] })) ? 'on' : 'again'
  }

  /** Sends the events that come next. */
  async function sendPage(turn: Turn): Promise<Step> {
    const { deliveredSequence = 0, batchEnd } = stream?.state ?? {}
    const events = await store.eventsAfter(directoryId, deliveredSequence, pageLimit)
    if (events.length === 0) return 'idle'
    const firstEnd = parcelSize > 1 ? batchEnd : undefined
    for (const parcel of parcelsOf(events, parcelSize, firstEnd)) {
      const next = await sendOnce(parcel, turn, moveOn)
      if (next !== 'on') return next
      if (context.isTurnOver(turn.sent, turn.startedAt)) return 'again'
    }
    progress.flush()
    return 'on'
  }

  /** Sends one parcel. @param taken what to do when it was taken */
  async function sendOnce(parcel: Batch, turn: Turn, taken: Taken): Promise<Step> {
    const directory = await receiver(view.current)
    if (directory === undefined || context.isClosing()) return leave()
    if (stream === undefined || !leases.isGood(directoryId)) return 'again'
    const delivery = await attempt(directory, parcel, stream.state.failures + 1)
    return conclude(delivery, parcel, turn, taken)
  }

  /** Nothing comes of an attempt during which the lease has ended: whoever has it next sends the parcel again. */
  async function conclude(delivery: AttemptResult, parcel: Batch, turn: Turn, taken: Taken): Promise<Step> {
    if (stream === undefined) return 'again'
    const outcome = outcomeOf(delivery)
    if (outcome !== 'delivered') return fail(stream, parcel, delivery, outcome)
    turn.sent += parcel.length
    for (const { createdAt } of parcel) context.observer.delivered(delivery.latencyMs, Math.max(0, clock() - createdAt))
    return taken(stream, parcel)
  }

  async function attempt(directory: Directory, parcel: Batch, number: number): Promise<AttemptResult> {
    const startedAt = clock()
    try {
      return await context.send(directory, parcel, number, context.signal)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'failed', reason, latencyMs: clock() - startedAt }
    }
  }

  async function moveOn({ lease, state }: LeasedStream, parcel: Batch): Promise<Step> {
    know({ lease, state: afterDelivery(state, parcel) })
    progress.advance()
    return 'on'
  }

  async function replayed({ lease, state }: LeasedStream, [{ sequence }]: Batch): Promise<Step> {
    know({ lease, state: succeeded(state) })
    return (await record({ replayed: [sequence] })) ? 'on' : 'again'
  }

  async function fail(current: LeasedStream, parcel: Batch, delivery: AttemptResult, outcome: Failure): Promise<Step> {
    context.observer.failed(failureLabel(delivery))
    const now = clock()
    const isReplay = parcel[0].sequence <= current.state.deliveredSequence
    if (isReplay && outcome.kind === 'refused') return buryAgain(current, parcel, outcome, now)
    const { state, dead } = afterFailure(current.state, parcel, outcome, { now, random: context.random() })
    know({ lease: current.lease, state })
    if (!(await record({ dead }))) return 'again'
    tell(parcel, state, outcome, dead.length)
    if (dead.length > 0) context.observer.died(dead.length)
    if (dead.length > 0) return 'on'
    if (state.pause !== undefined) return leave()
    return { pauseMs: (state.nextAttemptAt ?? now) - now }
  }

  /** An event that was sent once more, and is refused once more, is not tried for long. */
  async function buryAgain(
    { lease, state }: LeasedStream,
    parcel: Batch,
    { reason }: Failure,
    diedAt: number,
  ): Promise<Step> {
    know({ lease, state })
    return (await record({ dead: parcel.map(({ sequence }) => ({ sequence, diedAt, reason })) })) ? 'on' : 'again'
  }

  function tell(parcel: Batch, state: StreamState, { reason }: Failure, deadEvents: number): void {
    const [{ id: eventId, sequence }] = parcel
    const { failures, pause } = state
    const details = { directoryId, target, eventId, sequence, failures, deadEvents, paused: pause?.reason, reason }
    const message =
      deadEvents > 0
        ? 'an event was refused for good and is set aside; its directory goes on'
        : pause === undefined
          ? 'an event was not delivered; its directory waits and sends it again'
          : 'the events of a directory are paused: resume them when the endpoint is well'
    context.log.warn(details, message)
  }

  function know(next: LeasedStream): void {
    stream = next
    leases.update(next)
  }

  /**
   * Records the stream as it is known, after what is being recorded: the older state must not be written last. False when the
   * lease has ended, so that nothing of it counts.
   */
  function record(effects?: StreamEffects): Promise<boolean> {
    const recorded = recording.then(() => recordNow(effects))
    recording = recorded.catch(() => {})
    return recorded
  }

  async function recordNow(effects: StreamEffects | undefined): Promise<boolean> {
    if (stream === undefined) return false
    const { lease, state } = stream
    if ((await store.recordStream(lease, state, effects)) === 'recorded') return true
    leases.drop(directoryId)
    stream = undefined
    isLost = true
    return false
  }

  /** Has nothing to do until it is called: another process may. */
  async function leave(): Promise<'idle'> {
    if (await progress.flush()) await leases.release(directoryId)
    return 'idle'
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

/** What to do with a parcel that was taken. */
type Taken = (stream: LeasedStream, parcel: Batch) => Promise<Step>

/** How far a turn has come. */
interface Turn {
  readonly startedAt: number
  sent: number
}
