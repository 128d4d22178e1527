import type { DeliveryLogStore } from '../../delivery/log/delivery-log-store.ts'
import { writeAuditedByKey } from '../audit-chain.ts'
import {
  decodeDelivery,
  decodeLogPage,
  decodeSkipped,
  deliveryColumns,
  deliveryValues,
  logScopeValues,
} from '../delivery-log.ts'
import { maxEventBytes } from '../events.ts'
import { integer } from '../row.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf, ofDirectory } from './sql.ts'

const columns = deliveryColumns.join(', ')
const ownColumns = deliveryColumns.map((column) => `l.${column}`).join(', ')

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
    select id, tenant, product from directories where id = $1 and deleted = 0 for share
  )
  insert into deliveries (directory_id, tenant, product, ${columns})
  select d.id, d.tenant, d.product, ${ownColumns}
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

/** The reads of a scope. Deliveries of deleted directories are read, and then left out. */
function readsOf(condition: string, parameters: number) {
  const [next, last] = [`$${parameters + 1}`, `$${parameters + 2}`]
  return {
    list: `
      select l.directory_id, ${ownColumns}, d.deleted from (
        select l.*, sum(coalesce(octet_length(l.payload), 0)) over (order by l.id desc)
          - coalesce(octet_length(l.payload), 0) as bytes_before
        from (
          select * from deliveries l where ${condition} and l.id < ${next} order by l.id desc limit ${last}) l
      ) l join directories d on d.id = l.directory_id
      where l.bytes_before <= ${maxEventBytes} order by l.id desc`,
    skip: `
      select count(*) filter (where d.deleted = 0) as skipped, min(l.id) as last from (
        select l.id, l.directory_id from deliveries l
        where ${condition} and l.id < ${next} order by l.id desc limit ${last}) l
      join directories d on d.id = l.directory_id`,
    byId: `
      select l.directory_id, ${ownColumns} from deliveries l join directories d on d.id = l.directory_id
      where ${condition} and l.id = ${next} and d.deleted = 0`,
  }
}

const reads = {
  directory: readsOf('l.directory_id = $1', 1),
  tenant: readsOf('l.tenant = $1 and l.product = $2', 2),
}

/** The delivery log on PostgreSQL. */
export function postgresDeliveryLog(database: Database, { rows, row }: Reader): DeliveryLogStore {
  const { query } = database
  return {
    async addDeliveries(directoryId, deliveries) {
      const arrays = columnsOf(columnTypes, deliveries.map(deliveryValues))
      await query({ text: add, values: [directoryId, ...arrays] })
    },
    async listDeliveries(scope, before, limit) {
      const { kind, values } = logScopeValues(scope)
      return decodeLogPage(await rows({ text: reads[kind].list, values: [...values, before, limit] }))
    },
    async skipDeliveries(scope, before, limit) {
      const { kind, values } = logScopeValues(scope)
      return decodeSkipped(await row({ text: reads[kind].skip, values: [...values, before, limit] }))
    },
    async getDelivery(scope, id) {
      const { kind, values } = logScopeValues(scope)
      const found = await row({ text: reads[kind].byId, values: [...values, id] })
      return found && decodeDelivery(found)
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
