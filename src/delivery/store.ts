import type { AuditWrite } from '../directory/audit.ts'
import type { StoredEvent } from '../directory/event.ts'

/** Who takes a directory's events: its endpoint over HTTP, or the `onEvent` of the embedding process. */
export type DeliveryTarget = 'endpoint' | 'on-event'

/** Why a stream is paused: its endpoint said that it is gone, it failed for five days, or an operator wants it so. */
export const pauseReasons = ['gone', 'failing', 'operator'] as const

export type PauseReason = (typeof pauseReasons)[number]

/** A stream that sends nothing until it is resumed. Times are Unix milliseconds. */
export interface StreamPause {
  readonly reason: PauseReason
  readonly at: number
}

/** How far a target has taken a directory's events, and how it goes. */
export interface StreamState {
  /** The sequence number up to which everything is taken, or set aside as dead; 0 before the first. */
  readonly deliveredSequence: number
  /** Attempts in a row that were in vain. */
  readonly failures: number
  /** When the first of them was; undefined while there are none. */
  readonly failingSince: number | undefined
  /** How often the event behind `deliveredSequence` was refused. */
  readonly refusals: number
  /** The last event of a batch that is tried again, so that the next attempt is the same. */
  readonly batchEnd: number | undefined
  readonly nextAttemptAt: number | undefined
  readonly pause: StreamPause | undefined
}

/** The right to send a directory's events to a target. */
export interface Lease {
  readonly directoryId: string
  readonly target: DeliveryTarget
  /** Grows with every lease: a record under an older one is refused. */
  readonly token: number
}

/** A stream that this process may send. */
export interface LeasedStream {
  readonly lease: Lease
  readonly state: StreamState
}

/** An event that its target refused for good. */
export interface DeadEvent {
  readonly sequence: number
  /** Unix milliseconds. */
  readonly diedAt: number
  /** A sentence. */
  readonly reason: string
}

/** What comes with a new state of a stream. */
export interface StreamEffects {
  readonly dead?: readonly DeadEvent[] | undefined
  /** The events that were asked for again and have been taken. */
  readonly replayed?: readonly number[] | undefined
}

/** A change of a stream from outside of its deliveries. */
export interface StreamChange {
  /** The stream as it becomes. Pure: it may be asked twice. */
  readonly apply: (state: StreamState) => StreamState
  /** Whether whoever has the lease loses it, so that nothing of what is under way is noted. */
  readonly endsLease: boolean
}

/** What is told of a stream. */
export interface StreamStatus extends StreamState {
  readonly lastSequence: number
  readonly deadEvents: number
}

/** How the streams of a target are, for metrics. */
export interface StreamCounts {
  /** `queued` flow, `failing` wait for their next attempt. */
  readonly state: 'queued' | 'failing' | 'paused'
  readonly events: number
  /** How many streams are in that state. */
  readonly streams: number
  /** Of the oldest event, in Unix milliseconds; undefined when there is none. */
  readonly oldestAt: number | undefined
}

/** Says to the other processes that a directory has events, or that its next attempt need not wait. */
export interface StreamNotice {
  readonly directoryId: string
  readonly target: DeliveryTarget
  readonly isUrgent: boolean
}

/** What delivery asks of a store. */
export interface EventStore {
  /** The events behind a sequence number, in order: at most `limit`, and fewer when their data passes about 1 MB. */
  eventsAfter(directoryId: string, sequence: number, limit: number): Promise<StoredEvent[]>

  /**
   * Takes the lease of a stream, or renews the one that this holder has. `held`: another holder has it; `none`: there is
   * no such directory.
   *
   * @param ttlMs how long it lasts unless it is renewed, by the clock of the database
   */
  leaseStream(
    directoryId: string,
    target: DeliveryTarget,
    holder: string,
    ttlMs: number,
  ): Promise<LeasedStream | 'held' | 'none'>
  /** Renews every lease of a holder; answers the directories of those that it still has. */
  renewLeases(target: DeliveryTarget, holder: string, ttlMs: number): Promise<string[]>
  releaseLease(lease: Lease): Promise<void>
  /** Notes how a stream goes. `lost`: the lease has ended, and nothing is noted. */
  recordStream(lease: Lease, state: StreamState, effects?: StreamEffects): Promise<'recorded' | 'lost'>

  /**
   * The active directories with something to send to the target now, by id and behind `after`; for `endpoint` only those
   * that have one. Streams that are paused, wait for their next attempt, or are leased by another holder are left out.
   */
  directoriesDue(target: DeliveryTarget, holder: string, now: number, after: string, limit: number): Promise<string[]>
  /** How many events the target has not taken yet, over all active directories that have the target. */
  countUndelivered(target: DeliveryTarget): Promise<number>
  countStreams(target: DeliveryTarget, now: number): Promise<StreamCounts[]>

  /** The state of a stream as the last record left it; undefined when there is no such directory. */
  streamStatus(directoryId: string, target: DeliveryTarget): Promise<StreamStatus | undefined>
  /** False when there is no such directory. An entry of the audit trail is written with the change. */
  changeStream(directoryId: string, target: DeliveryTarget, change: StreamChange, audit?: AuditWrite): Promise<boolean>
  /** The dead events of a stream behind a sequence number, with what they were to tell. */
  deadEvents(
    directoryId: string,
    target: DeliveryTarget,
    after: number,
    limit: number,
  ): Promise<(DeadEvent & { readonly event: StoredEvent })[]>
  /** Asks for an event to be sent once more, dead or not; asking twice is asking once. False when there is no such event. */
  requestReplay(
    directoryId: string,
    target: DeliveryTarget,
    sequence: number,
    at: number,
    audit?: AuditWrite,
  ): Promise<boolean>
  /** The events that were asked for again, in order. */
  requestedReplays(directoryId: string, target: DeliveryTarget, limit: number): Promise<StoredEvent[]>
  /** The first sequence number of an event that is not older; undefined when all are. */
  sequenceAt(directoryId: string, time: number): Promise<number | undefined>

  /** Tells other processes; what is lost is found by polling. */
  publishNotice(call: StreamNotice): Promise<void>
  /** Hears the calls of other processes, until the function that it answers is called. */
  onNotice(heard: (call: StreamNotice) => void): () => void
}

/** The oldest event of a directory that is kept. */
export interface OldestEvent {
  readonly directoryId: string
  /** Unix milliseconds; undefined when none is kept. */
  readonly createdAt: number | undefined
}

/** Which events of a directory to remove. */
export interface RemovableEvents {
  /** They are older than that, in Unix milliseconds. */
  readonly before: number
  /** They are behind that sequence number. */
  readonly after: number
  /** Whether every directory has the target `on-event`, also where that has not taken anything yet. */
  readonly hasOnEvent: boolean
}

/** What keeping events for a time asks of a store. */
export interface RetentionStore {
  /** Every directory by id, behind `after`, with its oldest event. */
  oldestEvents(after: string, limit: number): Promise<OldestEvent[]>
  /**
   * Looks at the next few hundred events of a directory and removes those that may go: every target has taken them, and
   * they are neither dead nor to be sent once more. Several processes may do so at once.
   *
   * @returns the sequence number to go on behind; undefined when there is nothing more to remove
   */
  removeEvents(directoryId: string, which: RemovableEvents): Promise<number | undefined>
}

/** The state of a stream before its first attempt. */
export const newStream: StreamState = {
  deliveredSequence: 0,
  failures: 0,
  failingSince: undefined,
  refusals: 0,
  batchEnd: undefined,
  nextAttemptAt: undefined,
  pause: undefined,
}
