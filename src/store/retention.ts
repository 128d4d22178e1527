import type { RemovableEvents, RetentionStore } from '../delivery/event-store.ts'
import { deliveryTargets } from '../delivery/event-store.ts'
import { removeOldRuns } from './feed-order.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'
import { sendableSequence } from './streams.ts'

/** The number of events that one step of the retention reads. */
const eventsPerStep = 300

/** About the maximum number of attempts to deliver events that a step removes. */
const attemptsPerStep = 1_000

/** The time until a directory with old events that must be kept is examined again. */
const keptMs = 24 * 3_600_000

/** The directories with old events. */
export function createPruneSearch({ query, dialect }: SqlDatabase): Pick<RetentionStore, 'directoriesToPrune'> {
  const due = `
    select directory_id, oldest_event_at from directory_state ${dialect.indexedBy('directory_state_oldest_event')}
    where oldest_event_at < $1 and (oldest_event_at, directory_id) > ($2, $3)
    order by oldest_event_at, directory_id limit $4`
  return {
    async directoriesToPrune(before, after, limit) {
      const values = [before, after?.oldestEventAt ?? -1, after?.id ?? '', limit]
      const found = await query({ text: due, values })
      return found.map((row) => ({ id: text(row, 'directory_id'), oldestEventAt: integer(row, 'oldest_event_at') }))
    },
  }
}

const stepEnd = (column: string) => `
    select e.${column} from events e where e.directory_id = d.id and e.sequence > $2
    order by e.sequence limit 1 offset ${eventsPerStep - 1}`

const facts = `
  select ${sendableSequence} as last_sequence, case when d.endpoint_url is null then 0 else 1 end as has_endpoint,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint')
      as endpoint_delivered,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event')
      as on_event_delivered,
    (select max(p.delivered_late_at) from delivery_streams p where p.directory_id = d.id) as delivered_late_at,
    (${stepEnd('sequence')}) as step_sequence, (${stepEnd('created_at')}) as step_created_at,
    (select a.last_sequence from delivery_attempts a where a.directory_id = d.id
      order by a.last_sequence limit 1 offset ${attemptsPerStep - 1}) as attempts_end
  from directories d join directory_state s on s.directory_id = d.id where d.id = $1`

/** The condition that a table has no row about the event, which is looked up for either target: PostgreSQL would join all of them. */
const isNotIn = (table: string) => `(
    select x.sequence from ${table} x
    where x.directory_id = $1 and x.target in (${deliveryTargets.map((target) => `'${target}'`)}) and x.sequence = events.sequence
    limit 1) is null`

const remove = `
  delete from events where directory_id = $1 and sequence > $2 and sequence <= $3 and created_at < $4
    and (sequence <= $5 or (created_at < $6 and sequence <= $7)) and ${isNotIn('dead_events')} and ${isNotIn('replays')}`

const removeAttempts = 'delete from delivery_attempts where directory_id = $1 and last_sequence <= $2 and at < $3'

/** Locks the directory before `settle`, which then sees all events that were committed. */
const lock = 'select directory_id from directory_state where directory_id = $1 for update'

const settle = `
  update directory_state set oldest_event_at = (
    select ${nextOldestEventAt('e.at', 'cast($2 as bigint)')} from (select (
      select created_at from events where directory_id = $1 order by sequence limit 1) as at) e)
  where directory_id = $1`

/** Removes old events. */
export function createRetention({ transaction }: SqlDatabase): Pick<RetentionStore, 'removeEvents'> {
  return {
    removeEvents(directoryId, which) {
      const { after, before, abandonedBefore } = which
      return transaction([{ text: facts, values: [directoryId, after] }], ([rows = []]) => {
        const [row] = rows
        if (row === undefined) return { statements: [], answer: undefined }
        const found = decodeRetentionFacts(row)
        const { through, throughAbandoned, next } = decideRemoval(found, which)
        const end = found.stepEnd?.sequence ?? found.lastSequence
        const removable = [after, end, before, through, abandonedBefore, throughAbandoned]
        const statements = [
          { text: remove, values: [directoryId, ...removable] },
          { text: removeOldRuns, values: [directoryId] },
          { text: removeAttempts, values: [directoryId, Math.min(through, end, found.attemptsEnd ?? end), before] },
        ]
        if (next !== undefined) return { statements, answer: next }
        const settling = { text: settle, values: [directoryId, before] }
        return { statements: [...statements, { text: lock, values: [directoryId] }, settling], answer: next }
      })
    },
  }
}

/**
 * The value of `oldest_event_at` in `directory_state` after a directory has been examined. A commit of events sets it to 0 if
 * it is null (`marksWork`), so that only directories with old events are found.
 *
 * @param oldest the time of the oldest event that is left, as SQL; null when there is none
 * @param before events from before this time are old, as SQL
 */
function nextOldestEventAt(oldest: string, before: string): string {
  return `case when ${oldest} < ${before} then ${before} + ${keptMs} else ${oldest} end`
}

/** The progress of a directory's targets, and the end of the next step. */
interface RetentionFacts {
  /** The last event that may be sent: held ones are kept. */
  readonly lastSequence: number
  readonly hasEndpoint: boolean
  /** The last delivered sequence number; undefined when the target has no stream yet. */
  readonly endpointDelivered: number | undefined
  readonly onEventDelivered: number | undefined
  /** The time of the last late delivery to any target. */
  readonly deliveredLateAt: number | undefined
  /** The last event of a full step; undefined when there are fewer than `eventsPerStep`. */
  readonly stepEnd: { readonly sequence: number; readonly createdAt: number } | undefined
  /** The last event of the oldest `attemptsPerStep` attempts; undefined when there are fewer. */
  readonly attemptsEnd: number | undefined
}

/** Decodes a row of the columns of `RetentionFacts`; one of a directory that does not exist has none. */
function decodeRetentionFacts(row: Row): RetentionFacts {
  const [sequence, createdAt] = [optionalInteger(row, 'step_sequence'), optionalInteger(row, 'step_created_at')]
  return {
    lastSequence: integer(row, 'last_sequence'),
    hasEndpoint: boolean(row, 'has_endpoint'),
    endpointDelivered: optionalInteger(row, 'endpoint_delivered'),
    onEventDelivered: optionalInteger(row, 'on_event_delivered'),
    deliveredLateAt: optionalInteger(row, 'delivered_late_at'),
    stepEnd: sequence === undefined || createdAt === undefined ? undefined : { sequence, createdAt },
    attemptsEnd: optionalInteger(row, 'attempts_end'),
  }
}

/** The events that a step removes: up to `through` and older than `before`, unless they are dead or to be replayed. */
interface Removal {
  readonly through: number
  /** The limit for events from before `abandonedBefore`. */
  readonly throughAbandoned: number
  /** The sequence number after which the next step begins; undefined when this one is the last. */
  readonly next: number | undefined
}

/**
 * Decides what a step removes: events that every target has received. Nothing for as long after a late delivery as events are
 * kept, because the events before it are as recent for their target.
 */
function decideRemoval(facts: RetentionFacts, which: RemovableEvents): Removal {
  const { before, hasOnEvent, abandonedBefore } = which
  const { lastSequence, hasEndpoint, endpointDelivered = 0, onEventDelivered, deliveredLateAt = 0, stepEnd } = facts
  if (deliveredLateAt >= before) return { through: 0, throughAbandoned: 0, next: undefined }
  const byEndpoint = hasEndpoint ? endpointDelivered : lastSequence
  const byCallback = onEventDelivered ?? (hasOnEvent ? 0 : lastSequence)
  const through = Math.min(byEndpoint, byCallback)
  const throughAbandoned = hasOnEvent ? through : byEndpoint
  const throughAt = (createdAt: number) => (createdAt < abandonedBefore ? throughAbandoned : through)
  const isMore = stepEnd !== undefined && stepEnd.createdAt < before && stepEnd.sequence < throughAt(stepEnd.createdAt)
  return { through, throughAbandoned, next: isMore ? stepEnd.sequence : undefined }
}
