import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { bucketSize } from '../../reads/lists.ts'
import { changesState, stateAssignments, statementsAfter, stateText } from '../../write/state.ts'
import { oneRowTexts } from '../../write/statements.ts'
import type { TableWrite, Value, WriteShape, Writes } from '../../write/writes.ts'
import type { DirectoryState } from '../directory-state.ts'
import { rowKey } from '../directory-state.ts'
import type { RunStatement } from '../sql-database.ts'
import { sqliteText } from '../sql-database.ts'

/** Writes a commit in the transaction of the caller. */
export type WriteRows = (directory: DirectoryState, writes: Writes) => void

export function createWriteRows(db: DatabaseSync, run: RunStatement): WriteRows {
  /** The statements that write the rows of a shape, or the state with assignments, prepared at their first use. */
  const prepared = new Map<WriteShape | string, readonly StatementSync[]>()

  function prepare(shape: WriteShape | string, textsOf: () => readonly string[]): readonly StatementSync[] {
    const found = prepared.get(shape)
    if (found !== undefined) return found
    const statements = textsOf().map((text) => db.prepare(sqliteText(text)))
    prepared.set(shape, statements)
    return statements
  }

  function writeTable(directory: DirectoryState, shape: WriteShape, { rows }: TableWrite): void {
    const { columns } = shape
    const statements = prepare(shape, () => oneRowTexts(shape, (column) => `$${columns.indexOf(column) + 2}`))
    for (const row of rows) {
      const values = columns.map((column) => storedValue(directory, row[column]))
      for (const statement of statements) statement.run(directory.id, ...values)
    }
  }

  function writeState(directory: DirectoryState, { state }: Writes): void {
    const assignments = stateAssignments(state)
    // The marks have indexes, which SQLite writes even if they stay the same.
    const isMarked = directory.isMarked || state.events === 0
    const shape = `state ${isMarked} ${assignments.map(({ sql }) => sql).join()}`
    const [statement] = prepare(shape, () => [stateText(assignments, (index) => `$${index + 2}`, isMarked)])
    statement?.run(directory.id, ...assignments.map(({ value }) => value))
  }

  return (directory, writes) => {
    for (const [shape, write] of writes.tables) writeTable(directory, shape, write)
    if (changesState(writes.state)) writeState(directory, writes)
    for (const statement of statementsAfter(directory, writes)) run(statement)
  }
}

function storedValue(
  { number, lastSequence, discardedEvents }: DirectoryState,
  value: Value | undefined,
): SQLInputValue {
  if (typeof value !== 'object' || value === null) return value ?? null
  if (value.kind === 'sequence') return lastSequence + value.n
  const position = value.isStored ? value.n : lastSequence + discardedEvents + value.n
  if (value.kind === 'row key') return rowKey(number, position)
  return value.kind === 'bucket' ? Math.floor(position / bucketSize) : position
}
