import type { HealthStore } from '../../diagnostics/health/health-store.ts'
import { maxCounted } from '../../diagnostics/health/health-store.ts'
import { activityColumns, activityValues, addsActivity, decodeHealth, healthColumns } from '../health.ts'
import { text } from '../row.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { withoutNulIds } from './reader.ts'
import { arrayParameters, columnsOf, oneRow } from './sql.ts'

const columns = activityColumns.join(', ')
const textColumns: ReadonlySet<string> = new Set(['directory_id', 'failed_address', 'failed_problem'])
const columnTypes = activityColumns.map((column): ColumnType => (textColumns.has(column) ? 'text' : 'int8'))

/** In the order of ids, so that two processes do not wait for each other. */
const add = `
  insert into directory_activity as a (${columns})
  select ${activityColumns.map((column) => `i.${column}`).join(', ')}
  from unnest(${arrayParameters(1, columnTypes)}) with ordinality as i (${columns}, n)
  cross join lateral (select from directories where id = i.directory_id and deleted <> 1 offset 0) d
  order by i.n ${addsActivity}`

const byDirectory = (table: string, alias: string, conditions = 'true') => `
  left join lateral (select * from ${table} where directory_id = i.id and ${conditions} offset 0) ${alias} on true`

/** Looks each directory up; the number of rows that are counted per directory is bounded. */
const health = `
  select i.id, ${healthColumns}, dead.dead_events, dead.dead_since, oldest.created_at as oldest_undelivered_at,
    late.overdue, late.overdue_since
  from unnest((select $1::text[])) as i (id)
  cross join lateral (select id from directories where id = i.id and deleted <> 1 offset 0) d
  cross join lateral (select * from directory_state where directory_id = i.id offset 0) s
  ${byDirectory('holds', 'h')}
  ${byDirectory('directory_activity', 'a')}
  ${byDirectory('delivery_streams', 'p', "target = 'endpoint'")}
  cross join lateral (
    select count(*)::int8 as dead_events, (array_agg(died_at))[1] as dead_since from (
      select died_at from dead_events where directory_id = i.id and target = 'endpoint' order by sequence
      limit ${maxCounted}) e
  ) dead
  left join lateral (${oneRow(
    ...(['events', 'e', 'sequence', 'coalesce(p.delivered_sequence, 0) + 1', 'e.created_at', 'i.id'] as const),
  )}) oldest on s.last_sequence > coalesce(p.delivered_sequence, 0)
  cross join lateral (
    select count(*)::int8 as overdue, min(received_at) as overdue_since from (
      select received_at from deprovisionings where directory_id = i.id order by sequence limit ${maxCounted}) x
    where received_at <= $2
  ) late`

/** The health of directories on PostgreSQL. */
export function postgresHealth({ query }: Database): HealthStore {
  return {
    async recordActivity(activities) {
      await query({ text: add, values: columnsOf(columnTypes, activities.map(activityValues)) })
    },
    async storedHealth(ids, overdueUntil) {
      const rows = await query({ text: health, values: [withoutNulIds(ids), overdueUntil] })
      const byId = Map.groupBy(rows, (row) => text(row, 'id'))
      return new Map([...byId].flatMap(([id, [row, ...others]]) => (row ? [[id, decodeHealth(row, ...others)]] : [])))
    },
  }
}
