import { createKeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import type { StoreLog } from '../log.ts'
import { silentStoreLog } from '../log.ts'
import { purgeDeleted } from '../purge.ts'
import { refuseUnreadable, selectUnreadable } from '../reseal.ts'
import { integer } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { createSharedParts } from '../shared-parts.ts'
import type { SqlDatabase, Statement } from '../sql-database.ts'
import type { Store } from '../store.ts'
import type { Commit } from '../write/batch.ts'
import { createWriteProbe } from '../write-probe.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'
import { createLargeChangeLimit, healthConnectionMs, largeChanges, splitPool } from './limits.ts'
import { migratePostgres } from './migrate.ts'
import { createNotices } from './notices.ts'
import { inspectPooler, poolerProblem } from './pooler.ts'
import { postgresProvisioning } from './provisioning.ts'
import { searchEngine } from './search.ts'
import { serversAt } from './servers.ts'
import { configureSessions } from './sessions.ts'
import { now } from './sql.ts'
import { createSqlDatabase } from './sql-database.ts'
import { createReadSnapshot } from './user-snapshots.ts'
import { commitKnown } from './write/commit.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; see `parsePostgresAddress`. */
  readonly url: string
  /** The most connections that this process opens, three at least; see `splitPool`. */
  readonly poolSize?: number | undefined
  /** The address of the server itself, for notices and migrations, when `url` is that of a pooler. */
  readonly directUrl?: string | undefined
  /** The limit of directories without one of their own; null: none. */
  readonly removalLimit?: RemovalLimit | null
  /** Receives lines about migrations, and a pooler that loses prepared statements; by default none are written. */
  readonly log?: StoreLog
}

/**
 * Opens a PostgreSQL database, migrating it as needed. Any number of processes may use it, also through a pooler in
 * transaction mode. Every operation rejects with `StoreUnavailable` while the database cannot be reached.
 *
 * @param onPurgeError called when purging a deleted directory in the background fails; the next start continues
 * @throws Error when a URL is not valid, a newer version migrated it, or none of the keys decrypts one of its secrets
 * @throws StoreUnavailable when it cannot be reached
 */
export async function openPostgresStore(
  { url, poolSize = 10, directUrl, removalLimit = null, log = silentStoreLog }: PostgresOptions,
  sealing: Sealing,
  onPurgeError: (error: unknown) => void,
): Promise<Store> {
  const configured = serversAt(url, 'databaseUrl')
  const direct = directUrl === undefined ? configured : serversAt(directUrl, 'databaseDirectUrl')
  await migratePostgres({ servers: direct, log })
  const { servers, areConfigured } = await configureSessions(configured)
  const canPrepare = areConfigured || (await inspectPooler(servers)) !== 'unsupported'
  if (!canPrepare) log.warn({}, `${poolerProblem.problem}. ${poolerProblem.advice}`)
  const shares = splitPool(poolSize)
  const database = openDatabase(servers, shares.provisioning, { areConfigured, canPrepare })
  const delivery = openDatabase(servers, shares.delivery, { areConfigured, canPrepare })
  const health = openDatabase(servers, shares.health, { areConfigured, canPrepare, maxAgeMs: healthConnectionMs })
  await orClose(database, async () => refuseUnreadable(await database.query(selectUnreadable(sealing.keyIds))))
  const shared = createSqlDatabase(database)
  const sharedDelivery = createSqlDatabase(delivery)
  const queue = createKeyedQueue()
  const commit: Commit = (batch) => queue.inTurn(batch.directory.id, () => commitKnown(database, batch))
  const notices = createNotices(direct, delivery)
  servers.onDiscard(notices.reconnect)
  const largeChangeLimit = createLargeChangeLimit(largeChanges(shares.provisioning))
  const readSnapshot = createReadSnapshot(database)
  const purge = createPurge(sharedDelivery, onPurgeError)
  purge.start()

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.all([queue.idle(), purge.stop(), notices.close()])
    await Promise.all([database, delivery, health].map((pool) => pool.close()))
  }

  const parts = createSharedParts({
    ...{ database: shared, background: sharedDelivery, records: sharedDelivery, commit, sealing, removalLimit },
    provisioning: postgresProvisioning(database, shared, queue, largeChangeLimit),
    searchEngine: searchEngine(shared),
    purge: purge.start,
  })

  return {
    ...parts,
    // It occupies a connection for as long as a large change.
    readSnapshot: (id, work) => largeChangeLimit({ tenant: id }, () => readSnapshot(id, work)),
    publishNotice: notices.publish,
    onNotice: notices.listen,
    // Vacuuming overwrites what is left of erased rows.
    overwriteErased: async () => {},
    backup: undefined,
    ping: createWriteProbe(() => health.atomically([requireWrites, writeNothing])),
    async readClock() {
      const [row = {}] = await health.query({ text: `select ${now} as now`, values: [] })
      return integer(row, 'now')
    },
    countConnections: () => [
      { pool: 'provisioning', ...database.counts() },
      { pool: 'delivery', ...delivery.counts() },
      { pool: 'health', ...health.counts() },
    ],
    lastBackupAt: () => undefined,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Finds and locks nothing. It is rejected by a server that accepts no writes (25006), and after a migration that older processes must not
 * write beside, as it names the columns by which that is prevented.
 */
const requireWrites: Statement = {
  text: `
    select s.revision, p.lease_token
    from directory_state s join delivery_streams p on p.directory_id = s.directory_id where false for update`,
  values: [],
}

/**
 * Writes an empty message to the log of the server, for whose commit it waits as for that of a change: for the disk, and for a synchronous
 * standby. No row changes, so that processes do not wait for each other, and there is nothing to vacuum.
 */
const writeNothing: Statement = { text: `select from pg_logical_emit_message(true, 'rollcall', '')`, values: [] }

/** Purges deleted directories in the background. */
function createPurge(database: SqlDatabase, onError: (error: unknown) => void) {
  let isStopped = false
  let running = Promise.resolve()
  return {
    /** Purges the directories that are deleted by now, after the running purge. */
    start() {
      running = running.then(() => purgeDeleted(database, () => isStopped)).catch(onError)
    },
    /** Stops after the current step; the next start continues. */
    stop() {
      isStopped = true
      return running
    },
  }
}

async function orClose<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await database.close()
    throw error
  }
}
