import type { PruneDue, RemovableEvents } from '../delivery/event-store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'

/** How many events one step of the retention reads. */
export const eventsPerStep = 300

/** How long a directory with old events that must be kept is not examined again. */
const keptMs = 24 * 3_600_000

/** Decodes a row of `directory_id, oldest_event_at`. */
export function decodePruneDue(row: Row): PruneDue {
  return { id: text(row, 'directory_id'), oldestEventAt: integer(row, 'oldest_event_at') }
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

/** How far the targets of a directory have received its events, and where the next step ends. */
export interface RetentionFacts {
  /** Of the last event that may be sent: held ones are kept. */
  readonly lastSequence: number
  readonly hasEndpoint: boolean
  /** The last delivered sequence number; undefined when the target has no stream yet. */
  readonly endpointDelivered: number | undefined
  readonly onEventDelivered: number | undefined
  /** When an event was last delivered late, to any target. */
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

/** What a step removes: events up to `through` that are older than `before`, unless they are dead or to be replayed. */
export interface Removal {
  readonly through: number
  /** The same for events from before `abandonedBefore`. */
  readonly throughAbandoned: number
  /** The sequence number after which the next step begins; undefined when this one is the last. */
  readonly next: number | undefined
}

/** How many attempts to deliver events a step removes at most. */
export const attemptsPerStep = 1_000

/** Up to which event a step removes old attempts. */
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
