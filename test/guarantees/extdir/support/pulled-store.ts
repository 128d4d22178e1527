import { newEndpointSecret } from '../../../../src/delivery/endpoint/signature.ts'
import type { Directories } from '../../../../src/directory/directories.ts'
import { createDirectories } from '../../../../src/directory/directories.ts'
import { newId } from '../../../../src/ids/new-id.ts'
import { createDirectoryAccess } from '../../../../src/service-provider/access.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { Store } from '../../../../src/store/store.ts'
import { testAudited } from '../../../support/audited.ts'
import type { Engine } from '../../../support/database.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { openStoreOf } from '../../support/store.ts'

/** A new database for pulled directories. */
export interface PulledStore extends AsyncDisposable {
  readonly store: Store
  /** The directories as a process with this clock manages them. */
  directoriesAt(clock: () => number): Directories
}

/** Opens the database without a service, so that tests control the time. */
export async function openPulledStore(engine: Engine): Promise<PulledStore> {
  await using opening = new AsyncDisposableStack()
  const store =
    engine === 'sqlite' ? await openInMemory() : await openStoreOf(opening.use(await openTestDatabase(engine)))
  opening.defer(() => store.close())
  const closing = opening.move()
  return {
    store,
    directoriesAt(clock) {
      const access = createDirectoryAccess(store, clock)
      const checkEndpointUrl = async () => undefined
      const parts = { store, access, audited: testAudited, clock, newId, newEndpointSecret, checkEndpointUrl }
      return createDirectories(parts)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Faster: durability is not tested here. */
function openInMemory(): Promise<Store> {
  return openStore({
    databaseUrl: 'sqlite::memory:',
    encryptionKey: undefined,
    poolSize: 1,
    onBackgroundError(error) {
      throw error
    },
  })
}
