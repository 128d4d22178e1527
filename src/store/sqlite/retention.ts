import type { DatabaseSync } from 'node:sqlite'
import type { RetentionStore } from '../../delivery/event-store.ts'
import { removeOldRuns } from '../feed-order.ts'
import {
  attemptsPerStep,
  attemptsThrough,
  decideRemoval,
  decodeRetentionFacts,
  eventsPerStep,
  nextOldestEventAt,
} from '../retention.ts'
import { sendableSequence } from '../streams.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKeysAfter } from './row-key.ts'
import { sqliteText } from './sql-database.ts'

/** Removes old events on SQLite. */
export function sqliteRetention(db: DatabaseSync, { write }: GroupCommit): Pick<RetentionStore, 'removeEvents'> {
  const facts = db.prepare(`
    select ${sendableSequence} as last_sequence, d.endpoint_url is not null as has_endpoint,
      (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint')
        as endpoint_delivered,
      (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event')
        as on_event_delivered,
      (select max(p.delivered_late_at) from delivery_streams p where p.directory_id = d.id) as delivered_late_at,
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

  const removeAttempts = db.prepare(`
    delete from delivery_attempts where (number, last_sequence, target, attempt, at) in (
      select number, last_sequence, target, attempt, at from delivery_attempts
      where number = (select s.number from directory_state s where s.directory_id = ?1)
      and last_sequence <= ?2 and at < ?3 limit ${attemptsPerStep})`)
  const removeRuns = db.prepare(
    sqliteText(
      removeOldRuns(`select sequence from events where ${rowKeysAfter('row_key', '0')} order by row_key limit 1`),
    ),
  )
  const settle = db.prepare(`
    update directory_state set oldest_event_at = (
      select ${nextOldestEventAt('e.at', '?2')} from (select (
        select created_at from events where ${rowKeysAfter('row_key', '0')} order by row_key limit 1) as at) e)
    where directory_id = ?1`)

  return {
    removeEvents: (directoryId, which) =>
      write(() => {
        const row = facts.get(directoryId, which.after)
        if (row === undefined) return undefined
        const found = decodeRetentionFacts(row)
        // No other process opens the file: without an onEvent, a stream for it is left over from an earlier configuration.
        const known = which.hasOnEvent ? found : { ...found, onEventDelivered: undefined }
        const { through, next } = decideRemoval(known, which)
        remove.run(directoryId, which.after, which.before, through)
        removeRuns.run(directoryId)
        removeAttempts.run(directoryId, attemptsThrough(found, through), which.before)
        if (next === undefined) settle.run(directoryId, which.before)
        return next
      }),
  }
}
