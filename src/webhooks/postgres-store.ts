import type { SqlStore, TableOptions, WithClient } from './sql-store.ts'
import { inTurn, sqlParts, tables, tablesPrefix } from './sql-store.ts'

/** The part of a client of the package `pg` that the store uses. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** A client that a pool lends. */
export interface PostgresPoolClient extends PostgresClient {
  /** @param error with one, the connection is not used again */
  release(error?: Error): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a pool of the package `pg` that the store uses. */
export interface PostgresPool<Client extends PostgresPoolClient> {
  connect(): Promise<Client>
}

/** The connections of the store. With one client, it makes one transaction at a time. */
export type PostgresStoreOptions<Client extends PostgresClient> = TableOptions &
  (
    | { readonly pool: PostgresPool<Client & PostgresPoolClient>; readonly client?: undefined }
    | { readonly client: Client; readonly pool?: undefined }
  )

/** A store in a PostgreSQL database, which the handlers change in the same transaction. */
export type PostgresStore<Client extends PostgresClient> = SqlStore<Client>

/**
 * Stores the positions of a consumer in the product's own database, and locks the position of a directory while one of
 * its events is processed: any number of processes may receive events, and each event takes effect once.
 *
 * @throws TypeError when there is neither a pool nor a client, or the prefix is not a name
 */
export function postgresStore<Client extends PostgresClient = PostgresClient>(
  options: PostgresStoreOptions<Client>,
): PostgresStore<Client> {
  const prefix = tablesPrefix(options)
  const withClient = lending(options)
  return {
    transaction: (work) => withClient((client) => inTransaction(client, () => work(client))),
    ...sqlParts(options, {
      query: async (client, text, values) => (await client.query(text, values)).rows,
      withClient,
      lock: 'for update',
    }),
    // The statements of a request with several are one transaction, which the lock makes wait for another process.
    createTables: () =>
      withClient(async (client) => {
        await client.query(`select pg_advisory_xact_lock(hashtext('${prefix}'));${tables(prefix)}`)
      }),
  }
}

function lending<Client extends PostgresClient>({ pool, client }: PostgresStoreOptions<Client>): WithClient<Client> {
  if (pool !== undefined) return (work) => withPooled(pool, work)
  if (client === undefined) throw new TypeError('postgresStore needs a pool or a client of pg.')
  return inTurn(client)
}

async function withPooled<Client extends PostgresPoolClient, T>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that is lost between two statements fails the next one. Without a listener it would end the process.
  client.on('error', nothing)
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // The state of the connection is not known if the rollback failed, too.
    client.release(error instanceof RollbackFailed ? error : undefined)
    throw error instanceof RollbackFailed ? error.cause : error
  } finally {
    client.off('error', nothing)
  }
}

const nothing = (): void => {}

/** The transaction could not be ended; `cause` is the error for which it should have been. */
class RollbackFailed extends Error {}

async function inTransaction<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  // At a stricter level, whoever waits for the position of a directory would fail instead.
  await client.query('begin isolation level read committed')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (cause) {
    await client.query('rollback').catch(() => {
      throw new RollbackFailed('The transaction could not be rolled back.', { cause })
    })
    throw cause
  }
}
