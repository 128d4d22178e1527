import { newStream } from '../delivery/event-store.ts'
import { eventHoldReasons } from '../delivery/hold/hold-store.ts'
import type {
  DirectoryActivity,
  FailedBeside,
  FailedRequests,
  Observed,
  StoredHealth,
  StoredHold,
} from '../diagnostics/health/health-store.ts'
import { besideMs } from '../diagnostics/health/health-store.ts'
import type { ChangeBehavior } from '../directory/behaviors.ts'
import { changeBehaviors } from '../directory/behaviors.ts'
import { decodeHeldRole } from './holds.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText } from './row.ts'
import { decodeStream, streamColumnsOf } from './streams.ts'

/** The columns of an activity, in the order of `activityValues`. */
export const activityColumns = [
  'directory_id',
  'last_request_at',
  'last_success_at',
  'first_tested_at',
  'last_tested_at',
  'failed_count',
  'failed_at',
  'failed_address',
  'failed_problem',
  'failed_since_success',
  'failed_with_secret',
  'failed_since',
  'feed_read_at',
  'failed_beside',
  'failed_beside_at',
] as const

export function activityValues({ directoryId, tested, failed, ...activity }: DirectoryActivity) {
  return [
    directoryId,
    activity.lastRequestAt ?? null,
    activity.lastSuccessAt ?? null,
    tested?.firstAt ?? null,
    tested?.lastAt ?? null,
    failed?.count ?? 0,
    failed?.lastAt ?? null,
    failed?.lastAddress ?? null,
    failed?.problem ?? null,
    failed?.sinceSuccess ?? 0,
    failed?.withSecret ?? 0,
    failed?.since ?? null,
    activity.feedReadAt ?? null,
    activity.failedBefore ?? 0,
    (activity.failedBefore ?? 0) > 0 ? (activity.lastRequestAt ?? null) : null,
  ]
}

/** The columns of `mayChangeHealth`. */
export const causeColumns = 'last_request_at, failed_since_success, failed_beside, feed_read_at'

/** Whether the health of a directory may depend on the change of its activity. @param before undefined before the first */
export function mayChangeHealth(before: Row | undefined, after: Row): boolean {
  if (before === undefined) return true
  const isFirst = (column: string) => before[column] === null && after[column] !== null
  const isOther = (column: string) => before[column] !== after[column]
  return (
    isFirst('last_request_at') || isFirst('feed_read_at') || isOther('failed_since_success') || isOther('failed_beside')
  )
}

/** The failed requests that the right secret of an activity follows, and the time of it. */
const followed = `(excluded.failed_beside
      + case when excluded.last_request_at is null then 0 else a.failed_since_success end)`

/** Adds an activity to the stored one, `a`: a request with the right secret ends the row of failed ones before it. */
export const addsActivity = `
  on conflict (directory_id) do update set
    last_request_at = coalesce(excluded.last_request_at, a.last_request_at),
    last_success_at = coalesce(excluded.last_success_at, a.last_success_at),
    first_tested_at = coalesce(a.first_tested_at, excluded.first_tested_at),
    last_tested_at = coalesce(excluded.last_tested_at, a.last_tested_at),
    failed_count = a.failed_count + excluded.failed_count,
    failed_at = coalesce(excluded.failed_at, a.failed_at),
    failed_address = case when excluded.failed_at is null then a.failed_address else excluded.failed_address end,
    failed_problem = case when excluded.failed_at is null then a.failed_problem else excluded.failed_problem end,
    failed_since_success = excluded.failed_since_success
      + case when excluded.last_request_at is null then a.failed_since_success else 0 end,
    failed_with_secret = excluded.failed_with_secret
      + case when excluded.last_request_at is null then a.failed_with_secret else 0 end,
    failed_since = case when excluded.last_request_at is null then coalesce(a.failed_since, excluded.failed_since)
      else excluded.failed_since end,
    failed_beside = ${followed}
      + case when ${followed} > 0 and a.failed_beside_at <= excluded.last_request_at - ${besideMs} then 0
        else a.failed_beside end,
    failed_beside_at = case when ${followed} > 0 then excluded.last_request_at else a.failed_beside_at end,
    feed_read_at = coalesce(excluded.feed_read_at, a.feed_read_at)`

/** The columns of `decodeHealth`: `s` the state of the directory, `a` its activity, `p` the stream to its endpoint, `h` a hold of it. */
export const healthColumns = `s.last_sequence, s.last_change_at, ${behaviorColumnsOf('s')},
  ${activityColumns
    .slice(1)
    .map((column) => `a.${column}`)
    .join(', ')}, ${streamColumnsOf('p')},
  h.since as hold_since, h.reason as hold_reason, h.removals as hold_removals, h.first_sequence,
  h.role, h.role_minimum, h.role_users`

/**
 * Decodes the rows of a directory, one for each of its holds or one without any, of `healthColumns` and `dead_events, dead_since,
 * oldest_undelivered_at, overdue, overdue_since`.
 */
export function decodeHealth(row: Row, ...others: readonly Row[]): StoredHealth {
  const behaviors = Object.fromEntries(changeBehaviors.map((behavior) => [behavior, decodeObserved(row, behavior)]))
  return {
    lastSequence: integer(row, 'last_sequence'),
    lastChangeAt: optionalInteger(row, 'last_change_at'),
    behaviors: behaviors as Record<ChangeBehavior, Observed | undefined>,
    lastRequestAt: optionalInteger(row, 'last_request_at'),
    lastSuccessAt: optionalInteger(row, 'last_success_at'),
    tested: decodeObserved(row, 'tested'),
    failed: decodeFailed(row),
    failedBeside: decodeBeside(row),
    feedReadAt: optionalInteger(row, 'feed_read_at'),
    stream: row['delivered_sequence'] === null ? newStream : decodeStream(row),
    deadEvents: integer(row, 'dead_events'),
    deadSince: optionalInteger(row, 'dead_since'),
    holds: [row, ...others].flatMap(decodeHold).toSorted((a, b) => a.firstSequence - b.firstSequence),
    oldestUndeliveredAt: optionalInteger(row, 'oldest_undelivered_at'),
    overdue: integer(row, 'overdue'),
    overdueSince: optionalInteger(row, 'overdue_since'),
  }
}

function decodeHold(row: Row): StoredHold[] {
  const since = optionalInteger(row, 'hold_since')
  if (since === undefined) return []
  const [firstSequence, removals] = [integer(row, 'first_sequence'), integer(row, 'hold_removals')]
  return [
    { since, firstSequence, removals, reason: oneOf(row, 'hold_reason', eventHoldReasons), ...decodeHeldRole(row) },
  ]
}

function decodeBeside(row: Row): FailedBeside | undefined {
  const at = optionalInteger(row, 'failed_beside_at')
  return at === undefined ? undefined : { count: integer(row, 'failed_beside'), at }
}

function decodeFailed(row: Row): FailedRequests | undefined {
  const lastAt = optionalInteger(row, 'failed_at')
  if (lastAt === undefined) return undefined
  return {
    count: integer(row, 'failed_count'),
    lastAt,
    lastAddress: optionalText(row, 'failed_address'),
    ...decodeProblem(optionalText(row, 'failed_problem')),
    sinceSuccess: integer(row, 'failed_since_success'),
    withSecret: integer(row, 'failed_with_secret'),
    since: optionalInteger(row, 'failed_since'),
  }
}

function decodeProblem(problem: string | undefined): Pick<FailedRequests, 'problem'> {
  return problem === undefined ? {} : { problem }
}

/** The columns of `decodeBehaviors`, of a table or its alias. */
function behaviorColumnsOf(alias: string): string {
  return changeBehaviors.map((behavior) => `${alias}.first_${behavior}_at, ${alias}.last_${behavior}_at`).join(', ')
}

/** Decodes a pair of columns, `first_…_at` and `last_…_at`; undefined when they are null. */
function decodeObserved(row: Row, name: string): Observed | undefined {
  const [firstAt, lastAt] = [optionalInteger(row, `first_${name}_at`), optionalInteger(row, `last_${name}_at`)]
  return firstAt === undefined || lastAt === undefined ? undefined : { firstAt, lastAt }
}
