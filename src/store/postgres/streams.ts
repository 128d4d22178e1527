import type { EventStore, Lease, StreamEffects, StreamState } from '../../delivery/store.ts'
import { newStream } from '../../delivery/store.ts'
import type { EventRow } from '../events.ts'
import { eventOf } from '../events.ts'
import type { StreamRow } from '../streams.ts'
import { streamColumns, streamCountsOf, streamOf, streamValues } from '../streams.ts'
import { auditStatements, createAuditedWrite, withAuditHead } from './audit.ts'
import type { Calls } from './calls.ts'
import type { Database, Statement } from './database.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

type StreamStore = Omit<EventStore, 'eventsAfter' | 'sequenceAt'>

const columns = (alias: string) => streamColumns.replaceAll(/\b(\w+)\b/g, `${alias}.$1`)

/** `$1` the directory, `$2` the target, `$3` the holder, `$4` how long. A renewal keeps its token. */
const lease = `
  insert into delivery_streams as p
    (directory_id, target, delivered_sequence, lease_holder, lease_token, lease_expires_at)
  select d.id, $2, 0, $3, 1, ${now} + $4::int8 from directories d where d.id = $1 and d.deleted = 0 for key share
  on conflict (directory_id, target) do update set lease_holder = excluded.lease_holder,
    lease_expires_at = excluded.lease_expires_at,
    lease_token = p.lease_token + (case when p.lease_holder = $3 and p.lease_expires_at > ${now} then 0 else 1 end)
  where p.lease_holder is null or p.lease_holder = $3 or p.lease_expires_at <= ${now}
  returning lease_token, ${columns('p')}`

const exists = 'select 1 from directories where id = $1 and deleted = 0'

const renew = `
  update delivery_streams set lease_expires_at = ${now} + $3::int8
  where lease_holder = $2 and target = $1 and lease_expires_at > ${now} returning directory_id as id`

const release = `
  update delivery_streams set lease_holder = null, lease_expires_at = null
  where directory_id = $1 and target = $2 and lease_token = $3`

/** Nothing is noted for who has an older lease, or one that has run out. */
const record = `
  update delivery_streams set (${streamColumns}) = ($4::int8, $5::int4, $6::int8, $7::int4, $8::int8, $9::int8, $10::int8, $11)
  where directory_id = $1 and target = $2 and lease_token = $3 and lease_expires_at > ${now}
  returning directory_id`

/** Active directories with the target, and how far it is: `s` the directory's state, `p` the stream. */
const reached = `
  from directory_state s join directories d on d.id = s.directory_id
  left join delivery_streams p on p.directory_id = s.directory_id and p.target = $1
  where d.deleted = 0 and d.deactivated = 0 and ($1 <> 'endpoint' or d.endpoint_url is not null)`

const isBehind = 's.last_sequence > coalesce(p.delivered_sequence, 0)'

const list = `
  select s.directory_id as id ${reached} and s.directory_id > $4 and p.paused_at is null
    and (p.next_attempt_at is null or p.next_attempt_at <= $3)
    and (p.lease_holder is null or p.lease_holder = $2 or p.lease_expires_at <= ${now})
    and (${isBehind} or exists (select 1 from replays r where r.directory_id = s.directory_id and r.target = $1))
  order by s.directory_id limit $5`

const count = `
  select coalesce(sum(s.last_sequence - coalesce(p.delivered_sequence, 0)), 0)::int8 as n ${reached} and ${isBehind}`

const counts = `
  select state, sum(events)::int8 as events, count(*) as streams, min(oldest) as oldest from (
    select case when p.paused_at is not null then 'paused' when p.next_attempt_at > $2 then 'failing' else 'queued' end
        as state,
      s.last_sequence - coalesce(p.delivered_sequence, 0) as events,
      (select e.created_at from events e where e.directory_id = s.directory_id
        and e.sequence = coalesce(p.delivered_sequence, 0) + 1) as oldest
    ${reached} and ${isBehind}
  ) c group by state`

const status = `
  select ${columns('p')}, s.last_sequence,
    (select count(*) from dead_events e where e.directory_id = d.id and e.target = $2) as dead
  from directories d join directory_state s on s.directory_id = d.id
  left join delivery_streams p on p.directory_id = d.id and p.target = $2
  where d.id = $1 and d.deleted = 0`

/** So that there is a row to lock. */
const begin = `
  insert into delivery_streams (directory_id, target, delivered_sequence)
  select d.id, $2, 0 from directories d where d.id = $1 and d.deleted = 0
  on conflict (directory_id, target) do nothing`

const lock = `
  select ${columns('p')} from delivery_streams p join directories d on d.id = p.directory_id
  where p.directory_id = $1 and p.target = $2 and d.deleted = 0 for update of p`

/** `$3` says whether the lease ends. */
const change = `
  update delivery_streams p set (${streamColumns}) = ($4::int8, $5::int4, $6::int8, $7::int4, $8::int8, $9::int8, $10::int8, $11),
    lease_holder = case when $3 then null else p.lease_holder end,
    lease_expires_at = case when $3 then null else p.lease_expires_at end,
    lease_token = p.lease_token + (case when $3 then 1 else 0 end)
  where directory_id = $1 and target = $2`

/** What the stream has to come to again is not set aside any more. */
const reviveDead = 'delete from dead_events where directory_id = $1 and target = $2 and sequence > $3'

const addDead = `
  insert into dead_events (directory_id, target, sequence, died_at, reason) values ($1, $2, $3, $4, $5)
  on conflict (directory_id, target, sequence) do update set died_at = excluded.died_at, reason = excluded.reason`
const removeDead = 'delete from dead_events where directory_id = $1 and target = $2 and sequence = any($3::int8[])'
const removeReplays = 'delete from replays where directory_id = $1 and target = $2 and sequence = any($3::int8[])'
const addReplay = `
  insert into replays (directory_id, target, sequence, requested_at)
  select e.directory_id, $2, e.sequence, $4 from events e where e.directory_id = $1 and e.sequence = $3
  on conflict (directory_id, target, sequence) do update set requested_at = excluded.requested_at
  returning sequence`

const eventColumns = 'e.sequence, e.id, e.event_type, e.created_at, e.request_id, e.data, e.changes'
const joinEvents = (from: string) => `
  from ${from} x join events e on e.directory_id = x.directory_id and e.sequence = x.sequence
  where x.directory_id = $1 and x.target = $2 and x.sequence > $3 order by x.sequence limit $4`
const dead = `select x.died_at, x.reason, ${eventColumns} ${joinEvents('dead_events')}`
const replays = `select ${eventColumns} ${joinEvents('replays')}`

/** How streams go, on PostgreSQL. */
export function postgresStreams(database: Database, { rows, row, number }: Reader, calls: Calls): StreamStore {
  const { query, transaction } = database
  const write = createAuditedWrite(database)
  return {
    async leaseStream(directoryId, target, holder, ttlMs) {
      const leased = await row({ text: lease, values: [directoryId, target, holder, ttlMs] })
      if (leased === undefined) {
        return (await row({ text: exists, values: [directoryId] })) === undefined ? 'none' : 'held'
      }
      const token = Number(leased['lease_token'])
      return { lease: { directoryId, target, token }, state: streamOf(leased as unknown as StreamRow) }
    },
    async renewLeases(target, holder, ttlMs) {
      const renewed = await rows({ text: renew, values: [target, holder, ttlMs] })
      return renewed.map(({ id }) => String(id))
    },
    async releaseLease({ directoryId, target, token }) {
      await query({ text: release, values: [directoryId, target, token] })
    },
    recordStream: (leased, state, effects = {}) => {
      const recording = recordStatement(leased, state)
      const following = effectStatements(leased, effects)
      return transaction([recording], ([recorded = []]) =>
        recorded.length === 0
          ? { statements: [], answer: 'lost' as const }
          : { statements: following, answer: 'recorded' as const },
      )
    },
    async directoriesDue(target, holder, at, after, limit) {
      const found = await rows({ text: list, values: [target, holder, at, after, limit] })
      return found.map(({ id }) => String(id))
    },
    countUndelivered: (target) => number({ text: count, values: [target] }),
    countStreams: async (target, at) => (await rows({ text: counts, values: [target, at] })).map(streamCountsOf),
    async streamStatus(id, target) {
      const found = await row({ text: status, values: [id, target] })
      if (found === undefined) return undefined
      const state = found['delivered_sequence'] === null ? newStream : streamOf(found as unknown as StreamRow)
      return { ...state, lastSequence: Number(found['last_sequence']), deadEvents: Number(found['dead']) }
    },
    changeStream: (directoryId, target, { apply, endsLease }, audit) =>
      transaction(
        withAuditHead(
          [begin, lock].map((text) => ({ text, values: [directoryId, target] })),
          audit,
        ),
        (found) => {
          const [stream] = found[1] ?? []
          if (stream === undefined) return { statements: [], answer: false }
          const state = apply(streamOf(stream as unknown as StreamRow))
          const changing = { text: change, values: [directoryId, target, endsLease, ...streamValues(state)] }
          const reviving = { text: reviveDead, values: [directoryId, target, state.deliveredSequence] }
          return { statements: [changing, reviving, ...auditStatements(found, audit)], answer: true }
        },
      ),
    async deadEvents(directoryId, target, after, limit) {
      const found = await rows({ text: dead, values: [directoryId, target, after, limit] })
      return found.map((one) => {
        const event = eventOf(one as unknown as EventRow)
        return { sequence: event.sequence, diedAt: Number(one['died_at']), reason: String(one['reason']), event }
      })
    },
    async requestReplay(directoryId, target, sequence, at, audit) {
      const added = await write({ text: addReplay, values: [directoryId, target, sequence, at] }, audit)
      return added.length === 1
    },
    async requestedReplays(directoryId, target, limit) {
      const found = await rows({ text: replays, values: [directoryId, target, 0, limit] })
      return found.map((one) => eventOf(one as unknown as EventRow))
    },
    publishNotice: calls.call,
    onNotice: calls.hear,
  }
}

function recordStatement({ directoryId, target, token }: Lease, state: StreamState): Statement {
  return { text: record, values: [directoryId, target, token, ...streamValues(state)] }
}

function effectStatements(
  { directoryId, target }: Lease,
  { dead: died = [], replayed = [] }: StreamEffects,
): Statement[] {
  const noMore = [...replayed, ...died.map(({ sequence }) => sequence)]
  return [
    ...died.map(({ sequence, diedAt, reason }) => ({
      text: addDead,
      values: [directoryId, target, sequence, diedAt, reason],
    })),
    ...(noMore.length === 0 ? [] : [{ text: removeReplays, values: [directoryId, target, noMore] }]),
    ...(replayed.length === 0 ? [] : [{ text: removeDead, values: [directoryId, target, replayed] }]),
  ]
}
