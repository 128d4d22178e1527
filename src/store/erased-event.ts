import type { EventDraft } from '../directory/event.ts'
import { toJsonText } from '../scim/json-text.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'

/** The last event about a person, by which the product erases, too. */
export function erasedEvent(userId: string): EventDraft {
  return { eventType: 'user.erased', data: toJsonText({ id: userId, erased: true }) }
}

/** Whether a row of `event_type` is that of such an event. */
export function isErasedEvent(row: Row | undefined): boolean {
  return row !== undefined && text(row, 'event_type') === 'user.erased'
}
