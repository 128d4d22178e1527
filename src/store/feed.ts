import type { FeedDirectory, FeedStore } from '../delivery/feed/feed-store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'
import { sendableSequence } from './streams.ts'

const columns = `d.id, d.tenant, d.product, ${sendableSequence} as last_sequence, h.since as held_since,
  case when d.endpoint_url is null then 1 else 0 end as is_read,
  case when d.endpoint_url is null then (
    select a.feed_read_at from directory_activity a where a.directory_id = d.id) end as feed_read_at,
  case when d.endpoint_url is null then (
    select x.sequence from deprovisionings x where x.directory_id = d.id order by x.sequence limit 1)
    end as first_deprovisioning`

const directories = `
  select ${columns} from directories d join directory_state s on s.directory_id = d.id
  left join holds h on h.directory_id = d.id where d.deleted = 0`
const byId = `
  ${directories} and d.id = $1 and d.tenant = coalesce($2, d.tenant) and d.product = coalesce($3, d.product)`
const ofTenant = `
  ${directories} and d.tenant = $1 and d.product = $2 order by d.created_at, d.id limit $3`

/** The directories of the feed. */
export function createFeedDirectories({ query }: SqlDatabase): Pick<FeedStore, 'feedDirectories'> {
  return {
    async feedDirectories({ directoryId, tenant = null, product = null }, limit) {
      const found = await query(
        directoryId === undefined
          ? { text: ofTenant, values: [tenant, product, limit] }
          : { text: byId, values: [directoryId, tenant, product] },
      )
      return found.map(decodeFeedDirectory)
    },
  }
}

function decodeFeedDirectory(row: Row): FeedDirectory {
  const heldSince = optionalInteger(row, 'held_since')
  return {
    id: text(row, 'id'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    lastSequence: integer(row, 'last_sequence'),
    ...(heldSince === undefined ? {} : { heldSince }),
    reader: boolean(row, 'is_read')
      ? {
          readAt: optionalInteger(row, 'feed_read_at'),
          firstDeprovisioning: optionalInteger(row, 'first_deprovisioning'),
        }
      : undefined,
  }
}
