import type { DatabaseSync } from 'node:sqlite'
import type { RetentionStore } from '../../delivery/store.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKeysAfter, sequenceBits } from './row-key.ts'

const rowsPerStep = 300

/** Removes events that are no longer kept, on SQLite. */
export function sqliteRetention(db: DatabaseSync, { write }: GroupCommit): RetentionStore {
  const oldest = db.prepare(`
    select d.id as directoryId, (
      select e.created_at from events e
      where e.row_key > d.number << ${sequenceBits} and e.row_key < (d.number + 1) << ${sequenceBits}
      order by e.row_key limit 1
    ) as createdAt
    from directories d where d.id > ? order by d.id limit ?`)
  const taken = db.prepare(`
    select min(
      case when d.endpoint_url is null then s.last_sequence else ifnull((
        select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint'
      ), 0) end,
      ifnull((
        select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event'
      ), case when ?2 then 0 else s.last_sequence end)
    ) as n
    from directories d join directory_state s on s.directory_id = d.id where d.id = ?1`)
  const lastOfStep = db.prepare(`
    select sequence, created_at from events where ${rowKeysAfter('row_key', '?2')}
    order by row_key limit 1 offset ${rowsPerStep - 1}`)
  const remove = db.prepare(`
    delete from events where row_key in (
      select row_key from events where ${rowKeysAfter('row_key', '?2')} order by row_key limit ${rowsPerStep}
    )
    and created_at < ?3 and sequence <= ?4
    and not exists (select 1 from dead_events x where x.directory_id = ?1 and x.sequence = events.sequence)
    and not exists (select 1 from replays x where x.directory_id = ?1 and x.sequence = events.sequence)`)

  return {
    async oldestEvents(after, limit) {
      return oldest.all(after, limit).map(({ directoryId, createdAt }) => ({
        directoryId: String(directoryId),
        createdAt: createdAt === null ? undefined : Number(createdAt),
      }))
    },
    removeEvents: (directoryId, { before, after, hasOnEvent }) =>
      write(() => {
        const through = Number(taken.get(directoryId, Number(hasOnEvent))?.['n'] ?? 0)
        const last = lastOfStep.get(directoryId, after)
        remove.run(directoryId, after, before, through)
        const isMore = last !== undefined && Number(last['created_at']) < before && Number(last['sequence']) < through
        return { next: isMore ? Number(last['sequence']) : undefined }
      }).then(({ next }) => next),
  }
}
