import type { ListPart } from '../../directory/store.ts'
import type { Conditions } from '../lookup-conditions.ts'
import type { Statement } from './database.ts'
import type { ListTable } from './lists.ts'
import { numberParameters } from './sql.ts'

/** Lookups with many conditions are rare, and their combinations are too many to prepare each of them. */
function isRare(sql: string): boolean {
  return sql.length > 250
}

/**
 * A part of the rows that meet the conditions. Where only a few can be found, they are found first and then ordered:
 * otherwise the planner now and then walks the whole list to find the first one.
 */
export function findStatement(
  { table, alias, columns }: ListTable,
  directoryId: string,
  conditions: Conditions,
  part: ListPart,
): Statement {
  const isFew = conditions.reach === 'one' || conditions.reach === 'few'
  const where = `${alias}.directory_id = $1${numberParameters(conditions.sql, 5)}`
  const text = `
    with ${alias} as ${isFew ? '' : 'not '}materialized (select * from ${table} ${alias} where ${where})
    select ${columns} from ${alias} where ${alias}.sequence > $2 order by ${alias}.sequence limit $3 offset $4`
  const [after, offset] = typeof part.from === 'number' ? [0, part.from] : [part.from.sequence, 0]
  const values = [directoryId, after, part.limit, offset, ...conditions.values]
  return { text, values, isRare: isRare(conditions.sql) }
}

/** How many rows meet the conditions, as `n`. */
export function countStatement(
  { table, alias }: ListTable,
  directoryId: string,
  { sql, values }: Conditions,
): Statement {
  const text = `select count(*) as n from ${table} ${alias} where ${alias}.directory_id = $1${numberParameters(sql, 2)}`
  return { text, values: [directoryId, ...values], isRare: isRare(sql) }
}
