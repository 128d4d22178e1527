/** The type of a column in a statement. */
export type ColumnType = 'text' | 'int8' | 'int4'

/** Parameters that hold a value each, numbered from `first`. */
export function valueParameters(first: number, types: readonly ColumnType[]): string {
  return types.map((type, index) => `$${first + index}::${type}`).join(', ')
}

/**
 * Parameters that hold a column each, numbered from `first`, to be unnested together. Each is a subselect, here as
 * wherever a statement has a parameter with many values: what the planner can look into, it counts, and then takes a plan
 * for so many rows for cheaper than the prepared one, and plans anew at every execution. That takes longer than the work.
 */
export function arrayParameters(first: number, types: readonly ColumnType[]): string {
  return types.map((type, index) => `(select $${first + index}::${type}[])`).join(', ')
}

/** Rows, column by column, for `arrayParameters`. */
export function columnsOf(width: number, rows: readonly (readonly unknown[])[]): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]))
}

/** Numbers the parameters of a condition: `?1` becomes `$1`, each plain `?` the next, from `first` on. */
export function numberParameters(sql: string, first: number): string {
  let next = first
  return sql.replace(/\?(\d*)/g, (_, number: string) => `$${number === '' ? next++ : number}`)
}

/** Text as PostgreSQL can hold it: without the NUL character. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
