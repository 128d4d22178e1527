import type { Directory } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import { dateTimeText } from '../scim/date-time.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { RollcallEvent } from '../webhooks/event.ts'

/** The fields of a directory that are part of its events. */
export type EventDirectory = Pick<Directory, 'id' | 'tenant' | 'product'>

/** The payload as JSON text. Stored texts are copied without parsing. */
export function eventPayload(event: StoredEvent, directory: EventDirectory): string {
  const head = JSON.stringify(payloadHead(event, directory))
  const changes = event.changes === undefined ? '' : `,"changes":${event.changes}`
  return `${head.slice(0, -1)},"data":${event.data}${changes}}`
}

/** The payload as a new object, for a callback in this process. */
export function eventObject(event: StoredEvent, directory: EventDirectory): RollcallEvent {
  const payload = { ...payloadHead(event, directory), data: fromJsonText(event.data) }
  // The code that makes an event decides its data, which is tested against the OpenAPI description.
  return (event.changes === undefined ? payload : { ...payload, changes: fromJsonText(event.changes) }) as RollcallEvent
}

function payloadHead(event: StoredEvent, { id: directoryId, tenant, product }: EventDirectory) {
  const { id, sequence, eventType, createdAt, requestId: request_id } = event
  const created_at = dateTimeText(createdAt)
  return { id, sequence, event: eventType, tenant, product, directory_id: directoryId, request_id, created_at }
}
