import { after } from 'node:test'
import type { Sealing } from '../../../src/store/sealing.ts'
import { createSealing } from '../../../src/store/sealing.ts'
import type { Store } from '../../../src/store/store.ts'

/** An empty database for one test. */
export interface TestDatabase extends AsyncDisposable {
  /** Opens a store on it. One of them is open at a time, where the engine asks for that. */
  open(sealing?: Sealing): Promise<Store>
  /** The rows of a table as they are on disk, once every store is closed. */
  rows(table: Table): Promise<Record<string, unknown>[]>
  /** Runs a statement on the database itself, as somebody does who has got hold of it, once every store is closed. */
  execute(sql: string): Promise<void>
  /** Makes it look like one that a newer version migrated. */
  pretendNewer(): Promise<void>
}

export type CreateDatabase = () => Promise<TestDatabase>

/** What directories have. */
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
  'settings',
  'resyncs',
  'deliveries',
  'sync_runs',
  'held_deletions',
  'spent_authorizations',
  'pending_authorizations',
] as const

/** With what the management of the service has, which outlives every directory. */
export const tables = [
  ...directoryTables,
  'admin_users',
  'admin_tokens',
  'api_keys',
  'audit_entries',
  'audit_head',
] as const

export type Table = (typeof tables)[number]

export const someKey = Buffer.alloc(32, 1)

/** What the contract runs on. */
export interface StoreUnderTest {
  /** A database that the test has for itself. */
  readonly createDatabase: CreateDatabase
  /** The store that all tests share which keep to their own directories. */
  readonly openStore: () => Promise<Store>
}

/** Makes the shared store when the first test asks for it; it is gone after the tests of the file. */
export function shareStore(createDatabase: CreateDatabase): () => Promise<Store> {
  let opened: Promise<{ store: Store } & AsyncDisposable> | undefined
  after(async () => (await opened)?.[Symbol.asyncDispose]())
  return async () => {
    opened ??= openAlone(createDatabase)
    return (await opened).store
  }
}

/** Opens a store on a new database; both are gone at the end of the test. */
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

/** What purging in the background must not do in a test. */
export function failOnPurgeError(error: unknown): void {
  throw error
}
