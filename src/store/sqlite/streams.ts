import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryTarget, EventStore, StreamState } from '../../delivery/store.ts'
import { newStream } from '../../delivery/store.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import {
  decideStreamWrites,
  decodeDuePage,
  decodeStream,
  decodeStreamCounts,
  decodeStreamStatus,
  streamColumns,
  streamColumnsOf,
  streamValues,
} from '../streams.ts'
import type { AppendAudit } from './audit.ts'
import { createDeadEventWrites, sqliteDeadEvents } from './dead-events.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Leases, StreamReads } from './leases.ts'
import { createLeases, sqliteLeases } from './leases.ts'
import { sequenceBits } from './row-key.ts'

type StreamStore = Omit<EventStore, 'eventsAfter' | 'sequenceAt'>
type Backlog = Pick<EventStore, 'directoriesDue' | 'countUndelivered' | 'countStreams' | 'streamStatus'>

/** The active directories that have the target: `s` is the state of the directory, `p` the stream. */
const streams = `
  from directory_state s join directories d on d.id = s.directory_id
  left join delivery_streams p on p.directory_id = s.directory_id and p.target = :target
  where d.deleted = 0 and d.deactivated = 0 and (:target <> 'endpoint' or d.endpoint_url is not null)`

const hasUndelivered = 's.last_sequence > coalesce(p.delivered_sequence, 0)'

/** Reads and writes the states of streams, in the transaction that the caller has open. */
interface StreamStates extends StreamReads {
  saveState(directoryId: string, target: DeliveryTarget, state: StreamState): void
}

/** The streams of events on SQLite. */
export function sqliteStreams(db: DatabaseSync, commits: GroupCommit, appendAudit: AppendAudit): StreamStore {
  const { write } = commits
  const leases = createLeases()
  const states = createStates(db)
  const { hasDirectory, findState, saveState } = states
  const writeDeadEvents = createDeadEventWrites(db)
  const reviveDead = db.prepare('delete from dead_events where directory_id = ? and target = ? and sequence > ?')

  return {
    ...sqliteLeases(leases, states),
    ...sqliteBacklog(db, leases),
    ...sqliteDeadEvents(db, commits, appendAudit),
    recordStream: (lease, state, effects = {}) =>
      write(() => {
        if (!leases.isCurrent(lease)) return 'lost'
        saveState(lease.directoryId, lease.target, state)
        writeDeadEvents(lease, decideStreamWrites(effects))
        return 'recorded'
      }),
    changeStream: (directoryId, target, { apply, endsLease }, audit) =>
      write(() => {
        if (!hasDirectory(directoryId)) return false
        const state = apply(findState(directoryId, target))
        appendAudit(audit)
        if (endsLease) leases.revoke(directoryId, target)
        saveState(directoryId, target, state)
        reviveDead.run(directoryId, target, state.deliveredSequence)
        return true
      }),
    // No other process opens the file.
    publishNotice: async () => {},
    onNotice: () => () => {},
  }
}

function createStates(db: DatabaseSync): StreamStates {
  const directory = db.prepare('select 1 from directories where id = ? and deleted = 0')
  const find = db.prepare(`select ${streamColumns} from delivery_streams where directory_id = ? and target = ?`)
  const save = db.prepare(`
    insert into delivery_streams (directory_id, target, ${streamColumns})
    select id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? from directories where id = ? and deleted = 0
    on conflict (directory_id, target) do update set (${streamColumns}) = (${streamColumnsOf('excluded')})`)
  return {
    hasDirectory: (directoryId) => directory.get(directoryId) !== undefined,
    findState(directoryId, target) {
      const row = find.get(directoryId, target)
      return row === undefined ? newStream : decodeStream(row)
    },
    saveState(directoryId, target, state) {
      save.run(target, ...streamValues(state), directoryId)
    },
  }
}

/** How many events the streams have yet to send. */
function sqliteBacklog(db: DatabaseSync, leases: Leases): Backlog {
  const due = db.prepare(`
    select s.directory_id as id, d.tenant ${streams} and s.directory_id > :after and p.paused_at is null
      and (p.next_attempt_at is null or p.next_attempt_at <= :now)
      and (${hasUndelivered} or exists (
        select 1 from replays r where r.directory_id = s.directory_id and r.target = :target))
    order by s.directory_id`)
  const undelivered = db.prepare(`
    select coalesce(sum(s.last_sequence - coalesce(p.delivered_sequence, 0)), 0) as n ${streams} and ${hasUndelivered}`)
  const counts = db.prepare(`
    select case when p.paused_at is not null then 'paused' when p.next_attempt_at > :now then 'failing' else 'queued' end
        as state,
      sum(s.last_sequence - coalesce(p.delivered_sequence, 0)) as events,
      count(*) as streams,
      min((select e.created_at from events e
        where e.row_key = (s.number << ${sequenceBits}) + coalesce(p.delivered_sequence, 0) + 1)) as oldest
    ${streams} and ${hasUndelivered} group by 1`)
  const status = db.prepare(`
    select ${streamColumnsOf('p')}, s.last_sequence,
      (select count(*) from dead_events e where e.directory_id = d.id and e.target = :target) as dead
    from directories d join directory_state s on s.directory_id = d.id
    left join delivery_streams p on p.directory_id = d.id and p.target = :target
    where d.id = :id and d.deleted = 0`)

  return {
    async directoriesDue(target, holder, now, after, limit) {
      const found: Row[] = []
      for (const row of due.iterate({ target, now, after })) {
        if (leases.isAvailable(text(row, 'id'), target, holder)) found.push(row)
        if (found.length >= limit) break
      }
      return decodeDuePage(found, limit)
    },
    countUndelivered: async (target) => integer(undelivered.get({ target }) ?? {}, 'n'),
    countStreams: async (target, now) => counts.all({ target, now }).map(decodeStreamCounts),
    async streamStatus(id, target) {
      const row = status.get({ id, target })
      return row && decodeStreamStatus(row)
    },
  }
}
