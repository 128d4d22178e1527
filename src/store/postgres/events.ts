import type { EventStore } from '../../delivery/store.ts'
import type { EventRow, UnnumberedEvent } from '../events.ts'
import { eventOf, firstSequenceAt, maxEventBytes } from '../events.ts'
import type { Reader } from './reader.ts'
import type { ColumnType } from './sql.ts'

const eventsAfter = `
  select sequence, id, event_type, created_at, request_id, data, changes from (
    select *, sum(octet_length(data)) over (order by sequence) - octet_length(data) as bytes_before
    from (select * from events where directory_id = $1 and sequence > $2 order by sequence limit $3) e
  ) e
  where bytes_before <= $4 order by sequence`

const next = `
  select sequence, created_at from events where directory_id = $1 and sequence > $2 order by sequence limit 1`

const last = 'select last_sequence as n from directory_state where directory_id = $1'

/** The events themselves, on PostgreSQL. */
export function postgresEvents({ rows, row, number }: Reader): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  return {
    async eventsAfter(directoryId, sequence, limit) {
      const found = await rows({ text: eventsAfter, values: [directoryId, sequence, limit, maxEventBytes] })
      return found.map((one) => eventOf(one as unknown as EventRow))
    },
    async sequenceAt(directoryId, time) {
      return firstSequenceAt(await number({ text: last, values: [directoryId] }), time, async (sequence) => {
        const found = await row({ text: next, values: [directoryId, sequence] })
        return found && { sequence: Number(found['sequence']), at: Number(found['created_at']) }
      })
    },
  }
}

/** The columns of `eventValues` as statements name them. */
export const eventColumns = 'event_id, event_type, event_at, request_id, data, changes'

/** Their types. */
export const eventTypes = ['text', 'text', 'int8', 'text', 'text', 'text'] as const satisfies readonly ColumnType[]

/** An event as its row has it. */
export function eventValues({ id, eventType, createdAt, requestId, data, changes }: UnnumberedEvent): unknown[] {
  return [id, eventType, createdAt, requestId, data, changes ?? null]
}
