import type { Directory } from '../../directory/directory.ts'
import type { EventType, StoredEvent } from '../../directory/event.ts'
import type { AttemptResult } from '../attempt.ts'
import { outcomeOf } from '../policy.ts'
import type { LoggedDelivery, TenantDelivery } from './delivery-log-store.ts'

/** The maximum size of a stored payload, in bytes of UTF-8. */
export const maxPayloadBytes: number = 256 * 1024

const maxErrorLength = 500

/** An attempt that has ended. */
export interface DeliveryAttempt {
  readonly directory: Pick<Directory, 'id' | 'endpoint'>
  /** The event, or the events of a batch in order. */
  readonly events: readonly StoredEvent[]
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  readonly result: AttemptResult
  /** The body exactly as it was sent: JSON text. */
  readonly payload: string
}

/**
 * The log entry of an attempt.
 *
 * @throws Error for an attempt without events
 */
export function loggedDelivery(attempted: DeliveryAttempt, id: string, at: number): LoggedDelivery {
  const { directory, events, attempt, result, payload } = attempted
  const [event] = events
  if (event === undefined) throw new Error('An attempt has at least one event.')
  const isPayloadTruncated = isLongerThan(payload, maxPayloadBytes)
  return {
    ...{ id, directoryId: directory.id, createdAt: at, attempt },
    ...{ sequence: event.sequence, eventCount: events.length, eventId: event.id, eventType: event.eventType },
    requestId: event.requestId,
    endpointUrl: urlWithoutSecrets(directory.endpoint?.url ?? ''),
    ...resultColumns(result),
    payload: isPayloadTruncated ? null : payload,
    isPayloadTruncated,
  }
}

function resultColumns(result: AttemptResult) {
  const outcome = outcomeOf(result)
  const isDelivered = outcome === 'delivered'
  return {
    status: result.kind === 'response' ? result.status : null,
    latencyMs: Math.round(result.latencyMs),
    error: isDelivered ? null : storableText(outcome.reason.slice(0, maxErrorLength)),
    isDelivered,
    responseBody: result.kind === 'response' ? storableText(result.body) : '',
  }
}

/** Removes the parts of a URL that may be secret: credentials, query and fragment. */
function urlWithoutSecrets(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? '' : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

/** Replaces characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed()
}

/** Avoids encoding most texts: a UTF-16 code unit takes one to three bytes in UTF-8. */
function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes
}

/** A logged delivery as the API returns it. */
export interface DeliveryView {
  readonly id: string
  readonly directory_id: string
  readonly tenant: string
  /** The sequence of the event, or of the first event of a batch. */
  readonly sequence: number
  readonly event_id: string
  readonly event: EventType
  /** The id of the request, or sync run, that caused the event. */
  readonly request_id: string
  /** More than one in a batch. */
  readonly event_count: number
  readonly webhook_endpoint: string
  /** Null when there was no response. */
  readonly status_code: number | null
  readonly latency_ms: number
  readonly attempt: number
  /** Null when the event was delivered. */
  readonly error: string | null
  readonly delivered: boolean
  /** ISO 8601, in UTC. */
  readonly created_at: string
  readonly payload_truncated: boolean
  /** The beginning of the response body. */
  readonly response_body: string
  /** The body of the request; null when it was too large to store. */
  readonly payload: unknown
}

/** A `DeliveryView` as JSON text. The payload is copied without parsing. */
export function deliveryViewText(delivery: TenantDelivery): string {
  const head = JSON.stringify(viewHead(delivery))
  return `${head.slice(0, -1)},"payload":${delivery.payload ?? 'null'}}`
}

function viewHead(delivery: TenantDelivery): Omit<DeliveryView, 'payload'> {
  return {
    id: delivery.id,
    directory_id: delivery.directoryId,
    tenant: delivery.tenant,
    sequence: delivery.sequence,
    event_id: delivery.eventId,
    event: delivery.eventType,
    request_id: delivery.requestId,
    event_count: delivery.eventCount,
    webhook_endpoint: delivery.endpointUrl,
    status_code: delivery.status,
    latency_ms: delivery.latencyMs,
    attempt: delivery.attempt,
    error: delivery.error,
    delivered: delivery.isDelivered,
    created_at: new Date(delivery.createdAt).toISOString(),
    payload_truncated: delivery.isPayloadTruncated,
    response_body: delivery.responseBody,
  }
}
