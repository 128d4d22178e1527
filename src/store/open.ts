import { dirname, join } from 'node:path'
import { keepEncryptionKey, newEncryptionKey, parseEncryptionKeys } from './encryption-key.ts'
import { createSealing } from './sealing.ts'
import { openSqliteStore } from './sqlite/open.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…`. */
  readonly databaseUrl: string
  /** See `parseEncryptionKeys`; needed on PostgreSQL. */
  readonly encryptionKey: string | undefined
  /** Connections to PostgreSQL. */
  readonly poolSize: number
  /** Told when work in the background fails; it is tried again. */
  readonly onBackgroundError: (error: unknown) => void
}

/**
 * Opens the database that an address names, migrated.
 *
 * @throws Error when it cannot be opened, is newer than this code, or is in use by another process (SQLite)
 */
export async function openStore({
  databaseUrl,
  encryptionKey,
  poolSize,
  onBackgroundError,
}: StoreOptions): Promise<Store> {
  const given = encryptionKey === undefined ? undefined : parseEncryptionKeys(encryptionKey)
  if (databaseUrl.startsWith('sqlite:')) {
    const file = databaseUrl.slice('sqlite:'.length)
    const keys = given ?? (file === ':memory:' ? newEncryptionKey() : keepEncryptionKey(keyFile(file)))
    return openSqliteStore(file, createSealing(keys), onBackgroundError)
  }
  if (given === undefined) throw new Error('PostgreSQL needs an encryption key of 32 bytes (ENCRYPTION_KEY).')
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore({ url: databaseUrl, poolSize }, createSealing(given), onBackgroundError)
}

/** `data/rollcall.db` has its key in `data/rollcall.key`. */
function keyFile(file: string): string {
  return join(
    dirname(file),
    `${file
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '')}.key`,
  )
}
