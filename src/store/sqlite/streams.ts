import type { DatabaseSync } from 'node:sqlite'
import type { EventStore, StreamEffects } from '../../delivery/store.ts'
import { newStream } from '../../delivery/store.ts'
import type { EventRow } from '../events.ts'
import { eventOf } from '../events.ts'
import type { StreamRow } from '../streams.ts'
import { streamColumns, streamCountsOf, streamOf, streamValues } from '../streams.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'
import { createLeases } from './leases.ts'

type StreamStore = Omit<EventStore, 'eventsAfter' | 'sequenceAt'>

/** Active directories with the target, and how far it is: `s` the directory's state, `p` the stream. */
const reached = `
  from directory_state s join directories d on d.id = s.directory_id
  left join delivery_streams p on p.directory_id = s.directory_id and p.target = :target
  where d.deleted = 0 and d.deactivated = 0 and (:target <> 'endpoint' or d.endpoint_url is not null)`

const isBehind = 's.last_sequence > coalesce(p.delivered_sequence, 0)'
const columns = columnsOf('p')

/** How streams go, on SQLite. */
export function sqliteStreams(db: DatabaseSync, { write }: GroupCommit, appendAudit: AppendAudit): StreamStore {
  const leases = createLeases()
  const exists = db.prepare('select 1 from directories where id = ? and deleted = 0')
  const read = db.prepare(`select ${streamColumns} from delivery_streams where directory_id = ? and target = ?`)
  const save = db.prepare(`
    insert into delivery_streams (directory_id, target, ${streamColumns})
    select id, ?, ?, ?, ?, ?, ?, ?, ?, ? from directories where id = ? and deleted = 0
    on conflict (directory_id, target) do update set
      (${streamColumns}) = (${columnsOf('excluded')})`)
  const status = db.prepare(`
    select ${columns}, s.last_sequence,
      (select count(*) from dead_events e where e.directory_id = d.id and e.target = :target) as dead
    from directories d join directory_state s on s.directory_id = d.id
    left join delivery_streams p on p.directory_id = d.id and p.target = :target
    where d.id = :id and d.deleted = 0`)
  const list = db.prepare(`
    select s.directory_id as id ${reached} and s.directory_id > :after and p.paused_at is null
      and (p.next_attempt_at is null or p.next_attempt_at <= :now)
      and (${isBehind} or exists (select 1 from replays r where r.directory_id = s.directory_id and r.target = :target))
    order by s.directory_id`)
  const count = db.prepare(`
    select coalesce(sum(s.last_sequence - coalesce(p.delivered_sequence, 0)), 0) as n ${reached} and ${isBehind}`)
  const counts = db.prepare(`
    select case when p.paused_at is not null then 'paused' when p.next_attempt_at > :now then 'failing' else 'queued' end
        as state,
      sum(s.last_sequence - coalesce(p.delivered_sequence, 0)) as events,
      count(*) as streams,
      min((select e.created_at from events e
        where e.row_key = (s.number << 33) + coalesce(p.delivered_sequence, 0) + 1)) as oldest
    ${reached} and ${isBehind} group by 1`)
  const addDead = db.prepare(`
    insert into dead_events (directory_id, target, sequence, died_at, reason) values (?, ?, ?, ?, ?)
    on conflict do update set died_at = excluded.died_at, reason = excluded.reason`)
  const removeDead = db.prepare('delete from dead_events where directory_id = ? and target = ? and sequence = ?')
  const reviveDead = db.prepare('delete from dead_events where directory_id = ? and target = ? and sequence > ?')
  const removeReplay = db.prepare('delete from replays where directory_id = ? and target = ? and sequence = ?')
  const addReplay = db.prepare(`
    insert into replays (directory_id, target, sequence, requested_at)
    select s.directory_id, ?, ?, ? from directory_state s
    where s.directory_id = ? and exists (select 1 from events e where e.row_key = (s.number << 33) + ?)
    on conflict do update set requested_at = excluded.requested_at`)
  const eventColumns = 'e.sequence, e.id, e.event_type, e.created_at, e.request_id, e.data, e.changes'
  const joinEvents = (from: string) => `
    from ${from} x join directory_state s on s.directory_id = x.directory_id
    join events e on e.row_key = (s.number << 33) + x.sequence
    where x.directory_id = ? and x.target = ? and x.sequence > ? order by x.sequence limit ?`
  const dead = db.prepare(`select x.died_at, x.reason, ${eventColumns} ${joinEvents('dead_events')}`)
  const replays = db.prepare(`select ${eventColumns} ${joinEvents('replays')}`)

  const stateOf = (directoryId: string, target: string) => {
    const row = read.get(directoryId, target)
    return row === undefined ? newStream : streamOf(row as unknown as StreamRow)
  }
  function saveState(directoryId: string, target: string, values: ReturnType<typeof streamValues>): void {
    save.run(target, ...values, directoryId)
  }
  function apply(directoryId: string, target: string, { dead: died = [], replayed = [] }: StreamEffects): void {
    for (const { sequence, diedAt, reason } of died) addDead.run(directoryId, target, sequence, diedAt, reason)
    for (const sequence of [...replayed, ...died.map((one) => one.sequence)]) {
      removeReplay.run(directoryId, target, sequence)
    }
    for (const sequence of replayed) removeDead.run(directoryId, target, sequence)
  }

  return {
    async leaseStream(directoryId, target, holder, ttlMs) {
      if (exists.get(directoryId) === undefined) return 'none'
      const lease = leases.take(directoryId, target, holder, ttlMs)
      return lease === undefined ? 'held' : { lease, state: stateOf(directoryId, target) }
    },
    renewLeases: async (target, holder, ttlMs) => leases.renew(target, holder, ttlMs),
    releaseLease: async (lease) => leases.release(lease),
    recordStream: (lease, state, effects = {}) =>
      write(() => {
        if (!leases.isCurrent(lease)) return 'lost'
        const { directoryId, target } = lease
        saveState(directoryId, target, streamValues(state))
        apply(directoryId, target, effects)
        return 'recorded'
      }),
    async directoriesDue(target, holder, now, after, limit) {
      const found: string[] = []
      for (const row of list.iterate({ target, now, after })) {
        if (leases.isFree(String(row['id']), target, holder)) found.push(String(row['id']))
        if (found.length >= limit) break
      }
      return found
    },
    countUndelivered: async (target) => Number(count.get({ target })?.['n']),
    countStreams: async (target, now) => counts.all({ target, now }).map(streamCountsOf),
    async streamStatus(id, target) {
      const row = status.get({ id, target })
      if (row === undefined) return undefined
      const state = row['delivered_sequence'] === null ? newStream : streamOf(row as unknown as StreamRow)
      return { ...state, lastSequence: Number(row['last_sequence']), deadEvents: Number(row['dead']) }
    },
    changeStream: (directoryId, target, { apply, endsLease }, audit) =>
      write(() => {
        if (exists.get(directoryId) === undefined) return false
        const state = apply(stateOf(directoryId, target))
        appendAudit(audit)
        if (endsLease) leases.revoke(directoryId, target)
        saveState(directoryId, target, streamValues(state))
        reviveDead.run(directoryId, target, state.deliveredSequence)
        return true
      }),
    deadEvents: async (directoryId, target, after, limit) =>
      dead.all(directoryId, target, after, limit).map((row) => {
        const event = eventOf(row as unknown as EventRow)
        return { sequence: event.sequence, diedAt: Number(row['died_at']), reason: String(row['reason']), event }
      }),
    requestReplay: (directoryId, target, sequence, at, audit) =>
      write(() => {
        const isAsked = addReplay.run(target, sequence, at, directoryId, sequence).changes === 1
        if (isAsked) appendAudit(audit)
        return isAsked
      }),
    requestedReplays: async (directoryId, target, limit) =>
      replays.all(directoryId, target, 0, limit).map((row) => eventOf(row as unknown as EventRow)),
    // Nobody else has the file.
    publishNotice: async () => {},
    onNotice: () => () => {},
  }
}

function columnsOf(alias: string): string {
  return streamColumns.replaceAll(/\b(\w+)\b/g, `${alias}.$1`)
}
