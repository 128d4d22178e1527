import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { storeContract } from './contract.ts'
import type { TestDatabase } from './store/database.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addPulled, begin, finish } from './store/sync-run-samples.ts'

async function createDatabase(): Promise<TestDatabase & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-store-'))
  const file = join(folder, 'nested', 'rollcall.db')
  function read<T>(work: (db: DatabaseSync) => T): T {
    const db = new DatabaseSync(file)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    file,
    open: async (sealing = someSealing()) => openSqliteStore(file, sealing, failOnPurgeError),
    rows: async (table) => read((db) => db.prepare(`select * from ${table}`).all()),
    execute: async (sql) => read((db) => db.exec(sql)),
    pretendNewer: async () => read((db) => db.exec('pragma user_version = 99')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

storeContract('sqlite', createDatabase)

test('sqlite: a second process cannot open the file and learns that it is in use', async () => {
  await using database = await createDatabase()
  const store = await database.open()
  const script = `
    import { openSqliteStore } from '${import.meta.resolve('../../src/store/sqlite/open.ts')}'
    try {
      openSqliteStore(process.argv[1], { keyIds: ['0'] }, console.error)
    } catch (error) {
      console.log(error.message)
    }`
  const open = () => execFileSync(process.execPath, ['--input-type=module', '-e', script, database.file]).toString()
  assert.match(open(), /in use by another Rollcall process.*PostgreSQL/)
  await store.ping()
  await store.close()
  assert.equal(open(), '')
})

test('sqlite: an unfinished sync run is failed when the file is opened again', async () => {
  await using database = await createDatabase()
  const first = await database.open()
  const [{ id: directoryId }, { id: other }] = [await addPulled(first), await addPulled(first)]
  const run = await begin(first, { directoryId })
  const held = await begin(first, { directoryId: other })
  await finish(first, held, { state: 'held' })
  await first.close()
  const openedAt = Date.now()
  const second = await database.open()
  const left = await second.getSyncRun(directoryId, run.id)
  assert.partialDeepStrictEqual(left, { state: 'failed', error: 'The process that ran it stopped before its end.' })
  assert.ok((left?.finishedAt ?? 0) >= openedAt)
  assert.equal((await second.getSyncRun(other, held.id))?.state, 'held')
  await second.close()
})
