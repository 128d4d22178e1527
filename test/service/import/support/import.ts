import assert from 'node:assert/strict'
import { createAudited } from '../../../../src/admin/audit/chain.ts'
import { systemCaller } from '../../../../src/directory/audit.ts'
import { newSecret } from '../../../../src/directory/secret.ts'
import { newId } from '../../../../src/ids/new-id.ts'
import type { ImportMode } from '../../../../src/polis/import/context.ts'
import type { ImportPolisOptions } from '../../../../src/polis/import/import-polis.ts'
import { importPolis } from '../../../../src/polis/import/import-polis.ts'
import type { ImportReport } from '../../../../src/polis/import/report.ts'
import { openStore } from '../../../../src/store/open.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { Engine, TestDatabase, TestService } from '../../../support/service.ts'
import { openTestDatabase, startTestService } from '../../../support/service.ts'
import type { MemoryPolis } from './memory-polis.ts'
import { memorySource } from './memory-polis.ts'

type Options = Partial<Pick<ImportPolisOptions, 'source' | 'withResync' | 'filter' | 'signal' | 'onProgress'>>

/** A database, and imports into it in this process. */
export interface ImportBench extends AsyncDisposable {
  readonly database: TestDatabase
  store(): Promise<Store>
  run(polis: MemoryPolis, mode: ImportMode, options?: Options): Promise<ImportReport>
  /** Runs work while the service uses the database; on SQLite nothing else can. */
  withService<T>(work: (service: TestService) => Promise<T>): Promise<T>
}

/** Opens an empty database. */
export async function openImportBench(engine: Engine): Promise<ImportBench> {
  const database = await openTestDatabase(engine)
  let opened: Promise<Store> | undefined
  const store = () => {
    opened ??= openStore({ ...databaseOf(database), poolSize: 3, onBackgroundError: () => {} })
    return opened
  }
  const close = async () => {
    await (await opened)?.close()
    opened = undefined
  }
  return {
    database,
    store,
    async run(polis, mode, options = {}) {
      const into = await store()
      const key = await into.getOrCreateSecret('audit-chain', newSecret())
      return importPolis({
        ...{ mode, store: into, source: memorySource(polis), origin: 'postgres://polis.example/polis', filter: {} },
        ...{ caller: systemCaller('rollcall import polis'), audited: createAudited(key, newId), newId, newSecret },
        ...{
          setupLinkKey: await into.getOrCreateSecret('setup-links', newSecret()),
          clock: Date.now,
          signal: undefined,
        },
        ...options,
      })
    },
    async withService(work) {
      await close()
      await using service = await startTestService(database)
      return await work(service)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await database[Symbol.asyncDispose]()
    },
  }
}

function databaseOf({ env: { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey } }: TestDatabase) {
  return { databaseUrl, encryptionKey }
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
      const { version: _, createdAt: __, updatedAt: ___, ...user } = full.get(item.id) ?? assert.fail()
      return user
    }),
    groups: groups.map(({ item: { id, name, raw } }, index) => {
      const ofGroup = (members[index] ?? []).map(({ item }) => `${item.memberType} ${item.id}`)
      return { id, name, raw, members: ofGroup }
    }),
  }
}
