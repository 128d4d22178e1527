import { v7 as uuidv7 } from 'uuid'
import type { Cause, EventDraft, StoredEvent } from '../directory/event.ts'

/** An event with its id, before its place in the sequence is known. */
export type UnnumberedEvent = Omit<StoredEvent, 'sequence'>

/** Gives an event its id. */
export function identifyEvent(draft: EventDraft, cause: Cause): UnnumberedEvent {
  return { ...draft, id: uuidv7(), createdAt: cause.at, requestId: cause.requestId }
}

/** Gives events their ids and the sequence numbers that follow `lastSequence`. */
export function numberEvents(drafts: readonly EventDraft[], lastSequence: number, cause: Cause): StoredEvent[] {
  return drafts.map((draft, index) => ({ ...identifyEvent(draft, cause), sequence: lastSequence + index + 1 }))
}
