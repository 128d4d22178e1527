import type { Directory } from '../directory/directory.ts'
import type { Changes, EventType, StoredEvent } from '../directory/event.ts'
import type { JsonObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'

/** The fields of a directory that its events contain. */
export type EventDirectory = Pick<Directory, 'id' | 'tenant' | 'product'>

/** An event as the product receives it, parsed. */
export interface DirectoryEventPayload {
  readonly id: string
  /** 1, 2, 3 … per directory, without gaps. */
  readonly sequence: number
  readonly event: EventType
  readonly tenant: string
  readonly product: string
  readonly directory_id: string
  /** ISO 8601, in UTC. */
  readonly created_at: string
  /** The user, the group, or the user with its `group`, as of the event; with `sync_id` in a resync. */
  readonly data: JsonObject
  /** The top-level attributes that an update changed. */
  readonly changes?: Changes
}

/** The payload as JSON text. Parts that are stored as text are copied without parsing. */
export function eventPayload(event: StoredEvent, directory: EventDirectory): string {
  const head = JSON.stringify(payloadHead(event, directory))
  const changes = event.changes === undefined ? '' : `,"changes":${event.changes}`
  return `${head.slice(0, -1)},"data":${event.data}${changes}}`
}

/** The payload as a new object, for a callback in this process. */
export function eventObject(event: StoredEvent, directory: EventDirectory): DirectoryEventPayload {
  const payload = { ...payloadHead(event, directory), data: fromJsonText(event.data) }
  return event.changes === undefined ? payload : { ...payload, changes: fromJsonText(event.changes) }
}

function payloadHead(event: StoredEvent, { id: directoryId, tenant, product }: EventDirectory) {
  const { id, sequence, eventType, createdAt } = event
  const created_at = new Date(createdAt).toISOString()
  return { id, sequence, event: eventType, tenant, product, directory_id: directoryId, created_at }
}
