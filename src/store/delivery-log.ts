import type {
  DeliveryLogStore,
  LoggedDelivery,
  LogPage,
  LogScope,
  TenantDelivery,
} from '../delivery/log/delivery-log-store.ts'
import { eventTypes } from '../directory/event.ts'
import { writeAuditedByKey } from './audit-chain.ts'
import { maxEventBytes } from './events.ts'
import { removeOldRows } from './remove-rows.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { within } from './sql-database.ts'

/** The columns of a logged delivery without its directory, in the order of `deliveryValues`, with their types. */
const columnTypes = {
  ...{
    id: 'text',
    sequence: 'bigint',
    event_count: 'integer',
    event_id: 'text',
    event_type: 'text',
    request_id: 'text',
  },
  ...{ endpoint_url: 'text', attempt: 'integer', status: 'integer', latency_ms: 'bigint', error: 'text' },
  ...{
    delivered: 'integer',
    payload: 'text',
    payload_truncated: 'integer',
    response_body: 'text',
    created_at: 'bigint',
  },
}
const columns = Object.keys(columnTypes)

/** The columns of a delivery `l` that is read. */
const readDeliveryColumns = ['directory_id', 'tenant', ...columns].map((column) => `l.${column}`).join(', ')

/** The values of a delivery, in the order of `columnTypes`. */
function deliveryValues(delivery: LoggedDelivery): (string | number | null)[] {
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
function decodeLogPage(rows: readonly Row[]): LogPage {
  const last = rows.at(-1)
  return {
    deliveries: rows.filter((row) => !boolean(row, 'deleted')).map(decodeDelivery),
    last: last && text(last, 'id'),
  }
}

/** The lock delays a deletion of the directory, whose purge then sees these rows. */
const add = `
  insert into deliveries (directory_id, tenant, product, ${columns})
  select d.id, d.tenant, d.product, ${Object.values(columnTypes).map((type, index) => `cast($${index + 2} as ${type})`)}
  from directories d where d.id = $1 and d.deleted <> 1 for share
  on conflict do nothing`

const remove = `
  delete from deliveries where directory_id = $1 and id <= $2 and id >= coalesce((
    select l.id from deliveries l where l.directory_id = $1 and l.id <= $2
    order by l.id desc limit 1 offset cast($3 as bigint) - 1), '')
  returning 1 as n`

/** The delivery log. */
export function createDeliveryLog(database: SqlDatabase): DeliveryLogStore {
  const { query, atomically, dialect } = database
  const { apart, indexedBy } = dialect
  const by = (index: string) => `deliveries l ${indexedBy(index)}`
  const reads = {
    directory: readsOf(dialect, 'deliveries l', 'l.directory_id = $1'),
    tenant: readsOf(dialect, by('deliveries_by_scope'), "l.tenant = $1 and l.tenant >= '' and l.product = $2", 2),
    product: readsOf(dialect, by('deliveries_by_product'), `${apart('l.product')} = $1`),
  }
  return {
    async addDeliveries(directoryId, deliveries) {
      await atomically(
        deliveries.map((delivery) => ({ text: add, values: [directoryId, ...deliveryValues(delivery)] })),
      )
    },
    async listDeliveries(scope, before, limit) {
      const { kind, values } = logScopeValues(scope)
      return decodeLogPage(await query({ text: reads[kind].list, values: [...values, before, limit] }))
    },
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
    async removeDeliveries(directoryId, newest, limit, audit) {
      const statement = { text: remove, values: [directoryId, newest, limit] }
      return (await writeAuditedByKey(database, statement, audit)).length
    },
    pruneDeliveries: (before, limit) => removeOldRows(database, oldDeliveries, before, limit),
  }
}

const oldDeliveries = { table: 'deliveries', key: ['id'], isOld: 'created_at < $1', order: 'created_at' }

/** The reads of the deliveries of a scope. Those of deleted directories are read, and then left out. */
function readsOf({ joinOne }: Dialect, from: string, condition: string, parameters = 1) {
  const [next, last] = [`$${parameters + 1}`, `$${parameters + 2}`]
  const sizes = `
    select l.directory_id, l.id, coalesce(octet_length(l.payload), 0) as bytes from ${from}
    where ${condition} and l.id < ${next} order by l.id desc limit ${last}`
  return {
    list: `
      select ${readDeliveryColumns}, d.deleted from ${within(sizes, 'k.id desc', maxEventBytes)}
      ${joinOne('deliveries', 'l', 'l.directory_id = k.directory_id and l.id = k.id')}
      ${joinOne('directories', 'd', 'd.id = l.directory_id')} order by k.id desc`,
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
function logScopeValues(scope: LogScope): { kind: 'directory' | 'tenant' | 'product'; values: readonly string[] } {
  if ('directoryId' in scope) return { kind: 'directory', values: [scope.directoryId] }
  const { tenant, product } = scope
  return tenant === undefined ? { kind: 'product', values: [product] } : { kind: 'tenant', values: [tenant, product] }
}
