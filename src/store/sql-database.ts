import type { Row } from './row.ts'

/** A statement; its parameters are `$1`, `$2` … on both engines. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** The statement is not prepared: there are too many like it. */
  readonly isRare?: boolean
}

/** The end of a transaction: its last statements, and its result. */
export type Conclusion<T> = LastConclusion<T> | NextConclusion<T>

export interface LastConclusion<T> {
  readonly statements: readonly Statement[]
  readonly answer: T
}

/** Statements whose rows decide about further ones, in the same transaction. */
interface NextConclusion<T> {
  readonly statements: readonly Statement[]
  readonly next: (rows: Row[][]) => Conclusion<T>
}

/** The database of either engine, for the parts of the store whose statements are the same on both. */
export interface SqlDatabase {
  /**
   * Runs a read. PostgreSQL cannot store the NUL character: a text that has one matches nothing there, while a write with
   * one fails.
   */
  query(statement: Statement): Promise<Row[]>
  /** Runs statements in one transaction; returns the rows of each. */
  atomically(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs statements, then those that `conclude` derives from their rows, in one transaction. `conclude` is called again when
   * the transaction is repeated.
   */
  transaction<T>(first: readonly Statement[], conclude: (rows: Row[][]) => Conclusion<T>): Promise<T>
  readonly dialect: Dialect
}

/** The expressions that the two engines write differently. */
export interface Dialect {
  /** Unix milliseconds by the clock of the database: leases do not depend on the clock of any process. */
  readonly now: string
  /** Names the index for a table on SQLite, which keeps no statistics to choose by; empty on PostgreSQL, which has no such hints. */
  indexedBy(index: string): string
  /**
   * Joins the row of a table whose key a condition names, or the rows if it names the beginning of the key. On PostgreSQL they are
   * looked up, whatever number of rows the planner expects.
   */
  joinOne(table: string, alias: string, condition: string): string
}

/** Whether a value of the statement is a text with a NUL character. */
export function holdsNul({ values }: Pick<Statement, 'values'>): boolean {
  return values.some((value) => typeof value === 'string' && value.includes('\0'))
}

/** The text without NUL characters. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
