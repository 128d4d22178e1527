import { createKeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Sealing } from '../sealing.ts'
import type { Store } from '../store.ts'
import { releaseAroundRuns } from '../sync-runs.ts'
import { postgresAccounts } from './accounts.ts'
import { postgresApiKeys } from './api-keys.ts'
import { postgresAudit } from './audit.ts'
import { postgresAuthorizations } from './authorizations.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'
import { postgresDeliveryLog } from './delivery-log.ts'
import { postgresDirectories } from './directories.ts'
import { postgresEvents } from './events.ts'
import { postgresFeed } from './feed.ts'
import { postgresGroupReads } from './group-reads.ts'
import { postgresHeldDeletions } from './held-deletions.ts'
import { migratePostgres } from './migrate.ts'
import { createNotices } from './notices.ts'
import { withPlannerSettings } from './planner.ts'
import { postgresProvisioning } from './provisioning.ts'
import { createPurge } from './purge.ts'
import { createReader } from './reader.ts'
import { postgresReseal, refuseUnknownKeys } from './reseal.ts'
import { postgresResyncs } from './resync.ts'
import { postgresRetention } from './retention.ts'
import { postgresSettings } from './settings.ts'
import { postgresStreams } from './streams.ts'
import { postgresSyncRuns } from './sync-runs.ts'
import { postgresUserReads } from './user-reads.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The most connections that this process opens. */
  readonly poolSize?: number | undefined
}

/**
 * Opens a PostgreSQL database, migrating it as needed. Any number of processes may use it, also through a pooler in
 * transaction mode. Every operation rejects with `StoreUnavailable` while the database cannot be reached.
 *
 * @param onPurgeError called when purging a deleted directory in the background fails; the next start continues
 * @throws Error when a newer version migrated it, or none of the keys decrypts one of its secrets
 * @throws StoreUnavailable when it cannot be reached
 */
export async function openPostgresStore(
  { url, poolSize = 10 }: PostgresOptions,
  sealing: Sealing,
  onPurgeError: (error: unknown) => void,
): Promise<Store> {
  await migratePostgres(url)
  const database = openDatabase(await withPlannerSettings(url), poolSize)
  await checkKeys(database, sealing)
  const reader = createReader(database)
  const queue = createKeyedQueue()
  const notices = createNotices(url, database)
  const directories = postgresDirectories(database, reader, sealing)
  const { releaseEnded, ...held } = postgresHeldDeletions(database, reader)
  const purge = createPurge(database, onPurgeError)
  purge.start()

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.all([queue.idle(), purge.stop(), notices.close()])
    await database.close()
  }

  return {
    ...directories,
    ...postgresProvisioning(database, queue),
    ...postgresUserReads(database, reader),
    ...postgresGroupReads(reader),
    ...postgresResyncs(database, reader, queue),
    ...postgresEvents(reader),
    ...postgresStreams(database, reader, notices),
    ...postgresFeed(reader),
    ...postgresRetention(database),
    ...postgresDeliveryLog(database, reader),
    ...held,
    ...releaseAroundRuns(postgresSyncRuns(database, reader), releaseEnded),
    ...postgresAuthorizations(database, reader, sealing),
    ...postgresSettings(database, sealing),
    ...postgresAccounts(database, reader),
    ...postgresApiKeys(database, reader),
    ...postgresAudit(database, reader),
    ...postgresReseal(database, sealing),
    async deleteDirectory(id, audit) {
      const deleted = await directories.deleteDirectory(id, audit)
      if (deleted) purge.start()
      return deleted
    },
    async ping() {
      await database.query({ text: 'select 1', values: [] })
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function checkKeys(database: Database, sealing: Sealing): Promise<void> {
  try {
    await refuseUnknownKeys(database, sealing)
  } catch (error) {
    await database.close()
    throw error
  }
}
