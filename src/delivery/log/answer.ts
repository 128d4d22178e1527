import type { EventType } from '../../directory/event.ts'
import type { LoggedDelivery } from './store.ts'

/** A delivery as the API answers it. */
export interface DeliveryView {
  readonly id: string
  readonly directory_id: string
  /** Of the event, or of the first one of a batch. */
  readonly sequence: number
  readonly event_id: string
  readonly event: EventType
  /** More than one in a batch. */
  readonly event_count: number
  readonly webhook_endpoint: string
  /** Null when there was no answer. */
  readonly status_code: number | null
  readonly latency_ms: number
  readonly attempt: number
  /** Null when the event was taken. */
  readonly error: string | null
  readonly delivered: boolean
  /** ISO 8601, in UTC. */
  readonly created_at: string
  readonly payload_truncated: boolean
  /** The beginning of the answer's body. */
  readonly response_body: string
  /** What was sent; null when it was too large to be kept. */
  readonly payload: unknown
}

/** A delivery as JSON text. The payload goes in as it was sent: nothing is parsed. */
export function deliveryText(delivery: LoggedDelivery): string {
  const head = JSON.stringify(answerHead(delivery))
  return `${head.slice(0, -1)},"payload":${delivery.payload ?? 'null'}}`
}

function answerHead(delivery: LoggedDelivery): Omit<DeliveryView, 'payload'> {
  return {
    id: delivery.id,
    directory_id: delivery.directoryId,
    sequence: delivery.sequence,
    event_id: delivery.eventId,
    event: delivery.eventType,
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
