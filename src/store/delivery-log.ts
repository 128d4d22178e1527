import type { LoggedDelivery, LogPage, LogScope, SkippedDeliveries } from '../delivery/log/delivery-log-store.ts'
import { eventTypes } from '../directory/event.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalInteger, optionalText, text } from './row.ts'

/** The columns of a logged delivery without its directory, in the order of `deliveryValues`. */
export const deliveryColumns = [
  'id',
  'sequence',
  'event_count',
  'event_id',
  'event_type',
  'request_id',
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

/** The values of a delivery, in the order of `deliveryColumns`. */
export function deliveryValues(delivery: LoggedDelivery): (string | number | null)[] {
  return [
    delivery.id,
    delivery.sequence,
    delivery.eventCount,
    delivery.eventId,
    delivery.eventType,
    delivery.requestId,
    delivery.endpointUrl,
    delivery.attempt,
    delivery.status,
    delivery.latencyMs,
    delivery.error,
    Number(delivery.isDelivered),
    delivery.payload,
    Number(delivery.isPayloadTruncated),
    delivery.responseBody,
    delivery.createdAt,
  ]
}

/** Decodes a row of `deliveryColumns` and `directory_id`. */
export function decodeDelivery(row: Row): LoggedDelivery {
  return {
    id: text(row, 'id'),
    directoryId: text(row, 'directory_id'),
    sequence: integer(row, 'sequence'),
    eventCount: integer(row, 'event_count'),
    eventId: text(row, 'event_id'),
    eventType: oneOf(row, 'event_type', eventTypes),
    requestId: text(row, 'request_id'),
    endpointUrl: text(row, 'endpoint_url'),
    attempt: integer(row, 'attempt'),
    status: optionalInteger(row, 'status') ?? null,
    latencyMs: integer(row, 'latency_ms'),
    error: optionalText(row, 'error') ?? null,
    isDelivered: boolean(row, 'delivered'),
    payload: optionalText(row, 'payload') ?? null,
    isPayloadTruncated: boolean(row, 'payload_truncated'),
    responseBody: text(row, 'response_body'),
    createdAt: integer(row, 'created_at'),
  }
}

/** Decodes rows of a log, with the `deleted` of their directories: those of a deleted one are read, but not returned. */
export function decodeLogPage(rows: readonly Row[]): LogPage {
  const last = rows.at(-1)
  return {
    deliveries: rows.filter((row) => !boolean(row, 'deleted')).map(decodeDelivery),
    last: last && text(last, 'id'),
  }
}

/** Decodes a row of `skipped, last`. */
export function decodeSkipped(row: Row | undefined): SkippedDeliveries {
  return row === undefined
    ? { skipped: 0, last: undefined }
    : { skipped: integer(row, 'skipped'), last: optionalText(row, 'last') }
}

/** Which of an engine's statements a scope is read with, and their first parameters. */
export function logScopeValues(scope: LogScope): { kind: 'directory' | 'tenant'; values: readonly string[] } {
  if ('directoryId' in scope) return { kind: 'directory', values: [scope.directoryId] }
  return { kind: 'tenant', values: [scope.tenant, scope.product] }
}
