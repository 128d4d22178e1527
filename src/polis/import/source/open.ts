import type { PolisSource } from '../source.ts'
import { createApiSource } from './api-source.ts'
import { createDatabaseSource } from './database-source.ts'
import { createOpenValue } from './encryption.ts'
import { PolisSourceError } from './errors.ts'
import { openMongo } from './mongo.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import type { PolisRecordStore } from './record-store.ts'
import { createSqlRecordStore } from './sql-store.ts'

export interface PolisSourceOptions {
  /** The URL of Polis' database, or the address of a running Polis. */
  readonly from: string
  /** Polis' `DB_ENCRYPTION_KEY`, for its database. */
  readonly key?: string | undefined
  /** One of Polis' `API_KEYS`, for its address. */
  readonly apiKey?: string | undefined
}

const stores: Readonly<Record<string, (url: string) => PolisRecordStore | Promise<PolisRecordStore>>> = {
  postgres: (url) => createSqlRecordStore(openPostgres(url)),
  postgresql: (url) => createSqlRecordStore(openPostgres(url)),
  cockroachdb: (url) => createSqlRecordStore(openPostgres(url)),
  mysql: async (url) => createSqlRecordStore(await openMysql(url)),
  mariadb: async (url) => createSqlRecordStore(await openMysql(url)),
  mongodb: openMongo,
  'mongodb+srv': openMongo,
}

/**
 * Opens a Polis to be read; nothing is ever written.
 *
 * @throws PolisSourceError if the address or the key is wrong, the driver is missing, or Polis cannot be reached
 */
export async function openPolisSource({ from, key, apiKey }: PolisSourceOptions): Promise<PolisSource> {
  const scheme = /^([a-z][a-z+]*):\/\//i.exec(from)?.[1]?.toLowerCase() ?? ''
  if (scheme === 'https' || scheme === 'http') {
    if (apiKey) return createApiSource(from, apiKey)
    throw new PolisSourceError('Reading a running Polis needs one of its API_KEYS: pass it with --api-key.')
  }
  const openStore = Object.hasOwn(stores, scheme) ? stores[scheme] : undefined
  if (openStore === undefined) {
    throw new PolisSourceError(
      `--from must begin with one of ${Object.keys(stores).join('://, ')}://, https:// or http://. Read a Polis on another database over its API.`,
    )
  }
  const open = createOpenValue(key)
  const store = await openStore(from)
  try {
    const samples = await store.sampleEncrypted()
    if (samples.length > 0 && samples.every((sample) => open(sample) === undefined)) throw keyError(key)
    return createDatabaseSource(store, open)
  } catch (error) {
    await store.close()
    throw error
  }
}

function keyError(key: string | undefined): PolisSourceError {
  return new PolisSourceError(
    key
      ? 'The key does not open the records of Polis: pass its DB_ENCRYPTION_KEY with --key.'
      : 'The records of Polis are encrypted: pass its DB_ENCRYPTION_KEY with --key.',
  )
}
