import type { TracedEvent } from '../diagnostics/trace/trace-store.ts'
import { decodeEvent } from './events.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'

/**
 * SQL for the id of the user or group that an event is about: its data begins with it. For the event of a membership it is
 * the user.
 */
export const resourceOfEvent = (event: string): string => `substr(${event}.data, 8, 36)`

/** The request ids of a request and of the operations of a bulk request: from the first to before the last. */
export function requestIdRange(requestId: string): { readonly first: string; readonly end: string } {
  return { first: requestId, end: `${requestId}/` }
}

/** Decodes a row of `directory_id` and `storedEventColumns`. */
export function decodeTracedEvent(row: Row): TracedEvent {
  return { directoryId: text(row, 'directory_id'), event: decodeEvent(row) }
}
