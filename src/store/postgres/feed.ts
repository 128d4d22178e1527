import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import { decodeFeedDirectory, feedDirectoryColumns } from '../feed.ts'
import { lastSendable } from './events.ts'
import type { Reader } from './reader.ts'

const directories = `
  select ${feedDirectoryColumns} from directories d join directory_state s on s.directory_id = d.id
  left join holds h on h.directory_id = d.id where d.deleted = 0`

const byId = `
  ${directories} and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`

const ofTenant = `
  ${directories} and d.tenant = $1 and d.product = $2 order by d.created_at, d.id limit $3`

const events = `
  select ${storedEventColumns} from (
    select e.*, sum(bytes) over (order by sequence) - bytes as bytes_before from (
      select *, octet_length(data) + coalesce(octet_length(changes), 0) as bytes
      from events where directory_id = $1 and sequence > $2 and sequence <= ${lastSendable} order by sequence limit $3
    ) e
  ) e
  where bytes_before < $4 order by sequence`

/** The reads of the feed on PostgreSQL. */
export function postgresFeed({ rows }: Reader): Omit<FeedStore, 'endDeprovisionings'> {
  return {
    async feedDirectories({ directoryId, tenant = null, product = null }, limit) {
      const found = await rows(
        directoryId === undefined
          ? { text: ofTenant, values: [tenant, product, limit] }
          : { text: byId, values: [directoryId, tenant, product] },
      )
      return found.map(decodeFeedDirectory)
    },
    async feedEvents(directoryId, after, limit, maxBytes) {
      const found = await rows({ text: events, values: [directoryId, after, limit, maxBytes] })
      return found.map(decodeEvent)
    },
  }
}
