import { createBatch } from '../../concurrency/batch.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import { holdsNul } from '../sql-database.ts'
import type { Database, Statement } from './database.ts'
import { oneRow, rowBy } from './sql.ts'

/**
 * The keys of a batch in a statement, from a parameter: `k.key` and its position `k.n`, from 1. A subselect, as otherwise
 * the planner plans again for each number of keys.
 */
export function keysIn(parameter: string): string {
  return `unnest((select ${parameter}::text[])) with ordinality as k (key, n)`
}

/** The keys of a batch in a directory. */
export const keys = keysIn('$2')

/** Two batches at a time: the database runs one while the results of the other are used. */
const maxConcurrent = 2

/** Reads the row of one key of a directory. */
export type ReadByKey = (directoryId: string, key: string) => Promise<Row | undefined>

/** A read by key as two statements, whose parameters are the directory and the key or keys. */
export interface ReadStatements {
  /** Selects the row of a key. For a single key, the other one takes the server nearly twice the time. */
  readonly one: string
  /** Selects the rows of keys, each with the position of its key, from 1, as `n`. */
  readonly many: string
}

/** The reads of columns of the row whose last key column has a value. */
export function rowReads(...[table, alias, column, columns]: RowsByColumn): ReadStatements {
  return {
    one: oneRow(table, alias, column, '$2', columns),
    many: `select k.n::int4, ${columns} from ${keys} ${rowBy(table, alias, column, 'k.key')}`,
  }
}

type RowsByColumn = [table: string, alias: string, column: string, columns: string]

/**
 * Makes a read of one key in a directory. Concurrent reads share a statement. It starts after they were called, so it sees
 * everything that was committed before.
 */
export function batchReads(database: Pick<Database, 'query'>, { one, many }: ReadStatements, maxSize = 200): ReadByKey {
  const statementOf: StatementOf = (directoryId, keys) =>
    keys.length === 1 ? { text: one, values: [directoryId, keys[0]] } : { text: many, values: [directoryId, keys] }
  return batchReadsOf(database, statementOf, maxSize)
}

/** The statement that reads keys; for a single key, it need not select `n`. */
type StatementOf = (concerned: string, keys: readonly string[]) => Statement

/** As `batchReads`, for reads that share a statement when they concern the same thing, whatever its name stands for. */
export function batchReadsOf(
  { query }: Pick<Database, 'query'>,
  statementOf: StatementOf,
  maxSize: number,
): (concerned: string, key: string) => Promise<Row | undefined> {
  const read = createBatch<string, Row | undefined>(
    async (concerned, keys) => {
      const found = await query(statementOf(concerned, keys))
      if (keys.length === 1) return [found[0]]
      const rows = new Map(found.map((row) => [integer(row, 'n'), row]))
      return keys.map((_, index) => rows.get(index + 1))
    },
    { maxSize, maxConcurrent },
  )
  // No stored key has a NUL character, and as a parameter it would fail the other reads of the batch.
  return async (concerned, key) => (holdsNul({ values: [concerned, key] }) ? undefined : read(concerned, key))
}
