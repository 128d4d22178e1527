import type { EventStore } from '../delivery/event-store.ts'
import type { FeedStore } from '../delivery/feed/feed-store.ts'
import type { ProductFeedStore } from '../delivery/feed/product-store.ts'
import type { HoldStore } from '../delivery/hold/hold-store.ts'
import { createEventQuery } from './event-accounts.ts'
import { decodeEvent, decodeEventTime, firstSequenceAt, maxEventBytes, storedEventColumns } from './events.ts'
import { integer, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { within } from './sql-database.ts'
import { lastDue, lastSendable } from './streams.ts'

type Reads = Pick<SqlDatabase, 'query' | 'queryAll' | 'readEach' | 'dialect'>

/** The directory, sequence and size of an event `e`. */
export const eventSize =
  'e.directory_id, e.sequence, octet_length(e.data) + coalesce(octet_length(e.changes), 0) as bytes'

/** Selects the events whose sizes, as `eventSize`, are within a size. */
export function eventsWithin(
  { joinOne }: Dialect,
  sizes: string,
  order: string,
  { columns = storedEventColumns, maxBytes = String(maxEventBytes) } = {},
): string {
  return `
    select ${columns} from ${within(sizes, order, maxBytes)}
    ${joinOne('events', 'e', 'e.directory_id = k.directory_id and e.sequence = k.sequence')} order by ${order}`
}

/**
 * The sequence before which the events of the directory `$1` are read: those after its last one are not published yet. It is one
 * expression, because SQLite uses only one of two bounds to find rows.
 */
export function publishedBefore(sequence: string): string {
  return `(
    select case when s.last_sequence < ${sequence} then s.last_sequence + 1 else cast(${sequence} as bigint) end
    from directory_state s where s.directory_id = $1 and s.revision >= 0)`
}

const next = `
  select sequence, created_at from events where directory_id = $1 and sequence > $2 and sequence <= $3
  order by sequence limit 1`
const last = 'select last_sequence from directory_state where directory_id = $1'

/** The events of the directory `$1` after a sequence `$2`, up to the last one of a kind. */
function eventsUpTo(dialect: Dialect, last: string): string {
  const sizes = `
    select ${eventSize} from events e
    where e.directory_id = $1 and e.sequence > $2 and e.sequence <= ${last} order by e.sequence limit $3`
  return eventsWithin(dialect, sizes, 'k.sequence', { maxBytes: '$4' })
}

/** Reads of the events to deliver. */
export function createEventReads(database: Reads): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  const { query, dialect } = database
  const queryEvents = createEventQuery(database)
  const after = eventsUpTo(dialect, lastDue)
  return {
    async eventsAfter(directoryId, sequence, limit) {
      const values = [directoryId, sequence, limit, maxEventBytes]
      return (await queryEvents({ text: after, values }, directoryId)).map(decodeEvent)
    },
    async sequenceAt(directoryId, time) {
      const [row] = await query({ text: last, values: [directoryId] })
      if (row === undefined) return undefined
      const lastSequence = integer(row, 'last_sequence')
      return firstSequenceAt(lastSequence, time, async (sequence) => {
        const [found] = await query({ text: next, values: [directoryId, sequence, lastSequence] })
        return found && decodeEventTime(found)
      })
    },
  }
}

const sendable = `
  select id from events where directory_id = $1 and sequence >= $2 and sequence <= ${lastSendable} order by sequence limit $3`

/**
 * The runs of `$1`, of which `$2` events are wanted. Only the last one can have more events: its end is moved to the last one of
 * these.
 */
const runs = ({ elementsOf }: Dialect) => `
  select r.run, r.directory_id, r.first_sequence, case when r.last_sequence - r.first_sequence < $2 then r.last_sequence
    else coalesce((
      select x.sequence from events x
      where x.directory_id = r.directory_id and x.sequence >= r.first_sequence and x.sequence <= r.last_sequence
      order by x.sequence limit 1 offset $2), r.last_sequence) end as last_sequence
  from (
    select cast(j.value ->> 0 as integer) as run, j.value ->> 1 as directory_id,
      cast(j.value ->> 2 as bigint) as first_sequence, cast(j.value ->> 3 as bigint) as last_sequence
    from ${elementsOf('$1', 'j')}) r`

/** Reads of the events of the feed. */
export function createFeedReads(
  database: Reads,
): Pick<FeedStore, 'feedEvents' | 'eventsBefore'> &
  Pick<ProductFeedStore, 'feedEventsOfRuns'> &
  Pick<HoldStore, 'sendableIds'> {
  const { query, dialect } = database
  const queryEvents = createEventQuery(database)
  const after = eventsUpTo(dialect, lastSendable)
  const before = eventsWithin(
    dialect,
    `select ${eventSize} from events e
      where e.directory_id = $1 and e.sequence < ${publishedBefore('$2')} order by e.sequence desc limit $3`,
    'k.sequence desc',
  )
  const ofType = eventsWithin(
    dialect,
    `select ${eventSize} from events e ${dialect.indexedBy('events_by_type')}
      where ${dialect.apart('e.event_type')} = $4 and e.directory_id = $1 and (e.sequence + 0) < ${publishedBefore('$2')}
      order by (e.sequence + 0) desc limit $3`,
    'k.sequence desc',
  )
  const ofRuns = eventsWithin(
    dialect,
    `select ${eventSize}, r.run from (${runs(dialect)}) r
      ${dialect.joinOne(
        'events',
        'e',
        'e.directory_id = r.directory_id and e.sequence >= r.first_sequence and e.sequence <= r.last_sequence',
      )}
      order by r.run, e.sequence limit $2`,
    'k.run, k.sequence',
    { maxBytes: '$3', columns: `${storedEventColumns}, k.run` },
  )
  return {
    async feedEvents(directoryId, sequence, limit, maxBytes) {
      const values = [directoryId, sequence, limit, maxBytes]
      return (await queryEvents({ text: after, values }, directoryId)).map(decodeEvent)
    },
    async feedEventsOfRuns(runs, limit, maxBytes) {
      const wanted = runs.map((run, index) => [index, run.directoryId, run.firstSequence, run.lastSequence])
      const directories = runs.map(({ directoryId }) => directoryId)
      const found = await queryEvents(
        { text: ofRuns, values: [JSON.stringify(wanted), limit, maxBytes] },
        { known: directories, of: (row) => directories[integer(row, 'run')] },
      )
      return found.map((row) => ({ run: integer(row, 'run'), event: decodeEvent(row) }))
    },
    async eventsBefore(directoryId, sequence, limit, type) {
      const values = [directoryId, sequence, limit]
      const statement = type === undefined ? { text: before, values } : { text: ofType, values: [...values, type] }
      return (await queryEvents(statement, directoryId)).map(decodeEvent)
    },
    async sendableIds(directoryId, first, last) {
      const found = await query({ text: sendable, values: [directoryId, first, last - first + 1] })
      return new Set(found.map((row) => text(row, 'id')))
    },
  }
}
