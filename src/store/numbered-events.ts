import type { Cause, EventDraft, StoredEvent } from '../directory/event.ts'
import { newId } from '../directory/new-id.ts'

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
