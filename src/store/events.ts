import type { Cause, Changes, EventDraft, StoredEvent } from '../directory/event.ts'
import { eventTypes } from '../directory/event.ts'
import { newId } from '../ids/new-id.ts'
import type { JsonObject } from '../scim/json.ts'
import type { Row } from './row.ts'
import { integer, jsonText, oneOf, optionalJsonText, optionalText, text } from './row.ts'

/** About how much event data one read returns, in characters. */
export const maxEventBytes = 1_000_000

/** The columns of an event `e`. */
export const storedEventColumns =
  'e.sequence, e.id, e.event_type, e.created_at, e.request_id, e.trace_context, e.data, e.changes'

/** Decodes a row of `storedEventColumns`. */
export function decodeEvent(row: Row): StoredEvent {
  return {
    id: text(row, 'id'),
    sequence: integer(row, 'sequence'),
    eventType: oneOf(row, 'event_type', eventTypes),
    createdAt: integer(row, 'created_at'),
    requestId: text(row, 'request_id'),
    traceContext: optionalText(row, 'trace_context'),
    data: jsonText<JsonObject>(row, 'data'),
    changes: optionalJsonText<Changes>(row, 'changes'),
  }
}

/** An event with its id, before its sequence number is known. */
export type UnnumberedEvent = Omit<StoredEvent, 'sequence'>

/** Gives an event its id. */
export function identifyEvent(draft: EventDraft, { at, requestId, traceContext }: Cause): UnnumberedEvent {
  return { ...draft, id: newId(), createdAt: at, requestId, traceContext }
}

/** Gives events their ids and the sequence numbers that follow `lastSequence`. */
export function numberEvents(drafts: readonly EventDraft[], lastSequence: number, cause: Cause): StoredEvent[] {
  return drafts.map((draft, index) => ({ ...identifyEvent(draft, cause), sequence: lastSequence + index + 1 }))
}

/** The time at which an event was created, in Unix milliseconds. */
export interface EventTime {
  readonly sequence: number
  readonly at: number
}

/** Decodes a row of `sequence, created_at`. */
export function decodeEventTime(row: Row): EventTime {
  return { sequence: integer(row, 'sequence'), at: integer(row, 'created_at') }
}

/**
 * Finds the sequence number of the first event that was created at a time or later; undefined when all are older. It is a
 * binary search: times follow the sequence, apart from the difference between the clocks of several processes.
 *
 * @param nextAfter reads the first event after a sequence number; early ones may have been removed
 */
export async function firstSequenceAt(
  lastSequence: number,
  time: number,
  nextAfter: (sequence: number) => Promise<EventTime | undefined>,
): Promise<number | undefined> {
  let [low, high] = [0, lastSequence]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = await nextAfter(middle)
    if (event === undefined || event.at >= time) high = middle
    else low = event.sequence
  }
  return (await nextAfter(low))?.sequence
}
