import type { EventStore } from '../../delivery/event-store.ts'
import { decodeEvent, decodeEventTime, firstSequenceAt, maxEventBytes, storedEventColumns } from '../events.ts'
import { sendableSequence } from '../streams.ts'
import type { Reader } from './reader.ts'

/** The last event of the directory `$1` that may be sent. */
export const lastSendable = `(select ${sendableSequence} from directory_state s where s.directory_id = $1)`

/** Returns rows until their data exceeds `$4` bytes; the first in any case, and the one that exceeds it, too. */
const eventsAfter = `
  select ${storedEventColumns} from (
    select *, sum(octet_length(data)) over (order by sequence) - octet_length(data) as bytes_before
    from (
      select * from events where directory_id = $1 and sequence > $2 and sequence <= ${lastSendable}
      order by sequence limit $3) e
  ) e
  where bytes_before <= $4 order by sequence`

const next = `
  select sequence, created_at from events where directory_id = $1 and sequence > $2 order by sequence limit 1`

const last = 'select last_sequence as n from directory_state where directory_id = $1'

/** Events on PostgreSQL. */
export function postgresEvents({ rows, row, number }: Reader): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  return {
    async eventsAfter(directoryId, sequence, limit) {
      const found = await rows({ text: eventsAfter, values: [directoryId, sequence, limit, maxEventBytes] })
      return found.map(decodeEvent)
    },
    async sequenceAt(directoryId, time) {
      const lastSequence = await number({ text: last, values: [directoryId] })
      return firstSequenceAt(lastSequence, time, async (sequence) => {
        const found = await row({ text: next, values: [directoryId, sequence] })
        return found && decodeEventTime(found)
      })
    },
  }
}
