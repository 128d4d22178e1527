import type { DatabaseSync } from 'node:sqlite'
import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import type { ProductFeedStore } from '../../delivery/feed/product-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { decodeEvent, maxEventBytes, storedEventColumns } from '../events.ts'
import type { IsEventAt } from '../feed.ts'
import type { Row } from '../row.ts'
import { integer, optionalText, text } from '../row.ts'
import { readBounded } from './bounded-rows.ts'
import { eventKeysAfter, rowKey, sequenceBits } from './row-key.ts'

export const isEventAt: IsEventAt = (sequence) => `e.row_key = (s.number << ${sequenceBits}) + ${sequence}`

/** The events of the feed on SQLite. */
export function sqliteFeed(
  db: DatabaseSync,
): Pick<FeedStore, 'feedEvents' | 'eventsBefore'> & Pick<ProductFeedStore, 'feedEventsOfRuns'> {
  const events = db.prepare(`
    select ${storedEventColumns} from events e
    where ${eventKeysAfter('e.row_key', '?2')} order by e.row_key limit ?3`)
  const between = db.prepare(`
    select ${storedEventColumns} from events e
    where e.row_key between ?1 and ?2 order by e.row_key limit ?3`)
  const state = db.prepare('select number, last_sequence from directory_state where directory_id = ?')
  const before = db.prepare(`
    select ${storedEventColumns} from events e
    where e.row_key > ?1 and e.row_key < ?2 order by e.row_key desc limit ?3`)
  const ofType = db.prepare(`
    select ${storedEventColumns} from events e indexed by events_by_type
    where e.event_type = ?4 and e.row_key > ?1 and e.row_key < ?2 order by e.row_key desc limit ?3`)

  return {
    async feedEvents(directoryId, after, limit, maxBytes) {
      // Unlike other reads, this one ends with the row that reaches the limit.
      return readBounded(events.iterate(directoryId, after, limit), maxBytes - 1, bytesOf).map(decodeEvent)
    },
    async feedEventsOfRuns(runs, limit, maxBytes) {
      const found: { run: number; event: StoredEvent }[] = []
      let bytes = 0
      for (const [run, { directoryId, firstSequence, lastSequence }] of runs.entries()) {
        if (found.length >= limit || bytes >= maxBytes) break
        const row = state.get(directoryId)
        if (row === undefined) continue
        const number = integer(row, 'number')
        const rows = between.iterate(rowKey(number, firstSequence), rowKey(number, lastSequence), limit - found.length)
        for (const one of readBounded(rows, maxBytes - bytes - 1, bytesOf)) {
          bytes += bytesOf(one)
          found.push({ run, event: decodeEvent(one) })
        }
      }
      return found
    },
    async eventsBefore(directoryId, sequence, limit, type) {
      const row = state.get(directoryId)
      if (row === undefined) return []
      const number = integer(row, 'number')
      // A large change has written events after the last one that it has not published.
      const end = Math.min(sequence, integer(row, 'last_sequence') + 1)
      const values = [rowKey(number, 0), rowKey(number, end), limit] as const
      const rows = type === undefined ? before.iterate(...values) : ofType.iterate(...values, type)
      return readBounded(rows, maxEventBytes, bytesOf).map(decodeEvent)
    },
  }
}

function bytesOf(row: Row): number {
  return text(row, 'data').length + (optionalText(row, 'changes')?.length ?? 0)
}
