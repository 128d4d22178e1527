import type { SqlStore, TableOptions } from './sql-store.ts'
import { inTurn, sqlParts, tables, tablesPrefix } from './sql-store.ts'

/** The part of a `DatabaseSync` of `node:sqlite` that the store uses. */
export interface SqliteDatabase {
  exec(text: string): unknown
  prepare(text: string): {
    all(...values: (string | number | null)[]): unknown[]
    run(...values: (string | number | null)[]): unknown
  }
}

export interface SqliteStoreOptions<Database extends SqliteDatabase> extends TableOptions {
  /** A connection that only the store and its handlers use: other statements on it would be part of their transaction. */
  readonly database: Database
}

/** A store in a SQLite database, which the handlers change in the same transaction. */
export type SqliteStore<Database extends SqliteDatabase> = SqlStore<Database>

/**
 * Stores the positions of a consumer in the product's own SQLite database, which is locked for other writers while an
 * event is processed: several processes may receive events, and each event takes effect once.
 *
 * @throws TypeError when the prefix is not a name
 */
export function sqliteStore<Database extends SqliteDatabase = SqliteDatabase>(
  options: SqliteStoreOptions<Database>,
): SqliteStore<Database> {
  const withDatabase = inTurn(options.database)
  const transaction: SqliteStore<Database>['transaction'] = (work) =>
    withDatabase((database) => inTransaction(database, () => work(database)))
  return {
    transaction,
    ...sqlParts(options, { query, withClient: withDatabase, lock: '' }),
    createTables: () => transaction(async (database) => void database.exec(tables(tablesPrefix(options)))),
  }
}

async function query(database: SqliteDatabase, text: string, values: (string | number | null)[]) {
  const statement = database.prepare(text.replaceAll(/\$\d/g, '?'))
  if (text.trimStart().startsWith('select')) return statement.all(...values) as Readonly<Record<string, unknown>>[]
  statement.run(...values)
  return []
}

async function inTransaction<T>(database: SqliteDatabase, work: () => Promise<T>): Promise<T> {
  // Locks the database at once: a transaction that has read before it writes fails when another has written in between.
  database.exec('begin immediate')
  try {
    const result = await work()
    database.exec('commit')
    return result
  } catch (error) {
    // SQLite has ended the transaction itself after some errors, such as a full disk.
    try {
      database.exec('rollback')
    } catch {}
    throw error
  }
}
