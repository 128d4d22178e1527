import { importPolis } from '../../../../src/app/import-polis.ts'
import type { ImportMode } from '../../../../src/polis/import/context.ts'
import type { ImportReport } from '../../../../src/polis/import/report.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { TestDatabase } from '../../../support/database.ts'
import type { MemoryPolis } from './memory-polis.ts'
import { memorySource } from './memory-polis.ts'

type Options = Partial<Parameters<typeof importPolis>[0]>

/** Runs an import into a test database in this process. */
export function importInto(
  database: TestDatabase,
  polis: MemoryPolis,
  mode: ImportMode,
  options: Options = {},
): Promise<ImportReport> {
  return importPolis({
    ...{ mode, from: 'postgres://polis:secret@polis.example/polis', source: memorySource(polis), poolSize: 3 },
    ...databaseOf(database),
    ...options,
  })
}

function databaseOf({ env: { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey } }: TestDatabase) {
  return { databaseUrl, encryptionKey }
}

/** Opens the store of a test database; disposing of it closes it. */
export async function openTestStore(database: TestDatabase): Promise<Store & AsyncDisposable> {
  const store = await openStore({ ...databaseOf(database), poolSize: 3, onBackgroundError: () => {} })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

/** Everything that a directory holds, without times and versions. */
export async function contentsOf(store: Store, directoryId: string) {
  const part = { from: 0, limit: 1_000 }
  const users = await store.listUsers(directoryId, part)
  const groups = await store.listGroups(directoryId, part)
  const full = await store.getUsers(
    directoryId,
    users.map(({ item }) => item.id),
  )
  const members = await Promise.all(groups.map(({ item }) => store.listMembers(directoryId, item.id, part)))
  return {
    users: users.map(({ item }) => {
      const { version: _, createdAt: __, updatedAt: ___, ...user } = full.get(item.id) ?? {}
      return user
    }),
    groups: groups.map(({ item: { id, name, raw } }, index) => {
      const ofGroup = (members[index] ?? []).map(({ item }) => `${item.memberType} ${item.id}`)
      return { id, name, raw, members: ofGroup }
    }),
  }
}
