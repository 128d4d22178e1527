import type { DirectoryChanged } from '../../../directory/directory-store.ts'
import { integer } from '../../row.ts'
import type { Batch } from '../../write/batch.ts'
import type { Conclusion, Database } from '../database.ts'
import { decodeLocked, lockDirectory } from '../directories.ts'
import { isAssumptionWrong } from '../errors.ts'
import { factReads, factsOf } from './facts.ts'
import { assumingStatement, writeStatement } from './statement.ts'

/**
 * Commits a batch: in one statement if it can be decided without reading, and what it assumes is right; otherwise in two round
 * trips, of which the first locks the directory and reads, and the second writes.
 */
export async function commit<T>(database: Database, batch: Batch<T>): Promise<T | DirectoryChanged> {
  const assumed = await commitAssuming(database, batch)
  return assumed === undefined ? commitKnown(database, batch) : assumed.answer
}

async function commitAssuming<T>(
  { query }: Database,
  { directory, assumed, decide }: Batch<T>,
): Promise<{ readonly answer: T } | undefined> {
  if (assumed === undefined) return undefined
  const { writes, answer } = decide(assumed.facts)
  const statement = assumingStatement(directory, writes, assumed.assumption)
  try {
    const [row] = await query(statement)
    return row && { answer: answer(integer(row, 'last_sequence')) }
  } catch (error) {
    if (isAssumptionWrong(error)) return undefined
    throw error
  }
}

/** Commits a batch in two round trips. */
export function commitKnown<T>(
  { transaction }: Pick<Database, 'transaction'>,
  batch: Batch<T>,
): Promise<T | DirectoryChanged> {
  const { directory, request, decide } = batch
  const reads = factReads(directory, request)
  const first = [lockDirectory(directory), ...reads.map(({ statement }) => statement)]
  return transaction(first, ([lock, ...rows]): Conclusion<T | DirectoryChanged> => {
    const state = decodeLocked(lock)
    if (state === undefined) return { statements: [], answer: 'directory-changed' }
    const { writes, answer } = decide(factsOf(state, reads, rows))
    const statements = [...writeStatement(directory.id, writes, state), ...writes.statements]
    return { statements, answer: answer(state.lastSequence) }
  })
}
