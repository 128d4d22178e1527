import type { AuditWrite } from '../directory/audit.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { NoticeWrite } from '../directory/operator-notice.ts'

/** The receiver of a directory's events: its endpoint over HTTP, or the `onEvent` callback of the embedding process. */
export const deliveryTargets = ['endpoint', 'on-event'] as const

export type DeliveryTarget = (typeof deliveryTargets)[number]

/** The reasons to pause a stream: the endpoint responded 410, failed for five days, or an operator paused it. */
export const pauseReasons = ['gone', 'failing', 'operator'] as const

export type PauseReason = (typeof pauseReasons)[number]

export interface StreamPause {
  readonly reason: PauseReason
  /** Unix milliseconds. */
  readonly at: number
}

/** The progress of the delivery of a directory's events to a target. Times are Unix milliseconds. */
export interface StreamState {
  /** Every event up to this sequence is delivered or dead; 0 before the first. */
  readonly deliveredSequence: number
  /** Consecutive failed attempts. */
  readonly failures: number
  /** Time of the first failure since the last success. */
  readonly failingSince: number | undefined
  /** The number of times that the event after `deliveredSequence` was refused. */
  readonly refusals: number
  /** The last sequence of the batch that is being retried, so that the endpoint receives the same batch again. */
  readonly batchEnd: number | undefined
  readonly nextAttemptAt: number | undefined
  /** Time at which a change of the directory last made the next attempt due at once. */
  readonly retriedAt: number | undefined
  /** Time of the last delivery that was long after the commit (`lateMs`): retention counts from then. */
  readonly deliveredLateAt: number | undefined
  /** A sentence about the last attempt; undefined when it succeeded. */
  readonly lastError: string | undefined
  /** Nothing is sent while this is set. */
  readonly pause: StreamPause | undefined
}

/** The state of a stream before its first attempt. */
export const newStream: StreamState = {
  deliveredSequence: 0,
  failures: 0,
  failingSince: undefined,
  refusals: 0,
  batchEnd: undefined,
  nextAttemptAt: undefined,
  retriedAt: undefined,
  deliveredLateAt: undefined,
  lastError: undefined,
  pause: undefined,
}

/** The exclusive right to send a directory's events to a target. */
export interface Lease {
  readonly directoryId: string
  readonly target: DeliveryTarget
  /** A fencing token: it grows with every lease, and writes under an older one are rejected. */
  readonly token: number
}

export interface LeasedStream {
  readonly lease: Lease
  readonly state: StreamState
}

/** A stream whose lease was acquired now. */
export interface AcquiredStream extends LeasedStream {
  /** Whether another holder had the lease and let it expire: its process crashed, or lost the database. */
  readonly isTakeover: boolean
}

/** An event that is no longer sent because the endpoint refused it too often, or an operator skipped it. */
export interface DeadEvent {
  readonly sequence: number
  /** Unix milliseconds. */
  readonly diedAt: number
  /** A sentence. */
  readonly reason: string
  /** Whether an operator skipped it; the reason is the operator's then. */
  readonly isSkipped?: boolean | undefined
}

/** A dead event in a list over several directories, without its data. */
export interface DeadEventRow extends Omit<DeadEvent, 'sequence'> {
  readonly directory: Pick<Directory, 'id' | 'name' | 'tenant' | 'product'>
  readonly event: Pick<StoredEvent, 'id' | 'sequence' | 'eventType' | 'createdAt' | 'requestId'> & {
    /** The user or group that it is about; null for a resync. */
    readonly resource: { readonly type: 'User' | 'Group'; readonly id: string } | null
  }
}

/** A place in a list of dead events, which begins with the newest. */
export interface DeadEventPosition {
  readonly diedAt: number
  readonly directoryId: string
  readonly sequence: number
}

export interface DeadEventPage {
  readonly rows: readonly DeadEventRow[]
  /** The position after which more may follow; undefined at the end. */
  readonly last: DeadEventPosition | undefined
}

/** Further facts about the new state of a stream, and rows that are written together with it. */
export interface StreamEffects {
  /** The state as it is stored, if it is known. */
  readonly before?: StreamState | undefined
  readonly dead?: readonly DeadEvent[] | undefined
  /** The sequences of requested replays that are done. */
  readonly replayed?: readonly number[] | undefined
  readonly notice?: NoticeWrite | undefined
  /** Delivered events that may report that a user lost access: the deprovisionings that they report are over. */
  readonly deprovisioned?: readonly DeliveredAt[] | undefined
  /** When the attempt failed that is recorded, in Unix milliseconds: it is counted. */
  readonly failedAt?: number | undefined
}

/** The time of an event's delivery, in Unix milliseconds. */
export interface DeliveredAt {
  readonly sequence: number
  readonly at: number
}

/**
 * The state was written. `deprovisionMs` has the durations of the deprovisionings that ended with it, in milliseconds.
 */
export type Recorded = 'recorded' | { readonly deprovisionMs: readonly number[] }

/** A change of a stream that is not caused by its deliveries. */
export interface StreamChange {
  /**
   * Returns the new state, or undefined to change nothing. It must be pure: a store may call it more than once.
   */
  readonly apply: (state: StreamState) => StreamState | undefined
  /** The event that becomes dead with the change. */
  readonly dead?: DeadEvent | undefined
  /** Whether the current lease ends, so that the result of an attempt in flight is not recorded. */
  readonly endsLease: boolean
}

export interface StreamStatus extends StreamState {
  readonly lastSequence: number
  /** Whether the events of the directory are held. */
  readonly isHeld: boolean
  readonly deadEvents: number
}

/** The streams of a target in one state, for metrics. */
export interface StreamCounts {
  /**
   * `failing` streams wait for their next attempt; `queued` are all others with undelivered events that are not paused.
   */
  readonly state: 'queued' | 'failing' | 'paused'
  readonly events: number
  readonly streams: number
  /** Commit time of the oldest of these events, in Unix milliseconds; undefined when there is none. */
  readonly oldestAt: number | undefined
}

/** Notifies other processes that a directory has new events, or that its next attempt is due immediately. */
export interface StreamNotice {
  readonly directoryId: string
  readonly target: DeliveryTarget
  /** Whether the next attempt must not wait for the end of a backoff. */
  readonly isUrgent: boolean
  /** The tenant of the directory. */
  readonly tenant: string
}

/** A directory to queue, with its tenant, whose turn it is sent in. */
export interface DueDirectory {
  readonly id: string
  readonly tenant: string
}

/** A part of a scan in the order of ids. */
export interface DuePage {
  readonly directories: readonly DueDirectory[]
  /** The id to continue after; undefined at the end. */
  readonly next: string | undefined
}

/**
 * The directories whose leases a holder keeps: they were renewed, or their rows were locked and they expire as before.
 */
export interface RenewedLeases {
  readonly renewed: readonly string[]
  readonly locked: readonly string[]
}

/** The storage that delivery uses. */
export interface EventStore {
  /**
   * The events after a sequence, without held ones and those that wait for the activation of the directory, in order: at
   * most `limit`, fewer when their data exceeds about 1 MB.
   */
  eventsAfter(directoryId: string, sequence: number, limit: number): Promise<StoredEvent[]>

  /**
   * Acquires the lease of a stream, or renews it for its current holder. `held`: another holder has it; `none`: the
   * directory does not exist.
   *
   * @param ttlMs duration of the lease without renewal, by the clock of the database
   */
  leaseStream(
    directoryId: string,
    target: DeliveryTarget,
    holder: string,
    ttlMs: number,
  ): Promise<AcquiredStream | 'held' | 'none'>
  /** Renews every lease of a holder. It skips streams that another transaction has locked. */
  renewLeases(target: DeliveryTarget, holder: string, ttlMs: number): Promise<RenewedLeases>
  releaseLease(lease: Lease): Promise<void>
  /** Writes the state of a stream. `lost`: the lease has ended, and nothing was written. */
  recordStream(lease: Lease, state: StreamState, effects?: StreamEffects): Promise<Recorded | 'lost'>

  /**
   * The directories that have something to send to the target now, ordered by id, after `after`. It leaves out
   * streams that are paused, that wait for their next attempt, or that another holder has leased; for `endpoint` also
   * directories without one. It examines up to `limit` directories that may have something to send, so that a page may
   * be empty.
   */
  directoriesDue(target: DeliveryTarget, holder: string, now: number, after: string, limit: number): Promise<DuePage>
  /** The number of undelivered events of all directories that have the target. */
  countUndelivered(target: DeliveryTarget): Promise<number>
  countStreams(target: DeliveryTarget, now: number): Promise<StreamCounts[]>

  /** The last recorded state of a stream; undefined when the directory does not exist. */
  streamStatus(directoryId: string, target: DeliveryTarget): Promise<StreamStatus | undefined>
  /**
   * Returns false when nothing was changed, because the directory does not exist or `apply` returned undefined. The audit
   * entry is written in the same transaction.
   */
  changeStream(directoryId: string, target: DeliveryTarget, change: StreamChange, audit?: AuditWrite): Promise<boolean>
  /** The dead events of a stream after a sequence, with the events themselves. */
  deadEvents(
    directoryId: string,
    target: DeliveryTarget,
    after: number,
    limit: number,
  ): Promise<(DeadEvent & { readonly event: StoredEvent })[]>
  /**
   * The dead events of the endpoint of a directory, or of those of a tenant, a product, both or all, newest first, after a
   * position: at most `limit`.
   * Deleted directories have none, even before their rows are removed.
   */
  deadEventsIn(scope: DirectoryScope, after: DeadEventPosition | undefined, limit: number): Promise<DeadEventPage>
  /** Requests that an event is sent again, dead or not. Idempotent. Returns false when the event does not exist. */
  requestReplay(
    directoryId: string,
    target: DeliveryTarget,
    sequence: number,
    at: number,
    audit?: AuditWrite,
  ): Promise<boolean>
  /** The events whose replay is requested, in order. */
  requestedReplays(directoryId: string, target: DeliveryTarget, limit: number): Promise<StoredEvent[]>
  /** The sequence of the first event committed at `time` or later; undefined when there is none. */
  sequenceAt(directoryId: string, time: number): Promise<number | undefined>

  /** Notifies other processes. Polling makes up for lost notices. */
  publishNotice(notice: StreamNotice): Promise<void>
  /** Subscribes to the notices of other processes. Returns the function that unsubscribes. */
  onNotice(listener: (notice: StreamNotice) => void): () => void
}

/** A directory that may have events to remove. */
export interface PruneDue {
  readonly id: string
  /** Lower bound of the times of removable events, in Unix milliseconds. */
  readonly oldestEventAt: number
}

/** The events of a directory to remove. */
export interface RemovableEvents {
  /** Only events committed before this time, in Unix milliseconds. */
  readonly before: number
  /** Only events after this sequence. */
  readonly after: number
  /** Whether events must also have been delivered to `on-event`, even if no stream for it exists yet. */
  readonly hasOnEvent: boolean
  /**
   * Without `hasOnEvent`, another process may still send to `on-event`. Events before this time do not wait for its
   * stream, which is a remainder of an earlier configuration.
   */
  readonly abandonedBefore: number
}

/** A deleted directory whose last events are no longer kept. */
export interface ForgottenDirectory {
  readonly id: string
  /** The number of events that its endpoint has not received. */
  readonly undelivered: number
}

/** The storage that the retention of events uses. */
export interface RetentionStore {
  /** The directories that may have events before a time, ordered by that time and by id, after a position. */
  directoriesToPrune(before: number, after: PruneDue | undefined, limit: number): Promise<PruneDue[]>
  /**
   * Examines the next few hundred events of a directory and removes those that every target has received and that are
   * neither dead nor to be replayed. Processes may call it concurrently. After the last step, `directoriesToPrune` no
   * longer lists the directory: for a day if old events are left, otherwise until its next event is old.
   *
   * @returns the sequence to continue after; undefined when there is nothing more to remove
   */
  removeEvents(directoryId: string, which: RemovableEvents): Promise<number | undefined>
  /** Removes what is left of at most `limit` directories that were deleted before a time. */
  forgetDirectories(before: number, limit: number): Promise<readonly ForgottenDirectory[]>
}
