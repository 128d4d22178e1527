import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryChanged } from '../../../directory/directory-store.ts'
import type { Batch, Commit, Stage } from '../../write/batch.ts'
import { batchWrites } from '../../write/batches.ts'
import type { WrittenDirectory } from '../../write/effects/effect.ts'
import { stateAfter } from '../../write/state.ts'
import type { DirectoryState } from '../directory-state.ts'
import type { WriteDirectory } from '../directory-writes.ts'
import type { Members } from '../members.ts'
import type { RunStatement } from '../sql-database.ts'
import type { ReadFacts } from './facts.ts'
import { createReadFacts } from './facts.ts'
import type { WriteRows } from './rows.ts'
import { createWriteRows } from './rows.ts'

/** How a batch reads and writes. */
export interface CommitParts {
  readonly readFacts: ReadFacts
  readonly writeRows: WriteRows
}

export function createCommitParts(db: DatabaseSync, run: RunStatement): CommitParts {
  return { readFacts: createReadFacts(db, run), writeRows: createWriteRows(db, run) }
}

/** The parts that the provisioning of users and of groups share. */
export interface ProvisioningParts {
  readonly batched: Batched
  readonly members: Members
}

/** Commits batches: each is one write of the group commit. */
export function createCommit(write: WriteDirectory, parts: CommitParts): Commit {
  return (batch) => write(batch.directory, (directory) => writeBatch(parts, directory, batch))
}

/** Makes the writes of one kind share batches: those of a directory that wait for the same commit. */
export type Batched = <I, O extends object | string>(
  batchOf: (directory: WrittenDirectory, inputs: readonly I[]) => Batch<readonly (O | undefined)[]>,
) => (directory: WrittenDirectory, input: I) => Promise<O | DirectoryChanged>

export function createBatched(write: WriteDirectory, parts: CommitParts): Batched {
  // The group commit is the turn of a batch.
  const atOnce = (_: string, work: () => Promise<void>) => void work()
  return (batchOf) =>
    batchWrites(atOnce, (directory, take) =>
      write(directory, (state) => writeBatch(parts, state, batchOf(directory, take()))),
    )
}

/** Decides and writes a batch in the transaction of the caller, stage by stage. */
export function writeBatch<T>({ readFacts, writeRows }: CommitParts, directory: DirectoryState, batch: Stage<T>): T {
  const decision = batch.decide(readFacts(directory, batch.request))
  writeRows(directory, decision.writes)
  if ('answer' in decision) return decision.answer(directory.lastSequence)
  // The first events of a directory mark it.
  const isMarked = directory.isMarked || decision.writes.state.events > 0
  const after = { ...stateAfter(directory, decision.writes.state), isMarked }
  return writeBatch({ readFacts, writeRows }, after, decision.next)
}

/** The outcome of a batch of one. */
export function onlyOutcome<O>(outcomes: readonly (O | undefined)[] | 'directory-changed'): O | 'directory-changed' {
  if (outcomes === 'directory-changed') return outcomes
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('The only change of a batch was left out.')
  return outcome
}
