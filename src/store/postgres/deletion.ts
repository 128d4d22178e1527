import type { Committed, DirectoryChanged } from '../../directory/store.ts'
import type { UnnumberedEvent } from '../numbered-events.ts'
import type { Row } from './database.ts'

export type DeletionOutcome = Committed | 'version-mismatch' | DirectoryChanged

/** Answers deletions from what their statement returns: the last sequence number before it, and which were done. */
export function answerDeletions(
  inputs: readonly { readonly event: UnnumberedEvent }[],
  rows: readonly Row[] | undefined,
): DeletionOutcome[] {
  const [row] = rows ?? []
  if (row === undefined) return inputs.map(() => 'directory-changed')
  const { last_sequence, gone } = row as { last_sequence: number; gone: number[] | null }
  return inputs.map(({ event }, index) => {
    const place = gone?.indexOf(index + 1) ?? -1
    return place < 0 ? 'version-mismatch' : { events: [{ ...event, sequence: last_sequence + place + 1 }] }
  })
}
