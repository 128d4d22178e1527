import type { DatabaseSync } from 'node:sqlite'
import type { TraceStore } from '../../diagnostics/trace/trace-store.ts'
import { decodeEvent, maxEventBytes, storedEventColumns } from '../events.ts'
import type { Row } from '../row.ts'
import { text } from '../row.ts'
import { decodeTracedEvent, requestIdRange, resourceOfEvent } from '../trace.ts'
import { readBounded } from './bounded-rows.ts'
import { rowKey } from './row-key.ts'

/** The condition that leaves out events that a large change has written and not published. */
const isPublished = 's.last_sequence >= e.sequence'

/** Finds events by request and by resource on SQLite. */
export function sqliteTrace(db: DatabaseSync): Omit<TraceStore, 'directoryOfRun'> {
  const from =
    'from events e indexed by events_by_request cross join directory_state s on s.directory_id = e.directory_id'
  const rest = db.prepare(`
    select e.directory_id, ${storedEventColumns} ${from}
    where e.request_id = ?1 and e.row_key > ?2 and s.revision >= 0 and ${isPublished} order by e.row_key limit ?3`)
  const following = db.prepare(`
    select e.directory_id, ${storedEventColumns} ${from}
    where e.request_id > ?1 and e.request_id < ?2 and s.revision >= 0 and ${isPublished}
    order by e.request_id, e.row_key limit ?3`)
  const numberOfRequest = db.prepare(`
    select s.number ${from} where e.request_id = ? limit 1`)
  const ofResource = db.prepare(`
    select * from (
      select ${storedEventColumns}, e.row_key from events e indexed by events_by_resource
      where ${resourceOfEvent('e')} = ?1 and e.row_key > ?2 and e.row_key < ?3 order by e.row_key desc limit ?4)
    union all
    select * from (
      select ${storedEventColumns}, e.row_key from events e indexed by events_by_group
      where e.group_id = ?1 and e.row_key > ?2 and e.row_key < ?3 order by e.row_key desc limit ?4)
    order by row_key desc limit ?4`)
  const directoryOf = db.prepare(`
    select e.directory_id from events e indexed by events_by_resource
    cross join directory_state s on s.directory_id = e.directory_id
    where ${resourceOfEvent('e')} = ? and s.revision >= 0 and ${isPublished} limit 1`)
  const state = db.prepare('select number, last_sequence from directory_state where directory_id = ? and revision >= 0')
  const sizeOf = (row: Row) => text(row, 'data').length

  return {
    async eventsOfRequest(requestId, after, limit) {
      const current = after.requestId === '' ? requestId : after.requestId
      const number = numberOfRequest.get(current)?.['number']
      const key = typeof number === 'number' ? rowKey(number, after.sequence) : 0
      const rows = chained(rest.iterate(current, key, limit), () =>
        following.iterate(current, requestIdRange(requestId).end, limit),
      )
      return readBounded(rows, maxEventBytes, sizeOf).slice(0, limit).map(decodeTracedEvent)
    },
    async directoryOfResource(resourceId) {
      const row = directoryOf.get(resourceId)
      return row && text(row, 'directory_id')
    },
    async eventsOfResource(directoryId, resourceId, before, limit) {
      const row = state.get(directoryId)
      if (row === undefined) return []
      const [number, last] = [Number(row['number']), Number(row['last_sequence'])]
      const rows = ofResource.iterate(
        ...[resourceId, rowKey(number, 0), rowKey(number, Math.min(before, last + 1)), limit],
      )
      return readBounded(rows, maxEventBytes, sizeOf).map(decodeEvent)
    },
  }
}

/** The rows of two statements; the second one runs when the first has no more. */
function* chained(first: Iterable<Row>, second: () => Iterable<Row>): Generator<Row, void, undefined> {
  yield* first
  yield* second()
}
