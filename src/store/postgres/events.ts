import type { EventStore } from '../../events/store.ts'
import type { EventRow } from '../event-row.ts'
import { eventOf, maxEventBytes } from '../event-row.ts'
import type { Database } from './database.ts'
import type { Reader } from './read.ts'

const eventsAfter = `
  select sequence, id, event_type, created_at, request_id, data, changes from (
    select *, sum(octet_length(data)) over (order by sequence) - octet_length(data) as bytes_before
    from (select * from events where directory_id = $1 and sequence > $2 order by sequence limit $3) e
  ) e
  where bytes_before <= $4 order by sequence`

const position = `
  select delivered_sequence as n from delivery_positions where directory_id = $1 and target = $2`

const advance = `
  insert into delivery_positions as p (directory_id, target, delivered_sequence)
  select id, $2, $3 from directories where id = $1 for key share
  on conflict (directory_id, target) do update set delivered_sequence = excluded.delivered_sequence
  where excluded.delivered_sequence > p.delivered_sequence`

const behind = `
  from directory_state s join directories d on d.id = s.directory_id
  left join delivery_positions p on p.directory_id = s.directory_id and p.target = $1
  where s.last_sequence > coalesce(p.delivered_sequence, 0) and d.deleted = 0 and d.deactivated = 0
    and ($1 <> 'endpoint' or d.endpoint_url is not null)`

const directoriesBehind = `
  select s.directory_id as id ${behind} and s.directory_id > $2 order by s.directory_id limit $3`

const countUndelivered = `
  select coalesce(sum(s.last_sequence - coalesce(p.delivered_sequence, 0)), 0)::int8 as n ${behind}`

/** What delivery reads and notes, on PostgreSQL. */
export function postgresEvents({ query }: Database, { rows, number }: Reader): EventStore {
  return {
    async eventsAfter(directoryId, sequence, limit) {
      const found = await rows({ text: eventsAfter, values: [directoryId, sequence, limit, maxEventBytes] })
      return found.map((row) => eventOf(row as unknown as EventRow))
    },
    deliveredSequence: (directoryId, target) => number({ text: position, values: [directoryId, target] }),
    async recordDelivered(directoryId, target, sequence) {
      await query({ text: advance, values: [directoryId, target, sequence] })
    },
    async directoriesBehind(target, after, limit) {
      const found = await rows({ text: directoriesBehind, values: [target, after, limit] })
      return found.map(({ id }) => String(id))
    },
    countUndelivered: (target) => number({ text: countUndelivered, values: [target] }),
  }
}
