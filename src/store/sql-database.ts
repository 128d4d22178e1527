import type { Row } from './row.ts'
import type { ColumnType } from './write/tables.ts'

/** A statement; its parameters are `$1`, `$2` … on both engines. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** The statement is not prepared: there are too many like it. */
  readonly isRare?: boolean
}

/** No limit. The planner of PostgreSQL cannot know it, as it does a literal. */
export const noLimit = '(select 1000000000)'

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

/** A transaction as a value, which another one can contain. */
export interface Transaction<T> {
  readonly first: readonly Statement[]
  readonly conclude: (rows: Row[][]) => Conclusion<T>
}

/** The database of either engine, for the parts of the store whose statements are the same on both. */
export interface SqlDatabase {
  /**
   * Runs a read. PostgreSQL cannot store the NUL character: a text that has one matches nothing there, while a write with
   * one fails.
   */
  query(statement: Statement): Promise<Row[]>
  /** Runs reads in one round trip; returns the rows of each. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>
  /** Makes a read that is made for several inputs at once; it returns the rows of each input. */
  readEach<C extends InputColumns>(
    read: ReadOf<C>,
  ): (values: readonly unknown[], inputs: readonly InputOf<C>[]) => Promise<Row[][]>
  /**
   * Makes a read of the row of a key. On PostgreSQL, concurrent reads with the same values share a statement, which starts after they
   * were called: it sees everything that was committed before.
   */
  readOne(
    read: ReadOf<KeyColumn>,
    maxSize?: number,
  ): (values: readonly (string | null)[], key: string) => Promise<Row | undefined>
  /** Runs statements in one transaction; returns the rows of each. */
  atomically(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs statements, then those that `conclude` derives from their rows, in one transaction. `conclude` is called again when
   * the transaction is repeated.
   */
  transaction<T>(first: readonly Statement[], conclude: (rows: Row[][]) => Conclusion<T>): Promise<T>
  readonly dialect: Dialect
}

/** The columns of an input of a read, with their types. */
type InputColumns = Readonly<Record<string, ColumnType>>
type InputOf<C extends InputColumns> = { readonly [Name in keyof C]: C[Name] extends 'text' ? string : number | string }
type KeyColumn = { readonly key: 'text' }

/** A read that can be made for several inputs in one statement. */
export interface ReadOf<C extends InputColumns> {
  /** The number of parameters that come first and are the same for all inputs. */
  readonly shared: number
  readonly input: C
  /** The parameter that is the most rows of all inputs together; by default each has all of its rows. */
  readonly limit?: number
  /** The query for the rows of an input, whose columns are these expressions. */
  readonly rowsOf: (input: { readonly [Name in keyof C]: string }) => string
}

/** The read of the rows of a key. `shared` is 1 for the id of the directory. */
export function readOfKey(rowsOf: (key: string) => string, shared = 1): ReadOf<KeyColumn> {
  return { shared, input: { key: 'text' }, rowsOf: ({ key }) => rowsOf(key) }
}

/** Makes the read of the rows of each of several keys in a directory. */
export function readEachKey(
  { readEach }: Pick<SqlDatabase, 'readEach'>,
  rowsOf: (key: string) => string,
): (directoryId: string, keys: readonly string[]) => Promise<Row[][]> {
  const read = readEach(readOfKey(rowsOf))
  return (directoryId, keys) =>
    read(
      [directoryId],
      keys.map((key) => ({ key })),
    )
}

/**
 * The rows of a table whose last key column has a value, in the directory `$1` unless stated otherwise; by this index, where SQLite would
 * choose another.
 */
export type RowsByKey = [
  table: string,
  alias: string,
  column: string,
  value: string,
  columns?: string,
  directoryId?: string,
  index?: string,
]

/**
 * The expressions that differ by necessity. PostgreSQL plans by statistics, which are missing or old while a table fills, and keeps a
 * plan: its expressions leave one index to choose. SQLite finds the index by the equalities, and has other functions.
 */
export interface Dialect {
  /** Unix milliseconds by the clock of the database: leases do not depend on the clock of any process. */
  readonly now: string
  /** Names the index for a table on SQLite, which keeps no statistics to choose by; empty on PostgreSQL, which has no such hints. */
  indexedBy(index: string): string
  /**
   * Joins the row of a table whose key a condition names, or the rows if it names the beginning of the key. On PostgreSQL they are
   * looked up, whatever number of rows the planner expects, by a lateral join, which SQLite does not have.
   */
  joinOne(table: string, alias: string, condition: string): string
  /** As `joinOne`, with a row of nulls when there is no row. */
  leftJoinOne(table: string, alias: string, condition: string): string
  /** The condition that a query finds the value of a column. PostgreSQL would join the rows of `in`, as it likes, and SQLite has no arrays. */
  isIn(column: string, query: string): string
  /** The elements of a JSON array in a parameter, as rows of `value`. Neither engine has the function of the other. */
  elementsOf(parameter: string, alias: string): string
  /** The condition that a column has a value. A query orders by such columns, too. */
  equals(column: string, value: string): string
  /** The query for the row that a key names. */
  oneRow(...key: RowsByKey): string
  /** As `oneRow`, for a column that several rows may share. */
  rowsWith(...key: RowsByKey): string
  /** Joins the row of `oneRow`: SQLite has no lateral joins. Only the `columns` are to be used. */
  rowBy(...key: RowsByKey): string
  /** The condition of the index on a column, which begins with `and`: on PostgreSQL such indexes are partial. */
  indexed(alias: string, column: string): string
  /** A column of the primary key, as other indexes contain it: on PostgreSQL they have an expression instead. */
  apart(column: string): string
  /** A field of the JSON in a column, as JSON; null without it. SQLite has no type for JSON. */
  jsonField(column: string, name: string): string
  /** Collects values as a JSON array, by a function that has another name. */
  jsonArray(value: string): string
  /**
   * The condition that a member `m` is visible, which begins with `and`, and the id of a group that is not deleted. Only SQLite makes
   * large changes, and deletions of large groups, in steps.
   */
  readonly isVisible: string
  presentGroup(groupId: string): string
  /**
   * Whether a list of the users of a group walks through all users until its page is full. In all pages together, this takes less time
   * than sorting the members for each; but on SQLite, a walk through a large directory would block the process.
   */
  readonly walksToMembers: boolean
  /** @throws StoreUnavailable for numbers that have no row key */
  rowKey(directoryNumber: number, sequence: number): number | string
  /** Whether the state of a directory has its number: on SQLite, the process makes row keys of it, and on PostgreSQL statements do. */
  readonly isStateNumbered: boolean
}

/** Returns whether a value of the statement is a text with a NUL character. */
export function holdsNul({ values }: Pick<Statement, 'values'>): boolean {
  return values.some((value) => typeof value === 'string' && value.includes('\0'))
}

/** The text without NUL characters. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/**
 * The first rows of a query until the texts that they stand for reach a size; one in any case. It finds the keys and sizes of rows, which
 * are read afterwards: a database knows the size of a long text without reading it.
 *
 * @param sizes has `bytes`
 * @param order of the rows `k` of `sizes`
 * @param maxBytes as SQL
 */
export function within(sizes: string, order: string, maxBytes: string | number): string {
  return `(
    select * from (
      select k.*, sum(k.bytes) over (order by ${order} rows unbounded preceding) - k.bytes as bytes_before
      from (${sizes}) k
    ) k where k.bytes_before < ${maxBytes}) k`
}
