import type { RetentionStore } from '../../delivery/store.ts'
import { decideRemoval, decodeOldestEvent, decodeRetentionFacts, eventsPerStep } from '../retention.ts'
import type { Database } from './database.ts'

const oldest = `
  select d.id as directory_id, e.created_at as oldest_at
  from (select id from directories where id > $1 order by id limit $2) d
  left join lateral (
    select created_at from events where directory_id = d.id order by sequence limit 1
  ) e on true
  order by d.id`

const facts = `
  select s.last_sequence, (d.endpoint_url is not null)::int4 as has_endpoint,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint')
      as endpoint_delivered,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event')
      as on_event_delivered,
    e.sequence as step_sequence, e.created_at as step_created_at
  from directories d join directory_state s on s.directory_id = d.id
  left join lateral (
    select sequence, created_at from events where directory_id = d.id and sequence > $2
    order by sequence limit 1 offset ${eventsPerStep - 1}
  ) e on true
  where d.id = $1`

const remove = `
  with step as materialized (
    select sequence, created_at from events where directory_id = $1 and sequence > $2
    order by sequence limit ${eventsPerStep}
  )
  delete from events where ctid = any(array(
    select e.ctid from step join events e on e.directory_id = $1 and e.sequence = step.sequence
    where step.created_at < $3 and step.sequence <= $4
      and not exists (select from dead_events x where x.directory_id = $1 and x.sequence = step.sequence)
      and not exists (select from replays x where x.directory_id = $1 and x.sequence = step.sequence)
    for update of e skip locked))`

/** Removes old events on PostgreSQL. */
export function postgresRetention({ query, transaction }: Database): RetentionStore {
  return {
    async oldestEvents(after, limit) {
      return (await query({ text: oldest, values: [after, limit] })).map(decodeOldestEvent)
    },
    removeEvents(directoryId, which) {
      const { after, before } = which
      return transaction([{ text: facts, values: [directoryId, after] }], ([rows = []]) => {
        const [row] = rows
        if (row === undefined) return { statements: [], answer: undefined }
        const { through, next } = decideRemoval(decodeRetentionFacts(row), which)
        return { statements: [{ text: remove, values: [directoryId, after, before, through] }], answer: next }
      })
    },
  }
}
