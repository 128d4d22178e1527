import type { DatabaseSync } from 'node:sqlite'
import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import { decodeFeedDirectory, feedDirectoryColumns } from '../feed.ts'
import type { Row } from '../row.ts'
import { optionalText, text } from '../row.ts'
import { readBounded } from './bounded-rows.ts'
import { eventKeysAfter } from './row-key.ts'

const directories = `
  select ${feedDirectoryColumns} from directories d join directory_state s on s.directory_id = d.id
  left join holds h on h.directory_id = d.id where d.deleted = 0`

/** The reads of the feed on SQLite. */
export function sqliteFeed(db: DatabaseSync): Omit<FeedStore, 'endDeprovisionings'> {
  const byId = db.prepare(`${directories} and d.id = :directoryId
    and d.tenant = ifnull(:tenant, d.tenant) and d.product = ifnull(:product, d.product)`)
  const ofTenant = db.prepare(`${directories} and d.tenant = :tenant and d.product = :product
    order by d.created_at, d.id limit :limit`)
  const events = db.prepare(`
    select ${storedEventColumns} from events e
    where ${eventKeysAfter('e.row_key', '?2')} order by e.row_key limit ?3`)

  return {
    async feedDirectories({ directoryId, tenant = null, product = null }, limit) {
      const rows =
        directoryId === undefined
          ? ofTenant.all({ tenant, product, limit })
          : byId.all({ directoryId, tenant, product })
      return rows.map(decodeFeedDirectory)
    },
    async feedEvents(directoryId, after, limit, maxBytes) {
      // Unlike other reads, this one ends with the row that reaches the limit.
      return readBounded(events.iterate(directoryId, after, limit), maxBytes - 1, bytesOf).map(decodeEvent)
    },
  }
}

function bytesOf(row: Row): number {
  return text(row, 'data').length + (optionalText(row, 'changes')?.length ?? 0)
}
