import type {
  DeliveryLogStore,
  LoggedDelivery,
  LogPage,
  LogScope,
  TenantDelivery,
} from '../delivery/log/delivery-log-store.ts'
import { eventTypes } from '../directory/event.ts'
import { writeAudited } from './audit-chain.ts'
import { maxEventBytes } from './events.ts'
import { fields, recordOf } from './record.ts'
import { removeOldRows } from './remove-rows.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'
import { within } from './sql-database.ts'

/** The columns of a logged delivery without its directory. */
const logged = recordOf<Omit<LoggedDelivery, 'directoryId'>>({
  id: fields.text,
  sequence: fields.integer,
  eventCount: fields.integer,
  eventId: fields.text,
  eventType: fields.oneOf(eventTypes),
  requestId: fields.text,
  endpointUrl: fields.text,
  attempt: fields.integer,
  status: fields.nullableInteger,
  latencyMs: fields.integer,
  error: fields.nullableText,
  isDelivered: fields.named('delivered', fields.boolean),
  payload: fields.nullableText,
  isPayloadTruncated: fields.named('payload_truncated', fields.boolean),
  responseBody: fields.text,
  createdAt: fields.integer,
})

/** The columns of a delivery `l` that is read. */
const readDeliveryColumns = `l.directory_id, l.tenant, ${logged.columnsOf('l')}`

/** Decodes a row of `readDeliveryColumns`. */
function decodeDelivery(row: Row): TenantDelivery {
  return { tenant: text(row, 'tenant'), directoryId: text(row, 'directory_id'), ...logged.decode(row) }
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
  insert into deliveries (directory_id, tenant, product, ${logged.columns})
  select d.id, d.tenant, d.product, ${logged.casts(2)}
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
      await atomically(deliveries.map((delivery) => ({ text: add, values: [directoryId, ...logged.values(delivery)] })))
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
      return (await writeAudited(database, statement, audit)).length
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
