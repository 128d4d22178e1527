import type { DatabaseSync } from 'node:sqlite'
import type { Row } from '../../row.ts'
import type { Facts, FactsRequest } from '../../write/facts.ts'
import { noFacts } from '../../write/facts.ts'
import { createKeyedFacts } from '../../write/keyed-facts.ts'
import type { DirectoryState } from '../directory-state.ts'
import type { RunStatement } from '../sql-database.ts'
import { dialect, sqliteText } from '../sql-database.ts'

/** Reads facts in the transaction of the caller. */
export type ReadFacts = (directory: DirectoryState, request: FactsRequest) => Facts

export function createReadFacts(db: DatabaseSync, run: RunStatement): ReadFacts {
  const keyedFacts = createKeyedFacts(dialect, ({ columns, shared = 1, rowsOf }) =>
    db.prepare(sqliteText(rowsOf(...columns.map((_, index) => `$${shared + 1 + index}`)))),
  )
  return (directory, request) => {
    const rows: Record<string, Row[]> = {}
    for (const name in request.reads) {
      const read = request.reads[name]
      if (read !== undefined) rows[name] = run(read)
    }
    const facts = { ...noFacts, state: directory, rows }
    for (const { reads, decode } of keyedFacts(possiblyLeft(directory, request, rows['windows']))) {
      const found = reads.map(({ statement, keys, further = [] }) =>
        keys.map((key) => statement.all(directory.id, ...further, ...key)),
      )
      Object.assign(facts, decode(found))
    }
    return facts
  }
}

/**
 * Without those who cannot be found: nobody was removed in a directory without counted removals, and nobody returns who was deleted long
 * ago. Computing the digests of names takes as long as the rest of a creation.
 */
function possiblyLeft(
  { userDeletedAt = 0 }: DirectoryState,
  { removed = [], returning = [], ...request }: FactsRequest,
  windows: readonly Row[] = [],
): FactsRequest {
  return {
    ...request,
    removed: windows.some(({ kind }) => kind === 'users') ? removed : [],
    returning: returning.filter(({ recognition }) => recognition !== undefined && userDeletedAt >= recognition.since),
  }
}
