import type { TraceStore } from '../../diagnostics/trace/trace-store.ts'
import { decodeEvent, maxEventBytes, storedEventColumns } from '../events.ts'
import { text } from '../row.ts'
import { decodeTracedEvent, requestIdRange, resourceOfEvent } from '../trace.ts'
import type { Reader } from './reader.ts'
import { joinOne } from './sql.ts'

/** Reads rows until their data exceeds about 1 MB; the first in any case. */
const bounded = (rows: string, order: string) => `
  select * from (
    select *, sum(octet_length(data)) over (order by ${order}) - octet_length(data) as bytes_before from (${rows}) e
  ) e where bytes_before <= ${maxEventBytes} order by ${order}`

const ofRequest = bounded(
  `select e.directory_id, ${storedEventColumns}
   from events e ${joinOne('directory_state', 's', 's.directory_id = e.directory_id')}
   where e.request_id >= $1 and e.request_id >= '' and e.request_id < $2 and (e.request_id, e.sequence) > ($3, $4::int8) and s.revision >= 0
   order by e.request_id, e.sequence limit $5`,
  'request_id, sequence',
)

/** The expression keeps the planner from walking the primary key. */
const found = (condition: string) => `
  select ${storedEventColumns} from events e
  where ${condition} and e.directory_id = $1 and (e.sequence + 0) < $3 order by (e.sequence + 0) desc limit $4`

const ofResource = bounded(
  `select * from (
     (${found(`${resourceOfEvent('e')} = $2`)}) union all (${found('e.group_id = $2')})
   ) e where exists (select from directory_state s where s.directory_id = $1 and s.revision >= 0)
   order by sequence desc limit $4`,
  'sequence desc',
)

const directoryOf = `
  select e.directory_id from (
    select e.directory_id from events e where ${resourceOfEvent('e')} = $1
    order by ${resourceOfEvent('e')}, (e.sequence + 0) limit 1
  ) e ${joinOne('directory_state', 's', 's.directory_id = e.directory_id')} where s.revision >= 0`

/** Finds events by request and by resource on PostgreSQL. */
export function postgresTrace({ rows, row }: Reader): Omit<TraceStore, 'directoryOfRun'> {
  return {
    async eventsOfRequest(requestId, after, limit) {
      const { first, end } = requestIdRange(requestId)
      const start = after.requestId < first ? first : after.requestId
      const values = [start, end, after.requestId, after.sequence, limit]
      return (await rows({ text: ofRequest, values })).map(decodeTracedEvent)
    },
    async directoryOfResource(resourceId) {
      const found = await row({ text: directoryOf, values: [resourceId] })
      return found && text(found, 'directory_id')
    },
    async eventsOfResource(directoryId, resourceId, before, limit) {
      return (await rows({ text: ofResource, values: [directoryId, resourceId, before, limit] })).map(decodeEvent)
    },
  }
}
