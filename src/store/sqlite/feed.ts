import type { DatabaseSync } from 'node:sqlite'
import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import type { IsEventAt } from '../feed.ts'
import type { Row } from '../row.ts'
import { optionalText, text } from '../row.ts'
import { readBounded } from './bounded-rows.ts'
import { eventKeysAfter, sequenceBits } from './row-key.ts'

export const isEventAt: IsEventAt = (sequence) => `e.row_key = (s.number << ${sequenceBits}) + ${sequence}`

/** The events of the feed on SQLite. */
export function sqliteFeed(db: DatabaseSync): Pick<FeedStore, 'feedEvents'> {
  const events = db.prepare(`
    select ${storedEventColumns} from events e
    where ${eventKeysAfter('e.row_key', '?2')} order by e.row_key limit ?3`)

  return {
    async feedEvents(directoryId, after, limit, maxBytes) {
      // Unlike other reads, this one ends with the row that reaches the limit.
      return readBounded(events.iterate(directoryId, after, limit), maxBytes - 1, bytesOf).map(decodeEvent)
    },
  }
}

function bytesOf(row: Row): number {
  return text(row, 'data').length + (optionalText(row, 'changes')?.length ?? 0)
}
