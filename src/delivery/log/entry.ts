import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { AttemptResult } from '../policy.ts'
import type { LoggedDelivery } from './store.ts'

/** The largest payload that the log keeps, in bytes of UTF-8. */
export const maxPayloadBytes: number = 256 * 1024

const maxErrorLength = 500

/** One attempt to send events to an endpoint, as it ended. */
export interface DeliveryAttempt {
  readonly directory: Pick<Directory, 'id' | 'endpoint'>
  /** The event, or those of a batch in their order. */
  readonly events: readonly StoredEvent[]
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  readonly delivery: AttemptResult
  /** The body as it was sent: JSON text. */
  readonly payload: string
}

/**
 * What the log keeps of an attempt. Pure: id and time are given.
 *
 * @throws Error for an attempt to send nothing
 */
export function loggedDelivery(attempted: DeliveryAttempt, id: string, at: number): LoggedDelivery {
  const { directory, events, attempt, delivery, payload } = attempted
  const [event] = events
  if (event === undefined) throw new Error('An attempt has at least one event.')
  const isPayloadTruncated = isLongerThan(payload, maxPayloadBytes)
  return {
    ...{ id, directoryId: directory.id, createdAt: at, attempt },
    ...{ sequence: event.sequence, eventCount: events.length, eventId: event.id, eventType: event.eventType },
    endpointUrl: shownUrl(directory.endpoint?.url ?? ''),
    ...resultOf(delivery),
    payload: isPayloadTruncated ? null : payload,
    isPayloadTruncated,
  }
}

function resultOf(delivery: AttemptResult) {
  const latencyMs = Math.round(delivery.latencyMs)
  if (delivery.kind === 'failed') {
    const error = storable(delivery.reason.slice(0, maxErrorLength))
    return { status: null, latencyMs, error, isDelivered: false, responseBody: '' }
  }
  const { status, body } = delivery
  const isDelivered = status >= 200 && status < 300
  const error = isDelivered ? null : `answered ${status}`
  return { status, latencyMs, error, isDelivered, responseBody: storable(body) }
}

/** The URL without what may be a secret of the product: credentials, query and fragment. */
function shownUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? '' : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

/** Text as every database keeps it: without NUL, without halves of surrogate pairs. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed()
}

/** A unit of the text takes one byte at least and three at most. */
function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes
}
