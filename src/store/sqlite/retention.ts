import type { DatabaseSync } from 'node:sqlite'
import type { RetentionStore } from '../../delivery/store.ts'
import { decideRemoval, decodeOldestEvent, decodeRetentionFacts, eventsPerStep } from '../retention.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKeysAfter, sequenceBits } from './row-key.ts'

/** Removes old events on SQLite. */
export function sqliteRetention(db: DatabaseSync, { write }: GroupCommit): RetentionStore {
  const oldest = db.prepare(`
    select d.id as directory_id, (
      select e.created_at from events e
      where e.row_key > d.number << ${sequenceBits} and e.row_key < (d.number + 1) << ${sequenceBits}
      order by e.row_key limit 1
    ) as oldest_at
    from directories d where d.id > ? order by d.id limit ?`)
  const facts = db.prepare(`
    select s.last_sequence, d.endpoint_url is not null as has_endpoint,
      (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint')
        as endpoint_delivered,
      (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event')
        as on_event_delivered,
      e.sequence as step_sequence, e.created_at as step_created_at
    from directories d join directory_state s on s.directory_id = d.id
    left join events e on e.row_key = (
      select row_key from events where ${rowKeysAfter('row_key', '?2')}
      order by row_key limit 1 offset ${eventsPerStep - 1})
    where d.id = ?1`)
  const remove = db.prepare(`
    delete from events where row_key in (
      select row_key from events where ${rowKeysAfter('row_key', '?2')} order by row_key limit ${eventsPerStep}
    )
    and created_at < ?3 and sequence <= ?4
    and not exists (select 1 from dead_events x where x.directory_id = ?1 and x.sequence = events.sequence)
    and not exists (select 1 from replays x where x.directory_id = ?1 and x.sequence = events.sequence)`)

  return {
    oldestEvents: async (after, limit) => oldest.all(after, limit).map(decodeOldestEvent),
    removeEvents: (directoryId, which) =>
      write(() => {
        const row = facts.get(directoryId, which.after)
        if (row === undefined) return undefined
        const { through, next } = decideRemoval(decodeRetentionFacts(row), which)
        remove.run(directoryId, which.after, which.before, through)
        return next
      }),
  }
}
