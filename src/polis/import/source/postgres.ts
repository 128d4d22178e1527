import { Pool } from 'pg'
import { PolisSourceError } from './errors.ts'
import type { SqlDatabase, SqlRow } from './sql-store.ts'

const connectionMs = 20_000

/**
 * Opens PostgreSQL or CockroachDB.
 *
 * @param url `postgres://…`, `postgresql://…` or `cockroachdb://…`
 */
export function openPostgres(url: string): SqlDatabase {
  const connectionString = url.replace(/^cockroachdb:/i, 'postgres:')
  const pool = new Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: connectionMs,
    application_name: 'rollcall',
  })
  // A connection that breaks while it is idle is opened again by the next query.
  pool.on('error', () => {})

  return {
    async query(text, parameters) {
      const client = await pool.connect().catch((cause: Error) => {
        throw new PolisSourceError(`The database of Polis cannot be reached: ${cause.message}`, { cause })
      })
      try {
        // A pooler may give each transaction another connection, so that a setting of the session would reach Polis.
        await client.query('begin transaction read only')
        const { rows } = await client.query<SqlRow>(numbered(text), [...parameters])
        await client.query('commit')
        client.release()
        return rows
      } catch (error) {
        // The transaction ends with its connection.
        client.release(true)
        throw described(error)
      }
    },
    milliseconds: (column) => `cast(extract(epoch from cast(${column} as timestamp with time zone)) * 1000 as float8)`,
    close: () => pool.end(),
  }
}

/** Numbers the parameters. No text of a query has a question mark elsewhere. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

const undefinedTable = '42P01'

function described(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== undefinedTable) return error
  return new PolisSourceError(
    'The database has no table jackson_store or jackson_index: name the database that Polis uses.',
    {
      cause: error,
    },
  )
}
