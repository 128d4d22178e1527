import type { DeliveryLogStore } from '../../delivery/log/delivery-log-store.ts'
import { writeAuditedByKey } from '../audit-chain.ts'
import type { DeliveryReads } from '../delivery-log.ts'
import {
  decodeLogPage,
  deliveryColumns,
  deliveryValues,
  logScopes,
  logScopeValues,
  ownDeliveryColumns,
  readDeliveryColumns,
} from '../delivery-log.ts'
import { maxEventBytes } from '../events.ts'
import { integer } from '../row.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf, joinOne, ofDirectory } from './sql.ts'

const columns = deliveryColumns.join(', ')

const types = {
  ...{ id: 'text', sequence: 'int8', event_count: 'int4', event_id: 'text', event_type: 'text' },
  request_id: 'text',
  ...{ endpoint_url: 'text', attempt: 'int4', status: 'int4', latency_ms: 'int8', error: 'text', delivered: 'int4' },
  ...{ payload: 'text', payload_truncated: 'int4', response_body: 'text', created_at: 'int8' },
} as const satisfies Record<(typeof deliveryColumns)[number], ColumnType>
const columnTypes = deliveryColumns.map((column) => types[column])

/** The lock delays a deletion of the directory, whose purge then sees these rows. */
const add = `
  with directory as (
    select id, tenant, product from directories where id = $1 and deleted <> 1 for share
  )
  insert into deliveries (directory_id, tenant, product, ${columns})
  select d.id, d.tenant, d.product, ${ownDeliveryColumns}
  from directory d cross join unnest(${arrayParameters(2, columnTypes)}) as l (${columns})
  on conflict do nothing`

const remove = `
  with step as (
    delete from deliveries where ${ofDirectory()} and ctid = any(array(
      select ctid from deliveries where directory_id = $1 and id <= $2 order by id desc limit $3
      for update skip locked))
    returning 1
  )
  select count(*) as n from step having count(*) > 0`

const oldest = `
  select directory_id, array_agg(id) as ids, count(*) as count from (
    select directory_id, id from deliveries where created_at < $1 order by created_at limit $2) l
  group by directory_id`

const removeOld = 'delete from deliveries where directory_id = $1 and id = any($2::text[])'

/** Returns rows until their payloads exceed `maxEventBytes`. Deliveries of deleted directories are read, and then left out. */
const list = (kind: keyof typeof logScopes) => {
  const { condition, parameters } = logScopes[kind]
  return `
    select ${readDeliveryColumns}, d.deleted from (
      select l.*, sum(coalesce(octet_length(l.payload), 0)) over (order by l.id desc)
        - coalesce(octet_length(l.payload), 0) as bytes_before
      from (
        select * from deliveries l where ${condition} and l.id < $${parameters + 1}
        order by l.id desc limit $${parameters + 2}) l
    ) l ${joinOne('directories', 'd', 'd.id = l.directory_id')}
    where l.bytes_before <= ${maxEventBytes} order by l.id desc`
}

const lists = { directory: list('directory'), tenant: list('tenant'), product: list('product') }

/** The pages and the writes of the delivery log on PostgreSQL. */
export function postgresDeliveryLog(database: Database, { rows }: Reader): Omit<DeliveryLogStore, keyof DeliveryReads> {
  const { query } = database
  return {
    async addDeliveries(directoryId, deliveries) {
      const arrays = columnsOf(columnTypes, deliveries.map(deliveryValues))
      await query({ text: add, values: [directoryId, ...arrays] })
    },
    async listDeliveries(scope, before, limit) {
      const { kind, values } = logScopeValues(scope)
      return decodeLogPage(await rows({ text: lists[kind], values: [...values, before, limit] }))
    },
    async removeDeliveries(directoryId, newest, limit, audit) {
      const statement = { text: remove, values: [directoryId, newest, limit] }
      const [removed] = await writeAuditedByKey(database, statement, audit)
      return removed === undefined ? 0 : integer(removed, 'n')
    },
    async pruneDeliveries(before, limit) {
      const found = await rows({ text: oldest, values: [before, limit] })
      let count = 0
      for (const one of found) {
        await query({ text: removeOld, values: [one['directory_id'], one['ids']] })
        count += integer(one, 'count')
      }
      return count
    },
  }
}
