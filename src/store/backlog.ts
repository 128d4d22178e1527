import type {
  DeliveryTarget,
  DuePage,
  EventStore,
  StreamCounts,
  StreamState,
  StreamStatus,
} from '../delivery/event-store.ts'
import { newStream } from '../delivery/event-store.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { decodeDuePage, decodeStream, dueSequence, hasEvents, streamColumnsOf, workColumn } from './streams.ts'

type Backlog = Pick<EventStore, 'directoriesDue' | 'countUndelivered' | 'countStreams' | 'streamStatus'>

const hasTarget = `${hasEvents} and ($1 <> 'endpoint' or d.endpoint_url is not null)`
const undelivered = `${dueSequence} - coalesce(p.delivered_sequence, 0)`
const hasUndelivered = `${dueSequence} > coalesce(p.delivered_sequence, 0)`

const status = `
  select ${streamColumnsOf('p')}, s.last_sequence, s.held_from,
    (select count(*) from dead_events e where e.directory_id = d.id and e.target = $2) as dead
  from directories d join directory_state s on s.directory_id = d.id
  left join delivery_streams p on p.directory_id = d.id and p.target = $2
  where d.id = $1 and d.deleted <> 1`

/** Directories that another transaction has locked are turned by a later scan. */
const turn = (work: ReturnType<typeof workColumn>) => `
  update directory_state set ${work} = -${work} where directory_id = $1 and directory_id = (
    select s.directory_id from directory_state s
    where s.directory_id = $1 and s.${work} = $2 and s.last_sequence = $3 for update skip locked)`

/** The streams with events to send. */
export function createBacklog({ query, atomically, dialect }: SqlDatabase): Backlog {
  const statements = { endpoint: statementsOf('endpoint', dialect), 'on-event': statementsOf('on-event', dialect) }
  return {
    async directoriesDue(target, holder, at, after, limit) {
      const found = await query({ text: statements[target].examine, values: [target, holder, at, after, limit] })
      const idle = found.filter((row) => integer(row, 'has_work') === 0)
      if (idle.length > 0) {
        const text = turn(workColumn(target))
        await atomically(idle.map((row) => ({ text, values: [row['id'], row['work'], row['last_sequence']] })))
      }
      return decodeExamined(found, limit)
    },
    async countUndelivered(target) {
      const [row = {}] = await query({ text: statements[target].undelivered, values: [target] })
      return integer(row, 'n')
    },
    countStreams: async (target, at) =>
      (await query({ text: statements[target].counts, values: [target, at] })).map(decodeStreamCounts),
    async streamStatus(id, target) {
      const [row] = await query({ text: status, values: [id, target] })
      return row && decodeStreamStatus(row)
    },
  }
}

function statementsOf(target: DeliveryTarget, { now, indexedBy, joinOne, leftJoinOne }: Dialect) {
  const work = workColumn(target)
  /** The directories that may have events to send: `s` is the state of the directory, `p` the stream. */
  const streams = (page = 'order by directory_id') => `
    from (select * from directory_state ${indexedBy(`directory_state_${work}`)} where ${work} > 0 ${page}) s
    ${joinOne('directories', 'd', 'd.id = s.directory_id')}
    ${leftJoinOne('delivery_streams', 'p', 'p.directory_id = s.directory_id and p.target = $1')}`
  return {
    examine: `
      select e.*, case when e.has_work = 1 and e.is_free = 1 then 1 else 0 end as is_due from (
        select s.directory_id as id, d.tenant, s.${work} as work, s.last_sequence,
          case when p.paused_at is null and (p.next_attempt_at is null or p.next_attempt_at <= $3)
            and (p.lease_holder is null or p.lease_holder = $2 or p.lease_expires_at <= ${now}) then 1 else 0 end as is_free,
          case when ${hasTarget} and (${hasUndelivered} or d.deactivated = 0 and exists (
            select 1 from replays r where r.directory_id = s.directory_id and r.target = $1)) then 1 else 0 end as has_work
        ${streams('and directory_id > $4 order by directory_id limit $5')}
      ) e order by e.id`,
    undelivered: `
      select cast(coalesce(sum(${undelivered}), 0) as bigint) as n ${streams()} where ${hasTarget} and ${hasUndelivered}`,
    counts: `
      select c.state, cast(sum(c.events) as bigint) as events, count(*) as streams, min(c.oldest) as oldest from (
        select case when p.paused_at is not null then 'paused' when p.next_attempt_at > $2 then 'failing' else 'queued' end
            as state,
          ${undelivered} as events,
          (select e.created_at from events e where e.directory_id = s.directory_id
            and e.sequence = coalesce(p.delivered_sequence, 0) + 1) as oldest
        ${streams()} where ${hasTarget} and ${hasUndelivered}
      ) c group by c.state`,
  }
}

/** Decodes a page of examined rows. */
function decodeExamined(rows: readonly Row[], limit: number): DuePage {
  const { directories } = decodeDuePage(
    rows.filter((row) => integer(row, 'is_due') === 1),
    limit,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { directories, next: last && text(last, 'id') }
}

function decodeStreamStatus(row: Row): StreamStatus {
  const state: StreamState = row['delivered_sequence'] === null ? newStream : decodeStream(row)
  const isHeld = optionalInteger(row, 'held_from') !== undefined
  return { ...state, lastSequence: integer(row, 'last_sequence'), isHeld, deadEvents: integer(row, 'dead') }
}

function decodeStreamCounts(row: Row): StreamCounts {
  return {
    state: oneOf(row, 'state', ['queued', 'failing', 'paused']),
    events: integer(row, 'events'),
    streams: integer(row, 'streams'),
    oldestAt: optionalInteger(row, 'oldest'),
  }
}
