import type { TracedEvent, TraceStore } from '../diagnostics/trace/trace-store.ts'
import { createEventQuery } from './event-accounts.ts'
import { eventSize, eventsWithin, publishedBefore } from './event-reads.ts'
import { decodeEvent, storedEventColumns } from './events.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/**
 * SQL for the id of the user or group that an event is about: its data begins with it. For the event of a membership it is
 * the user.
 */
export const resourceOfEvent = (event: string): string => `substr(${event}.data, 8, 36)`

/** Finds events by request and by resource. */
export function createTrace(database: SqlDatabase): Omit<TraceStore, 'directoryOfRun'> {
  const { query, dialect } = database
  const queryEvents = createEventQuery(database)
  const { indexedBy, joinOne } = dialect
  const state = joinOne('directory_state', 's', 's.directory_id = e.directory_id')
  const isPresent = 's.revision >= 0 and s.last_sequence >= e.sequence'
  // The requests of the operations of a bulk request begin with its own.
  const ofRequest = eventsWithin(
    dialect,
    `select ${eventSize}, e.request_id from events e ${indexedBy('events_by_request')} ${state}
      where (e.request_id, e.sequence) > ($1, $2) and e.request_id < $3 and ${isPresent}
      order by e.request_id, e.sequence limit $4`,
    'k.request_id, k.sequence',
    { columns: `e.directory_id, ${storedEventColumns}` },
  )
  // The expression keeps the planner of PostgreSQL from walking the primary key.
  const found = (index: string, condition: string) => `
    select * from (
      select ${eventSize} from events e ${indexedBy(index)}
      where ${condition} and e.directory_id = $1 and (e.sequence + 0) < ${publishedBefore('$3')}
      order by (e.sequence + 0) desc limit $4) e`
  const ofResource = eventsWithin(
    dialect,
    `${found('events_by_resource', `${resourceOfEvent('e')} = $2`)}
      union all ${found('events_by_group', 'e.group_id = $2')}
      order by sequence desc limit $4`,
    'k.sequence desc',
  )
  const directoryOf = `
    select e.directory_id from (
      select e.directory_id, e.sequence from events e ${indexedBy('events_by_resource')}
      where ${resourceOfEvent('e')} = $1 order by ${resourceOfEvent('e')}, (e.sequence + 0) limit 1
    ) e ${state} where ${isPresent}`

  return {
    async eventsOfRequest(requestId, after, limit) {
      const from = after.requestId < requestId ? [requestId, 0] : [after.requestId, after.sequence]
      const values = [...from, `${requestId}/`, limit]
      const of = (row: Row) => text(row, 'directory_id')
      return (await queryEvents({ text: ofRequest, values }, { of })).map(decodeTracedEvent)
    },
    async directoryOfResource(resourceId) {
      const [row] = await query({ text: directoryOf, values: [resourceId] })
      return row && text(row, 'directory_id')
    },
    async eventsOfResource(directoryId, resourceId, before, limit) {
      const values = [directoryId, resourceId, before, limit]
      return (await queryEvents({ text: ofResource, values }, directoryId)).map(decodeEvent)
    },
  }
}

/** Decodes a row of `directory_id` and `storedEventColumns`. */
function decodeTracedEvent(row: Row): TracedEvent {
  return { directoryId: text(row, 'directory_id'), event: decodeEvent(row) }
}
