import type { DatabaseSync } from 'node:sqlite'
import type { EventStore, Lease } from '../../delivery/event-store.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import type { StreamWrites } from '../streams.ts'
import { addWork, deadEventColumns, decodeDeadEvent } from '../streams.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'
import { sequenceBits } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'

const joinEvents = (table: string) => `
  from ${table} x join directory_state s on s.directory_id = x.directory_id
  join events e on e.row_key = (s.number << ${sequenceBits}) + x.sequence
  where x.directory_id = ? and x.target = ? and x.sequence > ? order by x.sequence limit ?`

/** Dead events and requested replays on SQLite. */
export function sqliteDeadEvents(
  db: DatabaseSync,
  { write }: GroupCommit,
  run: RunStatement,
  appendAudit: AppendAudit,
): Pick<EventStore, 'deadEvents' | 'requestReplay' | 'requestedReplays'> {
  const dead = db.prepare(`select ${deadEventColumns}, ${storedEventColumns} ${joinEvents('dead_events')}`)
  const replays = db.prepare(`select ${storedEventColumns} ${joinEvents('replays')}`)
  const addReplay = db.prepare(`
    insert into replays (directory_id, target, sequence, requested_at)
    select s.directory_id, ?, ?, ? from directory_state s
    where s.directory_id = ? and s.last_sequence >= ? and exists (select 1 from events e where e.row_key = (s.number << ${sequenceBits}) + ?)
    on conflict do update set requested_at = excluded.requested_at`)

  return {
    deadEvents: async (directoryId, target, after, limit) =>
      dead.all(directoryId, target, after, limit).map(decodeDeadEvent),
    requestReplay: (directoryId, target, sequence, at, audit) =>
      write(() => {
        const isRequested = addReplay.run(target, sequence, at, directoryId, sequence, sequence).changes === 1
        if (!isRequested) return false
        run(addWork(target, directoryId))
        appendAudit(audit)
        return true
      }),
    requestedReplays: async (directoryId, target, limit) => replays.all(directoryId, target, 0, limit).map(decodeEvent),
  }
}

/** Writes dead events and ends replays, in the transaction that the caller has open. */
export function createDeadEventWrites(db: DatabaseSync) {
  const addDead = db.prepare(`
    insert into dead_events (directory_id, target, sequence, died_at, reason, skipped, tenant, product)
    select d.id, ?, ?, ?, ?, ?, d.tenant, d.product from directories d where d.id = ?
    on conflict do update set died_at = excluded.died_at, reason = excluded.reason, skipped = excluded.skipped`)
  const removeDead = db.prepare('delete from dead_events where directory_id = ? and target = ? and sequence = ?')
  const removeReplay = db.prepare('delete from replays where directory_id = ? and target = ? and sequence = ?')
  return (
    { directoryId, target }: Pick<Lease, 'directoryId' | 'target'>,
    { newDeadEvents, endedReplays, revived }: StreamWrites,
  ): void => {
    for (const { sequence, diedAt, reason, isSkipped = false } of newDeadEvents) {
      addDead.run(target, sequence, diedAt, reason, Number(isSkipped), directoryId)
    }
    for (const sequence of endedReplays) removeReplay.run(directoryId, target, sequence)
    for (const sequence of revived) removeDead.run(directoryId, target, sequence)
  }
}
