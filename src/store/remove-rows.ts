import type { SqlDatabase } from './sql-database.ts'

const rowsPerStep = 500

/** Rows of a table that share the values of some columns, with the rest of a key of theirs, by which an index finds them. */
interface RemovedRows {
  readonly table: string
  readonly of: readonly string[]
  readonly key: readonly string[]
}

/**
 * Makes a function that removes some hundred rows, the lowest keys first, and returns whether more are left. No row may be added
 * meanwhile. It asks for the last key of a step, and then removes a range, which has one plan whatever PostgreSQL expects.
 */
export function createRemoveStep(
  { query, atomically }: SqlDatabase,
  { table, of, key }: RemovedRows,
): (values: readonly (string | number)[]) => Promise<boolean> {
  const ofThese = of.map((column, index) => `${column} = $${index + 1}`).join(' and ')
  const columns = key.join(', ')
  const parameters = key.map((_, index) => `$${of.length + index + 1}`).join(', ')
  const end = `select ${columns} from ${table} where ${ofThese} order by ${columns} limit 1 offset ${rowsPerStep - 1}`
  const rest = `delete from ${table} where ${ofThese}`
  const step = `${rest} and (${columns}) <= (${parameters})`
  return async (values) => {
    const [last] = await query({ text: end, values })
    if (last === undefined) await atomically([{ text: rest, values }])
    else await atomically([{ text: step, values: [...values, ...key.map((column) => last[column])] }])
    return last !== undefined
  }
}

/** How the old rows of a table are found, in all directories. */
interface OldRows {
  readonly table: string
  /** The columns of the primary key after the directory. */
  readonly key: readonly string[]
  /** The condition that a row is from before `$1`. */
  readonly isOld: string
  readonly order: string
}

/** Removes at most `limit` old rows, each by its key; returns their number. Without any there is no write, which would be a commit. */
export async function removeOldRows(
  { query, atomically }: SqlDatabase,
  { table, key, isOld, order }: OldRows,
  before: number,
  limit: number,
): Promise<number> {
  const columns = ['directory_id', ...key]
  const found = await query({
    text: `select ${columns.join(', ')} from ${table} where ${isOld} order by ${order} limit $2`,
    values: [before, limit],
  })
  if (found.length === 0) return 0
  const isRow = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ')
  const text = `delete from ${table} where ${isRow}`
  await atomically(found.map((row) => ({ text, values: columns.map((column) => row[column]) })))
  return found.length
}
