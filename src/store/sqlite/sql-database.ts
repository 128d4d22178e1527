import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row } from '../row.ts'
import type { SqlDatabase, Statement } from '../sql-database.ts'
import type { GroupCommit } from './group-commit.ts'

/** Runs a statement at once: a read, or a write in the transaction that the caller has open. */
export type RunStatement = (statement: Statement) => Row[]

/** Unix milliseconds. */
export const now = `cast(unixepoch('subsec') * 1000 as integer)`

/** Prepares each text once: the texts are constants. */
export function createRunStatement(db: DatabaseSync): RunStatement {
  const prepared = new Map<string, StatementSync>()
  return ({ text, values, isRare = false }) => {
    const statement = prepared.get(text) ?? db.prepare(sqliteText(text))
    if (!isRare) prepared.set(text, statement)
    // SQLite itself rejects a value of another type.
    return statement.all(...(values as readonly SQLInputValue[]))
  }
}

/** Parameters are numbered by `?` here. Rows are not locked: a transaction has the whole file. */
export function sqliteText(text: string): string {
  return text.replace(/\$(\d+)/g, '?$1').replace(/\sfor (?:update|share|key share)(?: skip locked)?/g, '')
}

/** The statements of each transaction are one write of the group commit. */
export function createSqlDatabase(run: RunStatement, write: GroupCommit['write']): SqlDatabase {
  return {
    query: async (statement) => run(statement),
    atomically: (statements) => write(() => statements.map(run)),
    transaction: (first, conclude) =>
      write(() => {
        let conclusion = conclude(first.map(run))
        while ('next' in conclusion) conclusion = conclusion.next(conclusion.statements.map(run))
        conclusion.statements.forEach(run)
        return conclusion.answer
      }),
    dialect: {
      now,
      indexedBy: (index) => `indexed by ${index}`,
      joinOne: (table, alias, condition) => `join ${table} ${alias} on ${condition}`,
    },
  }
}
