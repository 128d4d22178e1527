import type { RowsByKey } from '../sql-database.ts'
import type { ColumnType } from './parameters.ts'
import { binaryArray } from './parameters.ts'

/** Unix milliseconds by the clock of the database: leases do not depend on the clock of any process. */
export const now = '(extract(epoch from clock_timestamp()) * 1000)::int8'

/**
 * Parameters with one column of values each, numbered from `first`, to be unnested together. Each is a subselect: the
 * planner counts the values of a plain parameter that is unnested, prefers a plan for that number to the prepared one, and plans
 * again at every execution, which takes longer than the work itself.
 */
export function arrayParameters(first: number, types: readonly ColumnType[]): string {
  return types.map((type, index) => `(select $${first + index}::${type}[])`).join(', ')
}

/** Turns rows into columns, for `arrayParameters`. */
export function columnsOf(types: readonly ColumnType[], rows: readonly (readonly unknown[])[]): Buffer[] {
  return types.map((type, column) =>
    binaryArray(
      type,
      rows.map((row) => row[column]),
    ),
  )
}

/**
 * A query for the row that a key names. The range and the order leave one index to choose: with plain comparisons, any index
 * that begins with the directory looks as good while a table is small, and a plan made then is kept when the table grows.
 */
export function oneRow(...key: RowsByKey): string {
  return `${rowsInOrder(...key)} limit 1`
}

/** As `oneRow`, for a column that several rows may share. The planner cannot know the limit. */
export function rowsWith(...key: RowsByKey): string {
  return `${rowsInOrder(...key)} limit (select 1000000000)`
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

/**
 * The condition on the directories of a tenant and product. To be read in the order of these columns, which leaves one index to choose:
 * see `oneRow`. The indexes that contain present directories only are for lists: whoever names a directory by its id says
 * `deleted <> 1`, for which the planner uses none of them.
 */
export function inScope(tenant: string, product: string): string {
  return `tenant between ${tenant} and ${tenant} and product between ${product} and ${product} and deleted = 0`
}

/** Joins the row of a table whose key a condition names: see `Dialect`. The offset keeps the planner from joining the tables as it likes. */
export function joinOne(table: string, alias: string, condition: string): string {
  return `cross join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias}`
}

/**
 * The condition that a row to write belongs to the directory `$1`, beside one on its `ctid`: that alone names a row in each partition
 * of a table. With `=` the planner would find the rows by an index on the directory instead of where they are.
 */
export function ofDirectory(alias?: string): string {
  return `${alias === undefined ? '' : `${alias}.`}directory_id is not distinct from $1`
}
