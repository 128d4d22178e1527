import type { LoggedDelivery, LogScope } from '../delivery/log/store.ts'
import type { EventType } from '../directory/event.ts'

/** The columns of a logged delivery that both databases keep as they are, without the directory's. */
export const deliveryColumns = [
  'id',
  'sequence',
  'event_count',
  'event_id',
  'event_type',
  'endpoint_url',
  'attempt',
  'status',
  'latency_ms',
  'error',
  'delivered',
  'payload',
  'payload_truncated',
  'response_body',
  'created_at',
] as const

/** A logged delivery as both databases keep it. */
export interface DeliveryRow {
  readonly id: string
  readonly directory_id: string
  readonly sequence: number
  readonly event_count: number
  readonly event_id: string
  readonly event_type: string
  readonly endpoint_url: string
  readonly attempt: number
  readonly status: number | null
  readonly latency_ms: number
  readonly error: string | null
  readonly delivered: number
  readonly payload: string | null
  readonly payload_truncated: number
  readonly response_body: string
  readonly created_at: number
}

/** The values of a delivery, in the order of `deliveryColumns`. */
export function deliveryValues(delivery: LoggedDelivery): (string | number | null)[] {
  const row: Omit<DeliveryRow, 'directory_id'> = {
    id: delivery.id,
    sequence: delivery.sequence,
    event_count: delivery.eventCount,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_url: delivery.endpointUrl,
    attempt: delivery.attempt,
    status: delivery.status,
    latency_ms: delivery.latencyMs,
    error: delivery.error,
    delivered: Number(delivery.isDelivered),
    payload: delivery.payload,
    payload_truncated: Number(delivery.isPayloadTruncated),
    response_body: delivery.responseBody,
    created_at: delivery.createdAt,
  }
  return deliveryColumns.map((column) => row[column])
}

/** The delivery of a row. */
export function deliveryOf(row: DeliveryRow): LoggedDelivery {
  return {
    id: row.id,
    directoryId: row.directory_id,
    sequence: row.sequence,
    eventCount: row.event_count,
    eventId: row.event_id,
    eventType: row.event_type as EventType,
    endpointUrl: row.endpoint_url,
    attempt: row.attempt,
    status: row.status,
    latencyMs: row.latency_ms,
    error: row.error,
    isDelivered: row.delivered === 1,
    payload: row.payload,
    isPayloadTruncated: row.payload_truncated === 1,
    responseBody: row.response_body,
    createdAt: row.created_at,
  }
}

/** The columns that a scope names, with their values. */
export function scopeColumns(scope: LogScope): { kind: 'directory' | 'tenant'; values: readonly string[] } {
  if ('directoryId' in scope) return { kind: 'directory', values: [scope.directoryId] }
  return { kind: 'tenant', values: [scope.tenant, scope.product] }
}
