import type { RowsByKey } from '../sql-database.ts'
import { noLimit } from '../sql-database.ts'

/** Unix milliseconds by the clock of the database: leases do not depend on the clock of any process. */
export const now = '(extract(epoch from clock_timestamp()) * 1000)::int8'

/**
 * A query for the row that a key names. The range and the order leave one index to choose: with plain comparisons, any index
 * that begins with the directory looks as good while a table is small, and a plan made then is kept when the table grows.
 */
export function oneRow(...key: RowsByKey): string {
  return `${rowsInOrder(...key)} limit 1`
}

/** As `oneRow`, for a column that several rows may share. The planner cannot know the limit. */
export function rowsWith(...key: RowsByKey): string {
  return `${rowsInOrder(...key)} limit ${noLimit}`
}

function rowsInOrder(...[table, alias, column, value, columns = '*', directoryId = '$1']: RowsByKey): string {
  return `
    select ${columns} from ${table} ${alias}
    where ${alias}.directory_id = ${directoryId} and ${alias}.${column} between ${value} and ${value}${indexed(alias, column)}
    order by ${alias}.${column}`
}

/** The least values of the columns whose indexes are partial, with a condition that holds for every row. */
const leastValues: Readonly<Record<string, string>> = {
  sequence: '0',
  row_position: '0',
  user_name_folded: "''",
  name_folded: "''",
  member_id: "''",
  account_id: "''",
  user_name_digest: "''",
  external_id_digest: "''",
}

/**
 * The condition of the index on a column, to be repeated by the statements that need it. Such an index is used for nothing else: a row
 * is found by its key, whatever size of the table the planner expects.
 */
export function indexed(alias: string, column: string): string {
  const least = leastValues[column]
  return least === undefined ? '' : ` and ${alias}.${column} >= ${least}`
}

/** Joins the row of `oneRow`. */
export function rowBy(...key: RowsByKey): string {
  const [, alias] = key
  return `cross join lateral (${oneRow(...key)}) ${alias}`
}

/** Joins the row of a table whose key a condition names: see `Dialect`. The offset keeps the planner from joining the tables as it likes. */
export function joinOne(table: string, alias: string, condition: string): string {
  return `cross join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias}`
}
