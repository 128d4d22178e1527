import { createBatch } from '../../concurrency/batch.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Database } from './database.ts'

/**
 * The keys of a batch in a statement: `k.key` and its position `k.n`, from 1. A subselect, as otherwise the planner plans
 * again for each number of keys.
 */
export const keys = 'unnest((select $2::text[])) with ordinality as k (key, n)'

/** Two batches at a time: the database runs one while the results of the other are used. */
const maxConcurrent = 2

/** Reads the row of one key of a directory. */
export type ReadByKey = (directoryId: string, key: string) => Promise<Row | undefined>

/**
 * Makes a read of one key from a statement over many, which selects the position of the key, from 1, as `n`. Concurrent
 * reads share a statement. It starts after they were called, so it sees everything that was committed before.
 */
export function batchReads({ query }: Pick<Database, 'query'>, text: string, maxSize = 200): ReadByKey {
  const read = createBatch<string, Row | undefined>(
    async (directoryId, keys) => {
      const rows = new Map<number, Row>()
      for (const row of await query({ text, values: [directoryId, keys] })) rows.set(integer(row, 'n'), row)
      return keys.map((_, index) => rows.get(index + 1))
    },
    { maxSize, maxConcurrent },
  )
  // No stored key has a NUL character, and as a parameter it would fail the other reads of the batch.
  return async (directoryId, key) => (`${directoryId}${key}`.includes('\0') ? undefined : read(directoryId, key))
}
