import { createBatch } from '../../concurrency/batch.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Database, Statement } from './database.ts'
import { holdsNul } from './reader.ts'

/**
 * The keys of a batch in a statement, from a parameter: `k.key` and its position `k.n`, from 1. A subselect, as otherwise
 * the planner plans again for each number of keys.
 */
export function keysIn(parameter: string): string {
  return `unnest((select ${parameter}::text[])) with ordinality as k (key, n)`
}

/** The keys of `batchReads`. */
export const keys = keysIn('$2')

/** Two batches at a time: the database runs one while the results of the other are used. */
const maxConcurrent = 2

/** Reads the row of one key of a directory. */
export type ReadByKey = (directoryId: string, key: string) => Promise<Row | undefined>

/**
 * Makes a read of one key from a statement over many, which selects the position of the key, from 1, as `n`. Concurrent
 * reads share a statement. It starts after they were called, so it sees everything that was committed before.
 */
export function batchReads(database: Pick<Database, 'query'>, text: string, maxSize = 200): ReadByKey {
  return batchReadsOf(database, (directoryId, keys) => ({ text, values: [directoryId, keys] }), maxSize)
}

/** As `batchReads`, for reads that share a statement when they concern the same thing, whatever its name stands for. */
export function batchReadsOf(
  { query }: Pick<Database, 'query'>,
  statementOf: (concerned: string, keys: readonly string[]) => Statement,
  maxSize: number,
): (concerned: string, key: string) => Promise<Row | undefined> {
  const read = createBatch<string, Row | undefined>(
    async (concerned, keys) => {
      const rows = new Map<number, Row>()
      for (const row of await query(statementOf(concerned, keys))) rows.set(integer(row, 'n'), row)
      return keys.map((_, index) => rows.get(index + 1))
    },
    { maxSize, maxConcurrent },
  )
  // No stored key has a NUL character, and as a parameter it would fail the other reads of the batch.
  return async (concerned, key) => (holdsNul({ values: [concerned, key] }) ? undefined : read(concerned, key))
}
