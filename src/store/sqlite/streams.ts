import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryTarget, EventStore, StreamState } from '../../delivery/event-store.ts'
import { newStream } from '../../delivery/event-store.ts'
import { recorded } from '../deprovisionings.ts'
import { noticeStatements } from '../operator-notices.ts'
import { integer } from '../row.ts'
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
import type { AppendAudit } from './audit.ts'
import { createDeadEventWrites, sqliteDeadEvents } from './dead-events.ts'
import { createEndDeprovisionings } from './deprovisionings.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Leases, StreamReads } from './leases.ts'
import { createLeases, sqliteLeases } from './leases.ts'
import { sequenceBits } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'

type StreamStore = Omit<EventStore, 'eventsAfter' | 'sequenceAt' | 'deadEventsIn'>
type Backlog = Pick<EventStore, 'directoriesDue' | 'countUndelivered' | 'countStreams' | 'streamStatus'>

/** The directories that may have events to send: `s` is the state of the directory, `p` the stream. */
const streams = (target: DeliveryTarget) => `
  from directory_state s indexed by directory_state_${workColumn(target)} cross join directories d on d.id = s.directory_id
  left join delivery_streams p on p.directory_id = s.directory_id and p.target = :target
  where s.${workColumn(target)} > 0`

const isActive = "d.deleted = 0 and d.deactivated = 0 and (:target <> 'endpoint' or d.endpoint_url is not null)"

const hasUndelivered = `${sendableSequence} > coalesce(p.delivered_sequence, 0)`

/** Reads and writes the states of streams, in the transaction that the caller has open. */
interface StreamStates extends StreamReads {
  saveState(directoryId: string, target: DeliveryTarget, state: StreamState): void
}

/** The streams of events on SQLite. */
export function sqliteStreams(
  db: DatabaseSync,
  commits: GroupCommit,
  run: RunStatement,
  appendAudit: AppendAudit,
): StreamStore {
  const { write } = commits
  const leases = createLeases()
  const states = createStates(db)
  const { hasDirectory, findState, saveState } = states
  const writeDeadEvents = createDeadEventWrites(db)
  const endDeprovisionings = createEndDeprovisionings(db)
  const reviveDead = db.prepare('delete from dead_events where directory_id = ? and target = ? and sequence > ?')

  return {
    ...sqliteLeases(leases, states),
    ...sqliteBacklog(db, commits, leases),
    ...sqliteDeadEvents(db, commits, run, appendAudit),
    recordStream: (lease, state, effects = {}) =>
      write(() => {
        if (!leases.isCurrent(lease)) return 'lost'
        saveState(lease.directoryId, lease.target, state)
        const writes = decideStreamWrites(effects)
        writeDeadEvents(lease, writes)
        noticeStatements(effects.notice).forEach(run)
        if (effects.failedAt !== undefined) run(addFailure(lease.directoryId, effects.failedAt))
        checkAfter({ ...lease, ...effects, after: state }).forEach(run)
        return recorded(endDeprovisionings(lease.directoryId, writes.deprovisioned))
      }),
    changeStream: (directoryId, target, { apply, endsLease, dead }, audit) =>
      write(() => {
        if (!hasDirectory(directoryId)) return false
        const before = findState(directoryId, target)
        const state = apply(before)
        if (state === undefined) return false
        appendAudit(audit)
        if (endsLease) leases.revoke(directoryId, target)
        saveState(directoryId, target, state)
        run(addWork(target, directoryId))
        reviveDead.run(directoryId, target, state.deliveredSequence)
        if (dead !== undefined) writeDeadEvents({ directoryId, target }, decideStreamWrites({ dead: [dead] }))
        checkAfter({ directoryId, target, before, after: state, dead: dead && [dead] }).forEach(run)
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
    select id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? from directories where id = ? and deleted = 0
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

/** The streams with events to send. */
function sqliteBacklog(db: DatabaseSync, { write }: GroupCommit, leases: Leases): Backlog {
  const statements = { endpoint: prepareBacklog(db, 'endpoint'), 'on-event': prepareBacklog(db, 'on-event') }
  const status = db.prepare(`
    select ${streamColumnsOf('p')}, s.last_sequence, s.held_from,
      (select count(*) from dead_events e where e.directory_id = d.id and e.target = :target) as dead
    from directories d join directory_state s on s.directory_id = d.id
    left join delivery_streams p on p.directory_id = d.id and p.target = :target
    where d.id = :id and d.deleted = 0`)

  return {
    async directoriesDue(target, holder, now, after, limit) {
      const { examine, turn } = statements[target]
      const rows = examine.all({ target, now, after, limit })
      const idle = decodeIdle(rows)
      if (idle.length > 0) {
        await write(() => {
          for (const { id, work, lastSequence } of idle) turn.run(id, work, lastSequence)
        })
      }
      const { directories, next } = decodeExamined(rows, limit)
      return { directories: directories.filter(({ id }) => leases.isAvailable(id, target, holder)), next }
    },
    countUndelivered: async (target) => integer(statements[target].undelivered.get({ target }) ?? {}, 'n'),
    countStreams: async (target, now) => statements[target].counts.all({ target, now }).map(decodeStreamCounts),
    async streamStatus(id, target) {
      const row = status.get({ id, target })
      return row && decodeStreamStatus(row)
    },
  }
}

function prepareBacklog(db: DatabaseSync, target: DeliveryTarget) {
  const work = workColumn(target)
  const from = streams(target)
  return {
    examine: db.prepare(`
      select *, has_work and is_free as is_due from (
        select s.directory_id as id, d.tenant, s.${work} as work, s.last_sequence,
          p.paused_at is null and (p.next_attempt_at is null or p.next_attempt_at <= :now) as is_free,
          ${isActive} and (${hasUndelivered} or exists (
            select 1 from replays r where r.directory_id = s.directory_id and r.target = :target)) as has_work
        ${from} and s.directory_id > :after order by s.directory_id limit :limit)`),
    turn: db.prepare(`
      update directory_state set ${work} = -${work} where directory_id = ? and ${work} = ? and last_sequence = ?`),
    undelivered: db.prepare(`
      select coalesce(sum(${sendableSequence} - coalesce(p.delivered_sequence, 0)), 0) as n
      ${from} and ${isActive} and ${hasUndelivered}`),
    counts: db.prepare(`
      select case when p.paused_at is not null then 'paused' when p.next_attempt_at > :now then 'failing' else 'queued' end
          as state,
        sum(${sendableSequence} - coalesce(p.delivered_sequence, 0)) as events,
        count(*) as streams,
        min((select e.created_at from events e
          where e.row_key = (s.number << ${sequenceBits}) + coalesce(p.delivered_sequence, 0) + 1)) as oldest
      ${from} and ${isActive} and ${hasUndelivered} group by 1`),
  }
}
