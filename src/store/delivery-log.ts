import type {
  DeliveryLogStore,
  LoggedDelivery,
  LogPage,
  LogScope,
  TenantDelivery,
} from '../delivery/log/delivery-log-store.ts'
import { eventTypes } from '../directory/event.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'

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

/** `deliveryColumns` of a delivery `l`. */
export const ownDeliveryColumns = deliveryColumns.map((column) => `l.${column}`).join(', ')

/** The columns of a delivery `l` that is read. */
export const readDeliveryColumns = `l.directory_id, l.tenant, ${ownDeliveryColumns}`

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

/** Decodes a row of `readDeliveryColumns`. */
function decodeDelivery(row: Row): TenantDelivery {
  return {
    tenant: text(row, 'tenant'),
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

export type DeliveryReads = Pick<DeliveryLogStore, 'skipDeliveries' | 'getDelivery'>

/** Reads of single deliveries, and of positions in the log. An engine bounds the size of a page. */
export function createDeliveryReads({ query, dialect }: SqlDatabase): DeliveryReads {
  const reads = {
    directory: readsOf('directory', dialect),
    tenant: readsOf('tenant', dialect),
    product: readsOf('product', dialect),
  }
  return {
    async skipDeliveries(scope, before, limit) {
      const { kind, values } = logScopeValues(scope)
      const [found] = await query({ text: reads[kind].skip, values: [...values, before, limit] })
      if (found === undefined) return { skipped: 0, last: undefined }
      return { skipped: integer(found, 'skipped'), last: optionalText(found, 'last') }
    },
    async getDelivery(scope, id) {
      const { kind, values } = logScopeValues(scope)
      const [found] = await query({ text: reads[kind].byId, values: [...values, id] })
      return found && decodeDelivery(found)
    },
  }
}

/** The deliveries of each kind of scope: their index, their condition, and its number of parameters. */
export const logScopes = {
  directory: { index: 'deliveries_by_directory', condition: 'l.directory_id = $1', parameters: 1 },
  tenant: {
    index: 'deliveries_by_scope',
    condition: "l.tenant = $1 and l.tenant >= '' and l.product = $2",
    parameters: 2,
  },
  product: { index: 'deliveries_by_product', condition: "(l.product || '') = $1", parameters: 1 },
} as const

/** Deliveries of deleted directories are read, and then left out. */
function readsOf(kind: keyof typeof logScopes, { indexedBy, joinOne }: Dialect) {
  const { index, condition, parameters } = logScopes[kind]
  const [next, last] = [`$${parameters + 1}`, `$${parameters + 2}`]
  const from = `deliveries l ${indexedBy(index)}`
  return {
    skip: `
      select count(*) filter (where d.deleted <> 1) as skipped, min(l.id) as last from (
        select l.id, l.directory_id from ${from}
        where ${condition} and l.id < ${next} order by l.id desc limit ${last}) l
      ${joinOne('directories', 'd', 'd.id = l.directory_id')}`,
    byId: `
      select ${readDeliveryColumns} from ${from} ${joinOne('directories', 'd', 'd.id = l.directory_id')}
      where ${condition} and l.id = ${next} and d.deleted <> 1`,
  }
}

/** The kind of a scope, and the first parameters of the statements that read it. */
export function logScopeValues(scope: LogScope): { kind: keyof typeof logScopes; values: readonly string[] } {
  if ('directoryId' in scope) return { kind: 'directory', values: [scope.directoryId] }
  const { tenant, product } = scope
  return tenant === undefined ? { kind: 'product', values: [product] } : { kind: 'tenant', values: [tenant, product] }
}
