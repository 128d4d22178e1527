import type { RemovableEvents, RetentionStore } from '../delivery/event-store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The number of events that one step of the retention reads. */
export const eventsPerStep = 300

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

/**
 * The value of `oldest_event_at` in `directory_state` after a directory has been examined. A commit of events sets it to 0 if
 * it is null (`marksWork`), so that only directories with old events are found.
 *
 * @param oldest the time of the oldest event that is left, as SQL; null when there is none
 * @param before events from before this time are old, as SQL
 */
export function nextOldestEventAt(oldest: string, before: string): string {
  return `case when ${oldest} < ${before} then ${before} + ${keptMs} else ${oldest} end`
}

/** The progress of a directory's targets, and the end of the next step. */
export interface RetentionFacts {
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
}

/** Decodes a row of the columns of `RetentionFacts`; one of a directory that does not exist has none. */
export function decodeRetentionFacts(row: Row): RetentionFacts {
  const [sequence, createdAt] = [optionalInteger(row, 'step_sequence'), optionalInteger(row, 'step_created_at')]
  return {
    lastSequence: integer(row, 'last_sequence'),
    hasEndpoint: boolean(row, 'has_endpoint'),
    endpointDelivered: optionalInteger(row, 'endpoint_delivered'),
    onEventDelivered: optionalInteger(row, 'on_event_delivered'),
    deliveredLateAt: optionalInteger(row, 'delivered_late_at'),
    stepEnd: sequence === undefined || createdAt === undefined ? undefined : { sequence, createdAt },
  }
}

/** The events that a step removes: up to `through` and older than `before`, unless they are dead or to be replayed. */
export interface Removal {
  readonly through: number
  /** The limit for events from before `abandonedBefore`. */
  readonly throughAbandoned: number
  /** The sequence number after which the next step begins; undefined when this one is the last. */
  readonly next: number | undefined
}

/** The maximum number of attempts to deliver events that a step removes. */
export const attemptsPerStep = 1_000

/** The last event whose old attempts a step removes. */
export function attemptsThrough({ stepEnd }: RetentionFacts, through: number): number {
  return Math.min(through, stepEnd?.sequence ?? through)
}

/**
 * Decides what a step removes: events that every target has received. Nothing for as long after a late delivery as events are
 * kept, because the events before it are as recent for their target.
 */
export function decideRemoval(facts: RetentionFacts, which: RemovableEvents): Removal {
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
