import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { selectUnreadable } from '../reseal.ts'
import { text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { unknownKey } from '../sealing.ts'
import { pendingPostgresMigrations } from './migrate.ts'
import type { Servers } from './servers.ts'
import { withSingleConnection } from './single-connection.ts'

/** The state of a database that an operator checks before the service starts on it. */
export interface DatabaseState {
  /** Such as `17.2`. */
  readonly version: string
  /** The shortest of a few. */
  readonly roundTripMs: number
  /** The number of migrations that the next start applies. */
  readonly pending: number
  /** The reason why this version cannot use the database: a newer one has migrated it, or its schema is unknown. */
  readonly unusable: string | undefined
  readonly isReadOnly: boolean
  /** Positive when the clock of the server is ahead of that of this machine. */
  readonly clockDifferenceMs: number
  readonly maxConnections: number
  /** Why a stored secret cannot be opened. */
  readonly unreadable: string | undefined
}

const responseMs = 10_000

/**
 * Reads the state of a database and changes nothing.
 *
 * @throws StoreUnavailable when it cannot be reached
 */
export function inspectPostgres(servers: Servers, sealing: Sealing | undefined): Promise<DatabaseState> {
  return withSingleConnection({ servers, responseMs }, async (client) => {
    const server = await readServer(client)
    const upgrade = await readUpgrade(client)
    const { rows } = await client.query(`select to_regclass('settings') is not null as there`)
    const canRead = upgrade.unusable === undefined && rows[0]?.there === true
    return { ...server, ...upgrade, unreadable: canRead ? await findUnreadable(client, sealing) : undefined }
  })
}

async function readServer(client: Client) {
  // The first query includes work that later ones do not.
  await client.query('select 1')
  const before = Date.now()
  const startedAt = performance.now()
  const { rows } = await client.query(`
    select current_setting('server_version') as version, current_setting('max_connections')::int as max_connections,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      extract(epoch from clock_timestamp())::float8 * 1000 as now`)
  const elapsedMs = performance.now() - startedAt
  const [row] = rows
  return {
    version: text(row, 'version').replace(/ .*/, ''),
    roundTripMs: await measureRoundTrip(client),
    isReadOnly: row.is_read_only === true,
    maxConnections: Number(row.max_connections),
    clockDifferenceMs: Number(row.now) - (before + elapsedMs / 2),
  }
}

const roundTrips = 5

/** The shortest of a few round trips: the others waited for this process, or for the server, to have time. */
async function measureRoundTrip(client: Client): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < roundTrips; n += 1) {
    const startedAt = performance.now()
    await client.query('select 1')
    shortest = Math.min(shortest, performance.now() - startedAt)
  }
  return shortest
}

async function readUpgrade(client: Client): Promise<Pick<DatabaseState, 'pending' | 'unusable'>> {
  try {
    return { pending: (await pendingPostgresMigrations(client)).length, unusable: undefined }
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    return { pending: 0, unusable: error instanceof Error ? error.message : String(error) }
  }
}

async function findUnreadable(client: Client, sealing: Sealing | undefined): Promise<string | undefined> {
  if (sealing === undefined) return undefined
  const { text: sql, values } = selectUnreadable(sealing.keyIds)
  const { rows } = await client.query(sql, [...values])
  return rows[0] === undefined ? undefined : unknownKey(text(rows[0], 'prefix')).message
}
