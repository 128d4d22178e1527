import type { FeedDirectory } from '../delivery/feed/feed-store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import { sendableSequence } from './streams.ts'

/** The columns of a directory of the feed: `d` the directory, `s` its state, `h` its hold. */
export const feedDirectoryColumns = `d.id, d.tenant, d.product, ${sendableSequence} as last_sequence, h.since as held_since,
  case when d.endpoint_url is null then 1 else 0 end as is_read,
  case when d.endpoint_url is null then (
    select a.feed_read_at from directory_activity a where a.directory_id = d.id) end as feed_read_at,
  case when d.endpoint_url is null then (
    select x.sequence from deprovisionings x where x.directory_id = d.id order by x.sequence limit 1)
    end as first_deprovisioning`

/** Decodes a row of `feedDirectoryColumns`. */
export function decodeFeedDirectory(row: Row): FeedDirectory {
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
