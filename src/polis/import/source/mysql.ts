import type { Pool, PoolConnection } from 'mysql2/promise'
import { PolisSourceError } from './errors.ts'
import { importDriver } from './import-driver.ts'
import type { SqlDatabase, SqlRow } from './sql-store.ts'

/**
 * Opens MySQL or MariaDB.
 *
 * @param url `mysql://…` or `mariadb://…`
 * @throws PolisSourceError if the driver is not installed
 */
export async function openMysql(url: string): Promise<SqlDatabase> {
  const { createPool } = await importDriver('mysql2', () => import('mysql2/promise'))
  const pool = createPool({ uri: url.replace(/^mariadb:/i, 'mysql:'), connectionLimit: 4, connectTimeout: 20_000 })

  return {
    async query(text, parameters) {
      const connection = await connect(pool)
      try {
        await connection.query('start transaction read only')
        // Double quotes only surround names, as all values are parameters.
        const [rows] = await connection.execute(text.replaceAll('"', '`'), [...parameters])
        await connection.query('commit')
        connection.release()
        return Array.isArray(rows) ? (rows as readonly SqlRow[]) : []
      } catch (error) {
        connection.destroy()
        throw described(error)
      }
    },
    milliseconds: (column) => `unix_timestamp(${column}) * 1000`,
    close: () => pool.end(),
  }
}

async function connect(pool: Pool): Promise<PoolConnection> {
  return await pool.getConnection().catch((cause: Error) => {
    throw new PolisSourceError(`The database of Polis cannot be reached: ${cause.message}`, { cause })
  })
}

function described(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ER_NO_SUCH_TABLE') return error
  return new PolisSourceError(
    'The database has no table jackson_store or jackson_index: name the database that Polis uses.',
    {
      cause: error,
    },
  )
}
