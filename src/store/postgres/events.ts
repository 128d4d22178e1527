import type { EventStore } from '../../delivery/event-store.ts'
import { behaviorsIn, isChange } from '../../directory/behaviors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import { decodeEvent, decodeEventTime, firstSequenceAt, maxEventBytes, storedEventColumns } from '../events.ts'
import { marksWork, sendableSequence } from '../streams.ts'
import type { Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf } from './sql.ts'

/** The names that statements give to the columns of `eventValues`. */
export const eventColumns = 'event_id, event_type, event_at, request_id, trace_context, data, changes'

/** The types of the columns of `eventValues`. */
export const eventTypes = [
  'text',
  'text',
  'int8',
  'text',
  'text',
  'text',
  'text',
] as const satisfies readonly ColumnType[]

/** The values of an event in a statement that numbers it. */
export function eventValues(event: UnnumberedEvent): unknown[] {
  const { id, eventType, createdAt, requestId, traceContext, data, changes } = event
  return [id, eventType, createdAt, requestId, traceContext ?? null, data, changes ?? null]
}

/** With the group of a membership. */
const groupEventTypes = [...eventTypes, 'text'] as const

/** The behaviors that changes of groups and members show. */
const groupBehaviors = ['group_pushed', 'member_added', 'member_removed'] as const

/** `$12`: the time of the last change; then those of the behaviors. All are null for the events of a resync. */
const insertEvents = `
  with advanced as (
    update directory_state set last_sequence = last_sequence + $11, ${marksWork},
      last_change_at = coalesce($12::int8, last_change_at)${observes(
        groupBehaviors,
        (behavior) => `$${13 + groupBehaviors.indexOf(behavior)}::int8`,
      )}, memberships = memberships + $${13 + groupBehaviors.length}::int8
    where directory_id = $1
  )
  insert into events (directory_id, sequence, id, event_type, created_at, request_id, trace_context, data, changes, group_id)
  select $1, $2::int8 + e.n, e.id, e.event_type, e.created_at, e.request_id, e.trace_context, e.data, e.changes, e.group_id
  from unnest(${arrayParameters(3, groupEventTypes)}) with ordinality
    as e (id, event_type, created_at, request_id, trace_context, data, changes, group_id, n)`

/**
 * The statements that store numbered events of groups and members, or of a resync, after the last one of their directory,
 * which must be locked.
 *
 * @param memberships how many the directory gains; negative when it loses some
 */
export function recordEvents(
  directoryId: string,
  events: readonly StoredEvent[],
  lastSequence: number,
  memberships = 0,
): Statement[] {
  if (events.length === 0) return []
  const rows = events.map((event) => [...eventValues(event), event.groupId ?? null])
  const columns = columnsOf(groupEventTypes, rows)
  const values = [directoryId, lastSequence, ...columns, events.length, ...shownTimes(events), memberships]
  return [{ text: insertEvents, values }]
}

/** Counts the memberships that a directory gains; a negative number when it loses some. */
export function countMemberships(directoryId: string, by: number): Statement {
  return {
    text: 'update directory_state set memberships = memberships + $2 where directory_id = $1',
    values: [directoryId, by],
  }
}

/** When the last change was made, and when each of `groupBehaviors` was shown; null: not by these events. */
function shownTimes(events: readonly StoredEvent[]): (number | null)[] {
  const lastOfType = [...new Map(events.map((event) => [event.eventType, event])).values()]
  const lastAt = (isShown: (event: StoredEvent) => boolean) => lastOfType.findLast(isShown)?.createdAt ?? null
  return [
    lastAt(isChange),
    ...groupBehaviors.map((behavior) => lastAt((event) => behaviorsIn([event]).includes(behavior))),
  ]
}

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
