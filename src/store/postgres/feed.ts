import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import { decodeEvent, maxEventBytes, storedEventColumns } from '../events.ts'
import type { IsEventAt } from '../feed.ts'
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
export function postgresFeed({ rows }: Reader): Pick<FeedStore, 'feedEvents' | 'eventsBefore'> {
  return {
    async feedEvents(directoryId, after, limit, maxBytes) {
      const found = await rows({ text: events, values: [directoryId, after, limit, maxBytes] })
      return found.map(decodeEvent)
    },
    async eventsBefore(directoryId, sequence, limit, type) {
      const values = [directoryId, sequence, limit]
      const statement =
        type === undefined ? { text: before, values } : { text: beforeOfType, values: [...values, type] }
      return (await rows(statement)).map(decodeEvent)
    },
  }
}
