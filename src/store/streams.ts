import type {
  DeadEvent,
  DeliveredAt,
  DeliveryTarget,
  DuePage,
  StreamCounts,
  StreamEffects,
  StreamState,
  StreamStatus,
} from '../delivery/event-store.ts'
import { newStream, pauseReasons } from '../delivery/event-store.ts'
import type { StoredEvent } from '../directory/event.ts'
import { decodeEvent } from './events.ts'
import { checkHealth } from './health-checks.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Statement } from './sql-database.ts'

const columns = [
  'delivered_sequence',
  'failures',
  'failing_since',
  'refusals',
  'batch_end',
  'next_attempt_at',
  'retried_at',
  'paused_at',
  'pause_reason',
  'delivered_late_at',
  'last_error',
] as const

/**
 * The column of `directory_state` that is positive while a directory may have events to send to a target. The commit of an
 * event makes it positive; a change that may give the target work also counts it up (`addsWork`). Polling turns the sign
 * when it finds nothing to send, unless the column or the last sequence number has changed since it looked.
 */
export function workColumn(target: DeliveryTarget): 'endpoint_work' | 'on_event_work' {
  return target === 'endpoint' ? 'endpoint_work' : 'on_event_work'
}

/** The assignments of a commit that records events. The last one is for retention: see `retention.ts`. */
export const marksWork = `endpoint_work = abs(endpoint_work), on_event_work = abs(on_event_work),
  oldest_event_at = coalesce(oldest_event_at, 0)`

/** The condition that `marksWork` would change nothing. */
export const isMarked = 'endpoint_work > 0 and on_event_work > 0 and oldest_event_at is not null'

/** The assignment of a change that may give a target work. */
export function addsWork(target: DeliveryTarget): string {
  return `${workColumn(target)} = abs(${workColumn(target)}) + 1`
}

/** The statement of a change that may give a target work. It locks the directory. */
export function addWork(target: DeliveryTarget, directoryId: string): Statement {
  return { text: `update directory_state set ${addsWork(target)} where directory_id = $1`, values: [directoryId] }
}

/** The last event of the directory `s` that may be sent: while the directory is held, the one before the first held one. */
export const sendableSequence = 'coalesce(s.held_from - 1, s.last_sequence)'

/** A directory without anything to send, as polling found it. */
export interface IdleDirectory {
  readonly id: string
  readonly work: number
  readonly lastSequence: number
}

/** Decodes the rows of `id, work, last_sequence, has_work` that have no work. */
export function decodeIdle(rows: readonly Row[]): IdleDirectory[] {
  const idle = rows.filter((row) => integer(row, 'has_work') === 0)
  return idle.map((row) => ({
    ...{ id: text(row, 'id'), work: integer(row, 'work'), lastSequence: integer(row, 'last_sequence') },
  }))
}

/** Decodes a page of examined rows of `id, tenant, is_due`. */
export function decodeExamined(rows: readonly Row[], limit: number): DuePage {
  const { directories } = decodeDuePage(
    rows.filter((row) => integer(row, 'is_due') === 1),
    limit,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { directories, next: last && text(last, 'id') }
}

/** Decodes a page of rows of `id, tenant`, which is the last one unless it is full. */
export function decodeDuePage(rows: readonly Row[], limit: number): DuePage {
  const directories = rows.map((row) => ({ id: text(row, 'id'), tenant: text(row, 'tenant') }))
  return { directories, next: directories.length < limit ? undefined : directories.at(-1)?.id }
}

/** The columns of a stream's state, in the order of `streamValues`. */
export const streamColumns = columns.join(', ')

/** `streamColumns` of a table or its alias. */
export function streamColumnsOf(alias: string): string {
  return columns.map((column) => `${alias}.${column}`).join(', ')
}

/** Decodes a row of `streamColumns`. */
export function decodeStream(row: Row): StreamState {
  const pausedAt = optionalInteger(row, 'paused_at')
  return {
    deliveredSequence: integer(row, 'delivered_sequence'),
    failures: integer(row, 'failures'),
    failingSince: optionalInteger(row, 'failing_since'),
    refusals: integer(row, 'refusals'),
    batchEnd: optionalInteger(row, 'batch_end'),
    nextAttemptAt: optionalInteger(row, 'next_attempt_at'),
    retriedAt: optionalInteger(row, 'retried_at'),
    deliveredLateAt: optionalInteger(row, 'delivered_late_at'),
    lastError: optionalText(row, 'last_error'),
    pause: pausedAt === undefined ? undefined : { reason: oneOf(row, 'pause_reason', pauseReasons), at: pausedAt },
  }
}

/** The values of a state, in the order of `streamColumns`. */
export function streamValues(state: StreamState): (number | string | null)[] {
  const {
    deliveredSequence,
    failures,
    failingSince,
    refusals,
    batchEnd,
    nextAttemptAt,
    retriedAt,
    deliveredLateAt,
    lastError,
    pause,
  } = state
  return [
    deliveredSequence,
    failures,
    failingSince ?? null,
    refusals,
    batchEnd ?? null,
    nextAttemptAt ?? null,
    retriedAt ?? null,
    pause?.at ?? null,
    pause?.reason ?? null,
    deliveredLateAt ?? null,
    lastError ?? null,
  ]
}

/** Decodes a row of `streamColumns`, which are null before the stream's first attempt, `last_sequence`, `held_from` and `dead`. */
export function decodeStreamStatus(row: Row): StreamStatus {
  const state = row['delivered_sequence'] === null ? newStream : decodeStream(row)
  const isHeld = optionalInteger(row, 'held_from') !== undefined
  return { ...state, lastSequence: integer(row, 'last_sequence'), isHeld, deadEvents: integer(row, 'dead') }
}

/** Decodes a row of `state, events, streams, oldest`. */
export function decodeStreamCounts(row: Row): StreamCounts {
  return {
    state: oneOf(row, 'state', ['queued', 'failing', 'paused']),
    events: integer(row, 'events'),
    streams: integer(row, 'streams'),
    oldestAt: optionalInteger(row, 'oldest'),
  }
}

/** The columns of a dead event `x`. */
export const deadEventColumns = 'x.died_at, x.reason, x.skipped'

/** Decodes a row of `storedEventColumns` and `deadEventColumns`. */
export function decodeDeadEvent(row: Row): DeadEvent & { readonly event: StoredEvent } {
  const event = decodeEvent(row)
  const dead = { sequence: event.sequence, diedAt: integer(row, 'died_at'), reason: text(row, 'reason') }
  return { ...dead, ...(boolean(row, 'skipped') ? { isSkipped: true } : {}), event }
}

/** A change of a stream, as far as the health of its directory may depend on it. */
export interface ChangedStream extends Pick<StreamEffects, 'before' | 'dead' | 'replayed'> {
  readonly directoryId: string
  readonly target: DeliveryTarget
  readonly after: StreamState
}

/** The check of a directory's health after a change of its stream; none if the health is the same. */
export function checkAfter({
  directoryId,
  target,
  before,
  after,
  dead = [],
  replayed = [],
}: ChangedStream): Statement[] {
  const isSame =
    before?.failures === after.failures &&
    before.pause?.reason === after.pause?.reason &&
    before.pause?.at === after.pause?.at &&
    before.deliveredSequence <= after.deliveredSequence &&
    dead.length + replayed.length === 0
  return isSame || target !== 'endpoint' ? [] : [checkHealth(directoryId)]
}

/** The rows that a record of a stream writes besides its state. */
export interface StreamWrites {
  readonly newDeadEvents: readonly DeadEvent[]
  /** The sequence numbers of replays that are over. */
  readonly endedReplays: readonly number[]
  /** The sequence numbers of events that are no longer dead. */
  readonly revived: readonly number[]
  /** Events that may report a deprovisioning and were delivered. */
  readonly deprovisioned: readonly DeliveredAt[]
}

/** Decides what the effects of a record write: a replay is over when its event was delivered, or has died again. */
export function decideStreamWrites({ dead = [], replayed = [], deprovisioned = [] }: StreamEffects): StreamWrites {
  return {
    newDeadEvents: dead,
    endedReplays: [...replayed, ...dead.map(({ sequence }) => sequence)],
    revived: replayed,
    deprovisioned,
  }
}
