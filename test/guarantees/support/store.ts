import { readSettings } from '../../../src/app/settings.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import type { TestDatabase } from '../../support/database.ts'

/** Opens the database of a stopped service, like the service itself. */
export async function openStoreOf(database: TestDatabase): Promise<Store & AsyncDisposable> {
  const { DATABASE_URL, ENCRYPTION_KEY, DATABASE_POOL_SIZE } = readSettings({
    API_KEYS: 'a'.repeat(16),
    ...database.env,
  })
  const store = await openStore({
    databaseUrl: DATABASE_URL,
    encryptionKey: ENCRYPTION_KEY,
    poolSize: DATABASE_POOL_SIZE,
    onBackgroundError(error) {
      throw error
    },
  })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

/** The sequence number and id of every stored event of a directory. */
export async function storedEvents(
  store: Pick<Store, 'eventsAfter'>,
  directoryId: string,
): Promise<{ sequence: number; id: string }[]> {
  const events: { sequence: number; id: string }[] = []
  for (;;) {
    const part = await store.eventsAfter(directoryId, events.at(-1)?.sequence ?? 0, 1000)
    if (part.length === 0) return events
    events.push(...part.map(({ sequence, id }) => ({ sequence, id })))
  }
}
