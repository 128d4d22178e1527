import type { DeliveryTarget, EventStore, StreamEffects } from '../../delivery/event-store.ts'
import { auditStatements, withAuditHead } from '../audit-chain.ts'
import { recorded } from '../deprovisionings.ts'
import { noticeStatements } from '../operator-notices.ts'
import type { Row } from '../row.ts'
import { integers } from '../row.ts'
import type { StreamWrites } from '../streams.ts'
import {
  addWork,
  checkAfter,
  decideStreamWrites,
  decodeExamined,
  decodeIdle,
  decodeStream,
  decodeStreamCounts,
  decodeStreamStatus,
  sendableSequence,
  streamColumns,
  streamColumnsOf,
  streamValues,
  workColumn,
} from '../streams.ts'
import { addFailure } from '../volumes.ts'
import type { Database, Statement } from './database.ts'
import {
  deadEventParameters,
  deadEventStatements,
  hasWrites,
  postgresDeadEvents,
  writesAfter,
  writeValues,
} from './dead-events.ts'
import { endedDurations, endsAfter, endValues } from './deprovisionings.ts'
import { postgresLeases } from './leases.ts'
import type { Notices } from './notices.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

type StreamStore = Omit<EventStore, 'eventsAfter' | 'sequenceAt' | 'deadEventsIn'>
type Backlog = Pick<EventStore, 'directoriesDue' | 'countUndelivered' | 'countStreams' | 'streamStatus'>

/** The values of `streamColumns`, as parameters from `$4` on. */
const stateParameters =
  '$4::int8, $5::int4, $6::int8, $7::int4, $8::int8, $9::int8, $10::int8, $11::int8, $12, $13::int8, $14'

/** Writes nothing under an older lease, or one that has expired. */
const record = `
  update delivery_streams set (${streamColumns}) = (${stateParameters})
  where directory_id = $1 and target = $2 and lease_token = $3 and lease_expires_at > ${now}
  returning directory_id`

/** As `record`, and writes dead events and ends replays. */
const recordWithWrites = `
  with recorded as (${record}),
  ${writesAfter('recorded', 4 + stateParameters.split(',').length)}
  select directory_id from recorded`

/** As `recordWithWrites`, and ends deprovisionings. */
const recordWithDeprovisionings = `
  with recorded as (${record}),
  ${writesAfter('recorded', 4 + stateParameters.split(',').length)},
  ${endsAfter('recorded', 4 + stateParameters.split(',').length + deadEventParameters)}
  select directory_id, ${endedDurations} from recorded`

/** The directories that may have events to send: `s` is the state of the directory, `p` the stream. */
const streams = (target: DeliveryTarget) => `
  from (select * from directory_state where ${workColumn(target)} > 0 order by directory_id) s
  cross join lateral (select * from directories where id = s.directory_id offset 0) d
  left join lateral (
    select * from delivery_streams where directory_id = s.directory_id and target = $1 offset 0) p on true`

const isActive = "d.deleted <> 1 and d.deactivated = 0 and ($1 <> 'endpoint' or d.endpoint_url is not null)"

const hasUndelivered = `${sendableSequence} > coalesce(p.delivered_sequence, 0)`

const examine = (target: DeliveryTarget) => `
  select id, tenant, work, last_sequence, has_work::int4 as has_work, (has_work and is_free)::int4 as is_due from (
    select s.directory_id as id, d.tenant, s.${workColumn(target)} as work, s.last_sequence,
      p.paused_at is null and (p.next_attempt_at is null or p.next_attempt_at <= $3)
        and (p.lease_holder is null or p.lease_holder = $2 or p.lease_expires_at <= ${now}) as is_free,
      ${isActive} and (${hasUndelivered} or exists (
        select 1 from replays r where r.directory_id = s.directory_id and r.target = $1)) as has_work
    ${streams(target).replace('order by directory_id', 'and directory_id > $4 order by directory_id limit $5')}
  ) e order by id`

/** Rows that another transaction has locked are turned by a later scan. */
const turn = (work: ReturnType<typeof workColumn>) => `
  with idle as (
    select s.directory_id, s.row_position
    from unnest($1::text[], $2::int8[], $3::int8[]) as i (id, work, last_sequence)
    cross join lateral (
      select directory_id, ctid as row_position from directory_state
      where directory_id = i.id and ${work} = i.work and last_sequence = i.last_sequence
      for update skip locked) s
  )
  update directory_state s set ${work} = -s.${work} from idle
  where s.ctid = idle.row_position and s.directory_id is not distinct from idle.directory_id
    and s.ctid = any(array(select row_position from idle))`

const undelivered = (target: DeliveryTarget) => `
  select coalesce(sum(${sendableSequence} - coalesce(p.delivered_sequence, 0)), 0)::int8 as n
  ${streams(target)} where ${isActive} and ${hasUndelivered}`

const counts = (target: DeliveryTarget) => `
  select state, sum(events)::int8 as events, count(*) as streams, min(oldest) as oldest from (
    select case when p.paused_at is not null then 'paused' when p.next_attempt_at > $2 then 'failing' else 'queued' end
        as state,
      ${sendableSequence} - coalesce(p.delivered_sequence, 0) as events,
      (select e.created_at from events e where e.directory_id = s.directory_id
        and e.sequence = coalesce(p.delivered_sequence, 0) + 1) as oldest
    ${streams(target)} where ${isActive} and ${hasUndelivered}
  ) c group by state`

const status = `
  select ${streamColumnsOf('p')}, s.last_sequence, s.held_from,
    (select count(*) from dead_events e where e.directory_id = d.id and e.target = $2) as dead
  from directories d join directory_state s on s.directory_id = d.id
  left join delivery_streams p on p.directory_id = d.id and p.target = $2
  where d.id = $1 and d.deleted <> 1`

/** Makes sure that there is a row for `lock`. */
const begin = `
  insert into delivery_streams (directory_id, target, delivered_sequence)
  select d.id, $2, 0 from directories d where d.id = $1 and d.deleted <> 1
  on conflict (directory_id, target) do nothing`

const lock = `
  select ${streamColumnsOf('p')} from delivery_streams p join directories d on d.id = p.directory_id
  where p.directory_id = $1 and p.target = $2 and d.deleted <> 1 for update of p`

/** `$3`: whether the lease ends. */
const change = `
  update delivery_streams p set (${streamColumns}) = (${stateParameters}),
    lease_holder = case when $3 then null else p.lease_holder end,
    lease_expires_at = case when $3 then null else p.lease_expires_at end,
    lease_token = p.lease_token + (case when $3 then 1 else 0 end)
  where directory_id = $1 and target = $2`

/** Dead events that the stream is going to send again are dead no longer. */
const reviveDead = 'delete from dead_events where directory_id = $1 and target = $2 and sequence > $3'

/** The streams of events on PostgreSQL. */
export function postgresStreams(database: Database, reader: Reader, notices: Notices): StreamStore {
  const { query, transaction } = database
  const record = (statement: Statement, following: readonly Statement[]): Promise<Row[]> => {
    if (following.length === 0) return query(statement)
    return transaction([statement], ([changed = []]) => ({
      statements: changed.length > 0 ? following : [],
      answer: changed,
    }))
  }
  return {
    ...postgresLeases(database, reader),
    ...postgresBacklog(database, reader),
    ...postgresDeadEvents(database, reader),
    async recordStream(lease, state, effects = {}) {
      const { directoryId, target, token } = lease
      const values = [directoryId, target, token, ...streamValues(state)]
      const following = [
        ...noticeStatements(effects.notice),
        ...failureStatements(directoryId, effects),
        ...checkAfter({ ...lease, ...effects, after: state }),
      ]
      const [row] = await record(recordStatement(values, decideStreamWrites(effects)), following)
      return row === undefined ? 'lost' : recorded(integers(row, 'ended'))
    },
    changeStream(directoryId, target, { apply, endsLease, dead }, audit) {
      const reading = [begin, lock].map((text) => ({ text, values: [directoryId, target] }))
      // The directory is locked before the stream and the end of the audit trail.
      const first = [addWork(target, directoryId), ...reading]
      return transaction(withAuditHead(first, audit), (rows) => {
        const [stream] = rows[2] ?? []
        if (stream === undefined) return { statements: [], answer: false }
        const before = decodeStream(stream)
        const state = apply(before)
        if (state === undefined) return { statements: [], answer: false }
        const changing = { text: change, values: [directoryId, target, endsLease, ...streamValues(state)] }
        const reviving = { text: reviveDead, values: [directoryId, target, state.deliveredSequence] }
        const burying = dead === undefined ? [] : deadEventStatements(directoryId, target, dead)
        const checking = checkAfter({ directoryId, target, before, after: state, dead: dead && [dead] })
        const statements = [changing, reviving, ...burying, ...auditStatements(rows, audit), ...checking]
        return { statements, answer: true }
      })
    },
    publishNotice: notices.publish,
    onNotice: notices.listen,
  }
}

/** The statements that count a failed attempt. */
function failureStatements(directoryId: string, { failedAt }: StreamEffects): Statement[] {
  return failedAt === undefined ? [] : [addFailure(directoryId, failedAt)]
}

/** @param values of the key and the state */
function recordStatement(values: readonly unknown[], writes: StreamWrites): Statement {
  const { deprovisioned } = writes
  if (deprovisioned.length > 0) {
    return {
      text: recordWithDeprovisionings,
      values: [...values, ...writeValues(writes), ...endValues(deprovisioned)],
    }
  }
  return hasWrites(writes)
    ? { text: recordWithWrites, values: [...values, ...writeValues(writes)] }
    : { text: record, values }
}

/** The streams with events to send. */
function postgresBacklog({ query }: Database, { rows, row, number }: Reader): Backlog {
  return {
    async directoriesDue(target, holder, at, after, limit) {
      const found = await rows({ text: examine(target), values: [target, holder, at, after, limit] })
      const idle = decodeIdle(found)
      if (idle.length > 0) {
        const values = [idle.map(({ id }) => id), idle.map(({ work }) => work), idle.map((one) => one.lastSequence)]
        await query({ text: turn(workColumn(target)), values })
      }
      return decodeExamined(found, limit)
    },
    countUndelivered: (target) => number({ text: undelivered(target), values: [target] }),
    countStreams: async (target, at) =>
      (await rows({ text: counts(target), values: [target, at] })).map(decodeStreamCounts),
    async streamStatus(id, target) {
      const found = await row({ text: status, values: [id, target] })
      return found && decodeStreamStatus(found)
    },
  }
}
