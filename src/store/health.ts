import { newStream } from '../delivery/event-store.ts'
import { eventHoldReasons } from '../delivery/hold/hold-store.ts'
import type {
  DirectoryActivity,
  FailedBeside,
  FailedRequests,
  HealthStore,
  Observed,
  StoredHealth,
  StoredHold,
} from '../diagnostics/health/health-store.ts'
import { besideMs, maxCounted } from '../diagnostics/health/health-store.ts'
import type { ChangeBehavior } from '../directory/behaviors.ts'
import { changeBehaviors } from '../directory/behaviors.ts'
import { checkHealth } from './health-checks.ts'
import { decodeHeldRole } from './holds.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { decodeStream, streamColumnsOf } from './streams.ts'

/** The columns of an activity, with their types in casts. */
const activityTypes = {
  directory_id: 'text',
  last_request_at: 'bigint',
  last_success_at: 'bigint',
  first_tested_at: 'bigint',
  last_tested_at: 'bigint',
  failed_count: 'bigint',
  failed_at: 'bigint',
  failed_address: 'text',
  failed_problem: 'text',
  failed_since_success: 'bigint',
  failed_with_secret: 'bigint',
  failed_since: 'bigint',
  feed_read_at: 'bigint',
  failed_beside: 'bigint',
  failed_beside_at: 'bigint',
} as const
const activityColumns = Object.keys(activityTypes)

function activityRow({ directoryId, tested, failed, ...activity }: DirectoryActivity) {
  const { lastRequestAt, lastSuccessAt, feedReadAt, failedBefore = 0 } = activity
  return {
    directory_id: directoryId,
    last_request_at: lastRequestAt,
    last_success_at: lastSuccessAt,
    first_tested_at: tested?.firstAt,
    last_tested_at: tested?.lastAt,
    failed_count: failed?.count ?? 0,
    failed_at: failed?.lastAt,
    failed_address: failed?.lastAddress,
    failed_problem: failed?.problem,
    failed_since_success: failed?.sinceSuccess ?? 0,
    failed_with_secret: failed?.withSecret ?? 0,
    failed_since: failed?.since,
    feed_read_at: feedReadAt,
    failed_beside: failedBefore,
    failed_beside_at: failedBefore > 0 ? lastRequestAt : undefined,
  } satisfies Record<keyof typeof activityTypes, unknown>
}

/** The columns of `mayChangeHealth`. */
const causeColumns = ['last_request_at', 'failed_since_success', 'failed_beside', 'feed_read_at'] as const

/** Returns whether the health of a directory may depend on the change of its activity. @param before undefined before the first */
function mayChangeHealth(before: Row | undefined, after: Row): boolean {
  if (before === undefined) return true
  const isFirst = (column: (typeof causeColumns)[number]) => before[column] === null && after[column] !== null
  const isOther = (column: (typeof causeColumns)[number]) => before[column] !== after[column]
  return (
    isFirst('last_request_at') || isFirst('feed_read_at') || isOther('failed_since_success') || isOther('failed_beside')
  )
}

/** The failed requests that the right secret of an activity follows, and the time of it. */
const followed = `(excluded.failed_beside
      + case when excluded.last_request_at is null then 0 else a.failed_since_success end)`

/** Adds an activity to the stored one, `a`: a request with the right secret ends the row of failed ones before it. */
const addsActivity = `
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
const healthColumns = `s.last_sequence, s.last_change_at, ${behaviorColumnsOf('s')},
  ${activityColumns
    .slice(1)
    .map((column) => `a.${column}`)
    .join(', ')}, ${streamColumnsOf('p')},
  h.since as hold_since, h.reason as hold_reason, h.removals as hold_removals, h.first_sequence,
  h.role, h.role_minimum, h.role_users`

/** The statements of a record of activities, a JSON array of rows in the order of ids, so that two processes do not wait for each other. */
function activityStatements({ elementsOf, joinOne }: Dialect) {
  const activities = elementsOf('$1', 'i')
  const [id, ...values] = Object.entries(activityTypes).map(
    ([column, type]) => `cast(i.value ->> '${column}' as ${type})`,
  )
  return {
    lock: `
      select a.directory_id, ${causeColumns.map((column) => `a.${column}`).join(', ')} from ${activities}
      ${joinOne('directory_activity', 'a', `a.directory_id = ${id}`)} for update of a`,
    add: `
      insert into directory_activity as a (${activityColumns.join(', ')})
      select d.id, ${values.join(', ')} from ${activities}
      ${joinOne('directories', 'd', `d.id = ${id} and d.deleted <> 1`)}
      order by d.id ${addsActivity} returning directory_id, ${causeColumns.join(', ')}`,
  }
}

/** The health of a directory. It counts no more than some of its rows. */
function healthOf({ equals, joinOne, leftJoinOne, oneRow }: Dialect, id: string): string {
  const dead = (columns: string, limit: number) => `
    select ${columns} from dead_events e where e.directory_id = d.id and e.target = 'endpoint' order by e.sequence limit ${limit}`
  const next = 'coalesce(p.delivered_sequence, 0) + 1'
  return `
    select d.id, ${healthColumns},
      (select count(*) from (${dead('e.sequence', maxCounted)}) e) as dead_events, (${dead('e.died_at', 1)}) as dead_since,
      case when s.last_sequence >= ${next} then (
        ${oneRow('events', 'e', 'sequence', next, 'e.created_at', 'd.id')}) end as oldest_undelivered_at,
      late.overdue, late.overdue_since
    from directories d ${joinOne('directory_state', 's', 's.directory_id = d.id')}
    ${leftJoinOne('holds', 'h', 'h.directory_id = d.id')}
    ${leftJoinOne('directory_activity', 'a', 'a.directory_id = d.id')}
    ${leftJoinOne('delivery_streams', 'p', `p.directory_id = d.id and p.target = 'endpoint'`)}
    cross join (
      select count(*) as overdue, min(x.received_at) as overdue_since from (
        select received_at from deprovisionings where directory_id = ${id} order by sequence limit ${maxCounted}) x
      where x.received_at <= $1
    ) late
    where ${equals('d.id', id)} and d.deleted <> 1`
}

/** The facts from which the health of directories is derived. */
export function createHealthStore({ transaction, readEach, dialect }: SqlDatabase): HealthStore {
  const { lock, add } = activityStatements(dialect)
  const readHealth = readEach({ shared: 1, input: { id: 'text' }, rowsOf: ({ id }) => healthOf(dialect, id) })
  return {
    recordActivity(activities) {
      const values = [JSON.stringify(activities.map(activityRow))]
      const first = [lock, add].map((one) => ({ text: one, values }))
      return transaction(first, ([before = [], after = []]) => {
        const byId = new Map(before.map((row) => [text(row, 'directory_id'), row]))
        const changed = after.map((row) => ({ id: text(row, 'directory_id'), row }))
        const checked = changed.filter(({ id, row }) => mayChangeHealth(byId.get(id), row))
        return { statements: checked.map(({ id }) => checkHealth(id)), answer: undefined }
      })
    },
    async storedHealth(ids, overdueUntil) {
      const inputs = ids.map((id) => ({ id }))
      const found = await readHealth([overdueUntil], inputs)
      return new Map(
        found.flatMap(([row, ...others]) => (row ? [[text(row, 'id'), decodeHealth(row, ...others)]] : [])),
      )
    },
  }
}

/**
 * Decodes the rows of a directory, one for each of its holds or one without any, of `healthColumns` and `dead_events, dead_since,
 * oldest_undelivered_at, overdue, overdue_since`.
 */
function decodeHealth(row: Row, ...others: readonly Row[]): StoredHealth {
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
