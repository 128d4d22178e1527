import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sealing } from '../../../src/store/sealing.ts'
import { createSealing } from '../../../src/store/sealing.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventually } from '../../support/eventually.ts'

/** An empty database for one test. */
export interface TestDatabase extends AsyncDisposable {
  /** Opens a store on it. SQLite allows only one open store at a time. */
  open(sealing?: Sealing): Promise<Store>
  /** The rows of a table on disk, after every store was closed. */
  rows(table: Table): Promise<Row[]>
  /** The same for several tables, in their order. */
  rowsOf(tables: readonly Table[]): Promise<Row[][]>
  /** Runs a statement on the database itself, as an attacker with access to it could, after every store was closed. */
  execute(sql: string): Promise<void>
  /** Simulates a migration by a newer version. */
  pretendNewer(): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

export type CreateDatabase = () => Promise<TestDatabase>

/** The tables with rows of directories. */
export const directoryTables = [
  'directories',
  'directory_state',
  'list_counts',
  'users',
  'user_emails',
  'groups',
  'members',
  'events',
  'delivery_streams',
  'dead_events',
  'replays',
  'operator_notices',
  'settings',
  'resyncs',
  'deliveries',
  'request_batches',
  'refused_subjects',
  'request_bodies',
  'delivery_attempts',
  'request_logs',
  'sync_runs',
  'held_deletions',
  'spent_authorizations',
  'pending_authorizations',
  'search_terms',
  'directory_health',
  'event_volumes',
  'deleted_users',
  'feed_runs',
  'imports',
  'user_roles',
  'role_counts',
  'mapping_runs',
  'directory_mappings',
  'adoptions',
  'adoption_accounts',
] as const

/** All tables, including those of the service itself, which outlive every directory. */
export const tables = [
  ...directoryTables,
  'admin_users',
  'admin_tokens',
  'api_keys',
  'console_sessions',
  'audit_entries',
  'audit_head',
  'erasures',
] as const

export type Table = (typeof tables)[number]

export const someKey = Buffer.alloc(32, 1)

/** The engine that a contract tests. */
export interface StoreUnderTest {
  /** A database for one test. */
  readonly createDatabase: CreateDatabase
  /** A store that is shared by all tests that only use their own directories. */
  readonly openStore: () => Promise<Store>
}

/** Opens the shared store for the first test that needs it; it is removed after the tests of the file. */
export function shareStore(createDatabase: CreateDatabase): () => Promise<Store> {
  let opened: Promise<{ store: Store } & AsyncDisposable> | undefined
  after(async () => (await opened)?.[Symbol.asyncDispose]())
  return async () => {
    opened ??= openAlone(createDatabase)
    return (await opened).store
  }
}

/** Opens a store on a new database; both are removed at the end of the test. */
export async function openAlone(createDatabase: CreateDatabase): Promise<{ store: Store } & AsyncDisposable> {
  const database = await createDatabase()
  const store = await database.open()
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

export function someSealing(): Sealing {
  return createSealing([someKey])
}

/**
 * Closes a store once a deleted directory is purged, whose own row is the last. Closing interrupts the purge: a longer
 * time each round lets it finish a step on a busy machine too.
 */
export async function closeWhenPurged(database: TestDatabase, store: Store, directoryId: string): Promise<void> {
  let [open, openMs] = [store, 20]
  await eventually('the directory to be purged', async () => {
    await pause(openMs)
    openMs *= 2
    await open.close()
    const isPurged = (await database.rows('directories')).every(({ id }) => id !== directoryId)
    if (!isPurged) open = await database.open()
    return isPurged
  })
}

/** Fails the test when purging in the background fails. */
export function failOnPurgeError(error: unknown): void {
  throw error
}
