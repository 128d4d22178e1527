import { dirname, join } from 'node:path'
import { keepEncryptionKey, newEncryptionKey, parseEncryptionKeys } from './encryption-key.ts'
import { createSealing } from './sealing.ts'
import { openSqliteStore } from './sqlite/open.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** `sqlite:<file>` or `postgres://…`. */
  readonly databaseUrl: string
  /** See `parseEncryptionKeys`; required on PostgreSQL. */
  readonly encryptionKey: string | undefined
  /** The most connections to PostgreSQL. */
  readonly poolSize: number
  /** The address of the PostgreSQL server itself when `databaseUrl` is that of a pooler. */
  readonly directUrl?: string | undefined
  /** Called when background work fails; the work is retried. */
  readonly onBackgroundError: (error: unknown) => void
}

/**
 * Opens a database and migrates it to the current schema.
 *
 * @throws Error when it cannot be opened, is newer than this code, or is in use by another process (SQLite)
 */
export async function openStore({
  databaseUrl,
  encryptionKey,
  poolSize,
  directUrl,
  onBackgroundError,
}: StoreOptions): Promise<Store> {
  const givenKeys = encryptionKey === undefined ? undefined : parseEncryptionKeys(encryptionKey)
  if (databaseUrl.startsWith('sqlite:')) {
    const file = databaseUrl.slice('sqlite:'.length)
    const keys = givenKeys ?? (file === ':memory:' ? newEncryptionKey() : keepEncryptionKey(keyFile(file)))
    return openSqliteStore(file, createSealing(keys), onBackgroundError)
  }
  if (givenKeys === undefined) throw new Error('PostgreSQL needs an encryption key of 32 bytes (ENCRYPTION_KEY).')
  const { openPostgresStore } = await import('./postgres/open.ts')
  return openPostgresStore({ url: databaseUrl, poolSize, directUrl }, createSealing(givenKeys), onBackgroundError)
}

/** The key of `data/rollcall.db` is in `data/rollcall.key`. */
function keyFile(file: string): string {
  return join(
    dirname(file),
    `${file
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '')}.key`,
  )
}
