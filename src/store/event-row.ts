import type { Changes, EventType, StoredEvent } from '../directory/event.ts'
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
