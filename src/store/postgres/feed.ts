import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import type { ProductFeedStore } from '../../delivery/feed/product-store.ts'
import { decodeEvent, maxEventBytes, storedEventColumns } from '../events.ts'
import type { IsEventAt } from '../feed.ts'
import { integer } from '../row.ts'
import { lastSendable } from './events.ts'
import type { Reader } from './reader.ts'

export const isEventAt: IsEventAt = (sequence) => `e.directory_id = s.directory_id and e.sequence = ${sequence}`

const events = `
  select ${storedEventColumns} from (
    select e.*, sum(bytes) over (order by sequence) - bytes as bytes_before from (
      select *, octet_length(data) + coalesce(octet_length(changes), 0) as bytes
      from events where directory_id = $1 and sequence > $2 and sequence <= ${lastSendable} order by sequence limit $3
    ) e
  ) e
  where bytes_before < $4 order by sequence`

const ofRuns = `
  select ${storedEventColumns}, (e.n - 1)::int4 as run from (
    select e.*, sum(bytes) over (order by n, sequence) - bytes as bytes_before from (
      select e.*, r.n, octet_length(e.data) + coalesce(octet_length(e.changes), 0) as bytes
      from unnest((select $1::text[]), (select $2::int8[]), (select $3::int8[]))
        with ordinality as r (directory_id, first_sequence, last_sequence, n)
      cross join lateral (
        select * from events e
        where e.directory_id = r.directory_id and e.sequence between r.first_sequence and r.last_sequence
        order by e.sequence limit $4
      ) e
    ) e
  ) e
  where bytes_before < $5 order by n, sequence limit $4`

const newestFirst = (found: string) => `
  select ${storedEventColumns} from (
    select e.*, sum(bytes) over (order by sequence desc) - bytes as bytes_before from (
      select *, octet_length(data) + coalesce(octet_length(changes), 0) as bytes
      from events where directory_id = $1 and ${found} limit $3
    ) e
  ) e
  where bytes_before <= ${maxEventBytes} order by sequence desc`

const before = newestFirst('sequence < $2 order by sequence desc')
const beforeOfType = newestFirst("(event_type || '') = $4 and (sequence + 0) < $2 order by (sequence + 0) desc")

/** The events of the feed on PostgreSQL. */
export function postgresFeed({
  rows,
}: Reader): Pick<FeedStore, 'feedEvents' | 'eventsBefore'> & Pick<ProductFeedStore, 'feedEventsOfRuns'> {
  return {
    async feedEvents(directoryId, after, limit, maxBytes) {
      const found = await rows({ text: events, values: [directoryId, after, limit, maxBytes] })
      return found.map(decodeEvent)
    },
    async feedEventsOfRuns(runs, limit, maxBytes) {
      const columns = [
        runs.map(({ directoryId }) => directoryId),
        runs.map(({ firstSequence }) => firstSequence),
        runs.map(({ lastSequence }) => lastSequence),
      ]
      const found = await rows({ text: ofRuns, values: [...columns, limit, maxBytes] })
      return found.map((row) => ({ run: integer(row, 'run'), event: decodeEvent(row) }))
    },
    async eventsBefore(directoryId, sequence, limit, type) {
      const values = [directoryId, sequence, limit]
      const statement =
        type === undefined ? { text: before, values } : { text: beforeOfType, values: [...values, type] }
      return (await rows(statement)).map(decodeEvent)
    },
  }
}
