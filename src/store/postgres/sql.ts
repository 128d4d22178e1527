/** Unix milliseconds by the clock of the database: leases do not depend on the clock of any process. */
export const now = '(extract(epoch from clock_timestamp()) * 1000)::int8'

/** The type of a column in a statement. */
export type ColumnType = 'text' | 'int8' | 'int4'

/** Parameters with one value each, numbered from `first`. */
export function valueParameters(first: number, types: readonly ColumnType[]): string {
  return types.map((type, index) => `$${first + index}::${type}`).join(', ')
}

/**
 * Parameters with one column of values each, numbered from `first`, to be unnested together. Each is a subselect, as is
 * every parameter with many values here: the planner counts the values of a plain parameter, prefers a plan for that number
 * to the prepared one, and plans again at every execution, which takes longer than the work itself.
 */
export function arrayParameters(first: number, types: readonly ColumnType[]): string {
  return types.map((type, index) => `(select $${first + index}::${type}[])`).join(', ')
}

/** Turns rows into columns, for `arrayParameters`. */
export function columnsOf(width: number, rows: readonly (readonly unknown[])[]): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]))
}

/** Numbers the parameters of a condition: `?1` becomes `$1`, and each plain `?` the next number from `first`. */
export function numberParameters(sql: string, first: number): string {
  let next = first
  return sql.replace(/\?(\d*)/g, (_, number: string) => `$${number === '' ? next++ : number}`)
}
