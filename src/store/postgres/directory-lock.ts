import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'

/**
 * Locks a directory for the transaction and reads its last sequence number; no row when its record is not at that
 * revision. What follows in the transaction sees all that other processes committed before.
 */
export function lockDirectory({ id, revision }: DirectoryRevision): Statement {
  return {
    text: 'select last_sequence from directory_state where directory_id = $1 and revision = $2 for update',
    values: [id, revision],
  }
}

/** The last sequence number that `lockDirectory` read; undefined when the directory was changed. */
export function lockedSequence(rows: readonly Row[] | undefined): number | undefined {
  const [row] = rows ?? []
  return row === undefined ? undefined : (row as { last_sequence: number }).last_sequence
}
