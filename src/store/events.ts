import type { Cause, Changes, EventDraft, EventType, StoredEvent } from '../directory/event.ts'
import { newId } from '../directory/new-id.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/** How much event data one read brings into memory, about, in characters. */
export const maxEventBytes = 1_000_000

/** An event as both databases keep it. */
export interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly event_type: string
  readonly created_at: number
  readonly request_id: string
  readonly data: string
  readonly changes: string | null
}

/** The event of a row. */
export function eventOf(row: EventRow): StoredEvent {
  return {
    id: row.id,
    sequence: row.sequence,
    eventType: row.event_type as EventType,
    createdAt: row.created_at,
    requestId: row.request_id,
    data: row.data as JsonText<JsonObject>,
    changes: row.changes === null ? undefined : (row.changes as JsonText<Changes>),
  }
}

/** An event with its id, before its place in the sequence is known. */
export type UnnumberedEvent = Omit<StoredEvent, 'sequence'>

/** Gives an event its id. */
export function identifyEvent(draft: EventDraft, cause: Cause): UnnumberedEvent {
  return { ...draft, id: newId(), createdAt: cause.at, requestId: cause.requestId }
}

/** Gives events their ids and the sequence numbers that follow `lastSequence`. */
export function numberEvents(drafts: readonly EventDraft[], lastSequence: number, cause: Cause): StoredEvent[] {
  return drafts.map((draft, index) => ({ ...identifyEvent(draft, cause), sequence: lastSequence + index + 1 }))
}

/** An event's place in the sequence, and its time in Unix milliseconds. */
export interface Dated {
  readonly sequence: number
  readonly at: number
}

/**
 * The first sequence number of an event that is not older than a time; undefined when all are. Events are in the order of
 * their times, give or take the clocks of several processes: it takes a look at a few of them, however many there are.
 *
 * @param nextAfter the first event behind a sequence number; early ones may be gone
 */
export async function firstSequenceAt(
  lastSequence: number,
  time: number,
  nextAfter: (sequence: number) => Promise<Dated | undefined>,
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
