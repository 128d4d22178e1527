import type { HealthStore } from '../../diagnostics/health/health-store.ts'
import { maxCounted } from '../../diagnostics/health/health-store.ts'
import {
  activityColumns,
  activityValues,
  addsActivity,
  causeColumns,
  decodeHealth,
  healthColumns,
  mayChangeHealth,
} from '../health.ts'
import { checkHealth } from '../health-checks.ts'
import { text } from '../row.ts'
import type { Database } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { withoutNulIds } from './reader.ts'
import { arrayParameters, columnsOf, oneRow } from './sql.ts'

const columns = activityColumns.join(', ')
const textColumns: ReadonlySet<string> = new Set(['directory_id', 'failed_address', 'failed_problem'])
const columnTypes = activityColumns.map((column): ColumnType => (textColumns.has(column) ? 'text' : 'int8'))

/** This, and the statements that follow it, are in the order of ids, so that two processes do not wait for each other. */
const lock = `
  select a.* from unnest((select $1::text[])) as i (id)
  cross join lateral (
    select directory_id, ${causeColumns} from directory_activity where directory_id = i.id for update) a`

const add = `
  insert into directory_activity as a (${columns})
  select ${activityColumns.map((column) => `i.${column}`).join(', ')}
  from unnest(${arrayParameters(1, columnTypes)}) with ordinality as i (${columns}, n)
  cross join lateral (select from directories where id = i.directory_id and deleted <> 1 offset 0) d
  order by i.n ${addsActivity} returning directory_id, ${causeColumns}`

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
export function postgresHealth({ query, transaction }: Database): HealthStore {
  return {
    recordActivity(activities) {
      const ids = withoutNulIds(activities.map(({ directoryId }) => directoryId))
      const adding = { text: add, values: columnsOf(columnTypes, activities.map(activityValues)) }
      return transaction([{ text: lock, values: [ids] }, adding], ([before = [], after = []]) => {
        const byId = new Map(before.map((row) => [text(row, 'directory_id'), row]))
        const changed = after.map((row) => ({ id: text(row, 'directory_id'), row }))
        const statements = changed
          .filter(({ id, row }) => mayChangeHealth(byId.get(id), row))
          .map(({ id }) => checkHealth(id))
        return { statements, answer: undefined }
      })
    },
    async storedHealth(ids, overdueUntil) {
      const rows = await query({ text: health, values: [withoutNulIds(ids), overdueUntil] })
      const byId = Map.groupBy(rows, (row) => text(row, 'id'))
      return new Map([...byId].flatMap(([id, [row, ...others]]) => (row ? [[id, decodeHealth(row, ...others)]] : [])))
    },
  }
}
