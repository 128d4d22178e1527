import type { DatabaseSync } from 'node:sqlite'
import type { FeedDirectory, FeedStore } from '../../delivery/feed/store.ts'
import type { EventRow } from '../events.ts'
import { eventOf } from '../events.ts'
import { rowKeysAfter } from './row-key.ts'

/** What the feed reads, on SQLite. */
export function sqliteFeed(db: DatabaseSync): FeedStore {
  const directories = `
    select d.id, d.tenant, d.product, s.last_sequence as lastSequence
    from directories d join directory_state s on s.directory_id = d.id where d.deleted = 0`
  const one = db.prepare(`${directories} and d.id = :directoryId
    and d.tenant = ifnull(:tenant, d.tenant) and d.product = ifnull(:product, d.product)`)
  const ofTenant = db.prepare(`${directories} and d.tenant = :tenant and d.product = :product
    order by d.created_at, d.id limit :limit`)
  const events = db.prepare(`
    select sequence, id, event_type, created_at, request_id, data, changes from events
    where ${rowKeysAfter('row_key', '?2')} order by row_key limit ?3`)

  return {
    async feedDirectories({ directoryId, tenant = null, product = null }, limit) {
      const found =
        directoryId === undefined ? ofTenant.all({ tenant, product, limit }) : one.all({ directoryId, tenant, product })
      return found as unknown as FeedDirectory[]
    },
    async feedEvents(directoryId, after, limit, maxBytes) {
      const found = []
      let bytes = 0
      for (const row of events.iterate(directoryId, after, limit)) {
        const event = eventOf(row as unknown as EventRow)
        found.push(event)
        bytes += event.data.length + (event.changes?.length ?? 0)
        if (bytes >= maxBytes) break
      }
      return found
    },
  }
}
