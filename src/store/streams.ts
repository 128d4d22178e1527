import type { DeliveryTarget, DuePage, StreamState } from '../delivery/event-store.ts'
import { pauseReasons } from '../delivery/event-store.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Statement } from './sql-database.ts'

/** The columns of a stream's state, in the order of `streamValues`. */
export const stateColumns = [
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

/** The statement after which nothing is sent but what a directory has by now, while it is deactivated. */
export function limitSending(directoryId: string, isDeactivated: boolean): Statement {
  const text = `
    update directory_state set sends_until = case when $2 = 1 then last_sequence end where directory_id = $1`
  return { text, values: [directoryId, Number(isDeactivated)] }
}

/** The statement of a change that may give a target work. It locks the directory. */
export function addWork(target: DeliveryTarget, directoryId: string): Statement {
  return { text: `update directory_state set ${addsWork(target)} where directory_id = $1`, values: [directoryId] }
}

/** The last event of the directory `s` that may be sent: while the directory is held, the one before the first held one. */
export const sendableSequence = 'coalesce(s.held_from - 1, s.last_sequence)'

/** The last event of the directory `$1` that may be sent. */
export const lastSendable = `(select ${sendableSequence} from directory_state s where s.directory_id = $1)`

/** The last event of the directory `s` that is sent to a target: of a deactivated one, that of its deactivation. The feed has all. */
export const dueSequence = `case when s.sends_until < ${sendableSequence} then s.sends_until else ${sendableSequence} end`

/** The last event of the directory `$1` that is sent to a target. */
export const lastDue = `(select ${dueSequence} from directory_state s where s.directory_id = $1)`

/** The condition that a directory `d` exists, or is deleted and its last events are still sent. */
export const hasEvents = '(d.deleted <> 1 or d.leaving > 0)'

/** Decodes a page of rows of `id, tenant`, which is the last one unless it is full. */
export function decodeDuePage(rows: readonly Row[], limit: number): DuePage {
  const directories = rows.map((row) => ({ id: text(row, 'id'), tenant: text(row, 'tenant') }))
  return { directories, next: directories.length < limit ? undefined : directories.at(-1)?.id }
}

/** The columns of a stream's state. */
export const streamColumns = stateColumns.join(', ')

/** `streamColumns` of a table or its alias. */
export function streamColumnsOf(alias: string): string {
  return stateColumns.map((column) => `${alias}.${column}`).join(', ')
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

/** The values of a state, in the order of `stateColumns`. */
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
