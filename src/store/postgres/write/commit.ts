import type { DirectoryChanged } from '../../../directory/directory-store.ts'
import type { CountedState } from '../../removals.ts'
import { decodeCountedState } from '../../removals.ts'
import type { Row } from '../../row.ts'
import { integer } from '../../row.ts'
import type { Conclusion, Statement } from '../../sql-database.ts'
import type { Batch, LockedDirectory, Stage } from '../../write/batch.ts'
import type { Facts } from '../../write/facts.ts'
import { stateAfter } from '../../write/state.ts'
import type { Database } from '../database.ts'
import { isAssumptionWrong } from '../errors.ts'
import { factReads, factsOf } from './facts.ts'
import { assumingStatement, writeStatements } from './statement.ts'

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
  { directory, assumed }: Batch<T>,
): Promise<{ readonly answer: T } | undefined> {
  if (assumed === undefined) return undefined
  const { writes, answer } = assumed.decide()
  try {
    const [row] = await query(assumingStatement(directory, writes, assumed.assumption))
    return row && { answer: answer(integer(row, 'last_sequence')) }
  } catch (error) {
    if (isAssumptionWrong(error)) return undefined
    throw error
  }
}

/** Commits a batch in two round trips, and one more for each further stage. */
export function commitKnown<T>(
  { transaction }: Pick<Database, 'transaction'>,
  { directory, ...stage }: Batch<T>,
): Promise<T | DirectoryChanged> {
  const reads = factReads(directory, stage.request)
  const first = [lockDirectory(directory), ...reads.flatMap((read) => read.statements)]
  return transaction(first, ([lock, ...rows]): Conclusion<T | DirectoryChanged> => {
    const state = decodeLocked(lock)
    if (state === undefined) return { statements: [], answer: 'directory-changed' }
    return conclude(directory, stage, factsOf(state, reads, rows))
  })
}

/** The columns of `decodeLocked`. */
const lockedColumns = `last_sequence, discarded_events, active_users, memberships, held_from,
  (last_change_at is not null)::int4 as has_changed`

const lock = (revision: string) => `
  select ${lockedColumns} from directory_state where directory_id = $1 and revision ${revision} for update`
const [lockAtRevision, lockPresent] = [lock('= $2'), lock('>= 0')]

/**
 * Locks a directory for the transaction and reads its counters; no row when its record is not at that
 * revision, or it is deleted. The statements after it see everything that other processes committed before.
 */
export function lockDirectory({ id, revision }: LockedDirectory): Statement {
  return revision === undefined ? { text: lockPresent, values: [id] } : { text: lockAtRevision, values: [id, revision] }
}

/** Decodes the row of `lockDirectory`; undefined when the directory was changed. */
export function decodeLocked([row]: readonly Row[] = []): CountedState | undefined {
  return row && decodeCountedState(row)
}

/** The statements that a stage decides, and the next stage. */
function conclude<T>(
  directory: LockedDirectory,
  { decide }: Stage<T>,
  facts: Facts & { readonly state: CountedState },
): Conclusion<T> {
  const { state } = facts
  const decision = decide(facts)
  const { writes } = decision
  const statements = writeStatements(directory.id, writes, state)
  if ('answer' in decision) return { statements, answer: decision.answer(state.lastSequence) }
  const { next } = decision
  const reads = factReads(directory, next.request)
  const following = reads.flatMap((read) => read.statements)
  return {
    statements: [...statements, ...following],
    next: (rows) =>
      conclude(directory, next, factsOf(stateAfter(state, writes.state), reads, rows.slice(-following.length))),
  }
}
