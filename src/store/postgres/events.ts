import type { EventStore } from '../../delivery/event-store.ts'
import type { ChangeBehavior } from '../../directory/behaviors.ts'
import { behaviorsIn, isChange } from '../../directory/behaviors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { observes } from '../behaviors.ts'
import type { UnnumberedEvent } from '../events.ts'
import { decodeEvent, decodeEventTime, firstSequenceAt, maxEventBytes, storedEventColumns } from '../events.ts'
import { marksWork, sendableSequence } from '../streams.ts'
import { addVolumeFrom } from '../volumes.ts'
import type { Statement } from './database.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement, rowOf } from './named-statement.ts'
import type { Reader } from './reader.ts'

/** The columns of an event that is written. */
const eventRowColumns = {
  event_id: 'text',
  event_type: 'text',
  event_at: 'int8',
  request_id: 'text',
  trace_context: 'text',
  data: 'text',
  changes: 'text',
  group_id: 'text',
} as const satisfies Columns

/** The row of an event that is written. */
function eventRow(event: UnnumberedEvent): RowOf<typeof eventRowColumns> {
  return {
    event_id: event.id,
    event_type: event.eventType,
    event_at: event.createdAt,
    request_id: event.requestId,
    trace_context: event.traceContext ?? null,
    data: event.data,
    changes: event.changes ?? null,
    group_id: event.groupId ?? null,
  }
}

/** The columns of the table of events that follow the directory and the sequence number, in the order of `eventRowColumns`. */
const eventColumns = 'id, event_type, created_at, request_id, trace_context, data, changes, group_id'

/** The behaviors that changes of groups and members show. */
const groupBehaviors = ['group_pushed', 'member_added', 'member_removed'] as const

/** The times are null for the events of a resync. */
const recordStatement = namedStatement(
  {
    directoryId: 'text',
    lastSequence: 'int8',
    added: 'int8',
    at: 'int8',
    change_at: 'int8',
    group_pushed_at: 'int8',
    member_added_at: 'int8',
    member_removed_at: 'int8',
    events: eventRowColumns,
  },
  `
  with advanced as (
    update directory_state set last_sequence = last_sequence + :added, ${marksWork},
      last_change_at = coalesce(:change_at, last_change_at)${observes(groupBehaviors, (behavior) => `:${behavior}_at`)}
    where directory_id = :directoryId
  ),
  counted as (${addVolumeFrom('(select 1) one', ':added', ':at')}
  )
  insert into events (directory_id, sequence, ${eventColumns})
  select :directoryId, :lastSequence + n, ${rowOf(eventRowColumns, ':events[n]')}
  from generate_series(1, :added) as n`,
)

/**
 * The statements that store numbered events of groups and members, or of a resync, after the last one of their directory,
 * which must be locked.
 */
export function recordEvents(directoryId: string, events: readonly StoredEvent[], lastSequence: number): Statement[] {
  if (events.length === 0) return []
  const added = events.length
  const at = events.at(-1)?.createdAt ?? 0
  return [
    recordStatement({ directoryId, lastSequence, added, at, ...shownTimes(events), events: events.map(eventRow) }),
  ]
}

/** The times of the last change, and of each of `groupBehaviors`; null if these events do not show it. */
function shownTimes(events: readonly StoredEvent[]) {
  const lastOfType = [...new Map(events.map((event) => [event.eventType, event])).values()]
  const lastAt = (isShown: (event: StoredEvent) => boolean) => lastOfType.findLast(isShown)?.createdAt ?? null
  const shownAt = (behavior: ChangeBehavior) => lastAt((event) => behaviorsIn([event]).includes(behavior))
  return {
    change_at: lastAt(isChange),
    group_pushed_at: shownAt('group_pushed'),
    member_added_at: shownAt('member_added'),
    member_removed_at: shownAt('member_removed'),
  }
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
