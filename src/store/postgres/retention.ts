import type { RetentionStore } from '../../delivery/store.ts'
import type { Database } from './database.ts'

const rowsPerStep = 300

const oldest = `
  select d.id as "directoryId", e.created_at as "createdAt"
  from (select id from directories where id > $1 order by id limit $2) d
  left join lateral (
    select created_at from events where directory_id = d.id order by sequence limit 1
  ) e on true
  order by d.id`

const remove = `
  with taken as (
    select least(
      case when d.endpoint_url is null then s.last_sequence else coalesce((
        select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint'
      ), 0) end,
      coalesce((
        select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event'
      ), case when $4::boolean then 0 else s.last_sequence end)
    ) as n
    from directories d join directory_state s on s.directory_id = d.id where d.id = $1
  ),
  step as materialized (
    select sequence, created_at from events where directory_id = $1 and sequence > $3
    order by sequence limit ${rowsPerStep}
  ),
  removed as (
    delete from events where ctid = any(array(
      select e.ctid from step join events e on e.directory_id = $1 and e.sequence = step.sequence cross join taken
      where step.created_at < $2 and step.sequence <= taken.n
        and not exists (select from dead_events x where x.directory_id = $1 and x.sequence = step.sequence)
        and not exists (select from replays x where x.directory_id = $1 and x.sequence = step.sequence)
      for update of e skip locked))
  )
  select sequence as next from step cross join taken where created_at < $2 and sequence < taken.n
  order by sequence offset ${rowsPerStep - 1}`

/** Removes events that are no longer kept, on PostgreSQL. */
export function postgresRetention({ query }: Database): RetentionStore {
  return {
    async oldestEvents(after, limit) {
      const found = await query({ text: oldest, values: [after, limit] })
      return found.map(({ directoryId, createdAt }) => ({
        directoryId: String(directoryId),
        createdAt: createdAt === null ? undefined : Number(createdAt),
      }))
    },
    async removeEvents(directoryId, { before, after, hasOnEvent }) {
      const [row] = await query({ text: remove, values: [directoryId, before, after, hasOnEvent] })
      return row === undefined ? undefined : Number(row['next'])
    },
  }
}
