import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { sequenceBits } from '../../src/store/search-terms.ts'
import { rowKey } from '../../src/store/sqlite/directory-state.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, committed, someUser, writesTo } from './store/samples.ts'

const [lastDirectory, lastSequence] = [2 ** (53 - sequenceBits) - 1, 2 ** sequenceBits - 1]

test('the last row key is exact, and the next number has none', () => {
  assert.equal(rowKey(lastDirectory, lastSequence), Number.MAX_SAFE_INTEGER)
  for (const [directory, sequence] of [
    [lastDirectory + 1, 1],
    [1, lastSequence + 1],
    [lastDirectory + 1, lastSequence + 1],
  ] as const) {
    assert.throws(() => rowKey(directory, sequence), StoreUnavailable)
  }
})

/** A database in a file, changed by SQL between two openings. */
async function withFile(work: (file: { open(): Store; execute(sql: string): void }) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-keys-'))
  const path = join(folder, 'rollcall.db')
  const openStore = () => openSqliteStore(path, someSealing(), failOnPurgeError)
  const execute = (sql: string) => {
    const db = new DatabaseSync(path)
    db.exec(sql)
    db.close()
  }
  try {
    await work({ open: openStore, execute })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('a user whose search terms would have no row key is rejected, and changes nothing', () =>
  withFile(async ({ open, execute }) => {
    const before = open()
    const directory = await addDirectory(before)
    await before.close()
    execute(`update directory_state set last_sequence = ${lastSequence - 1}`)
    const store = open()
    const { createUser } = writesTo(store, directory)
    committed(await createUser(someUser({ userName: 'last' })))
    await assert.rejects(createUser(someUser({ userName: 'too-late' })), StoreUnavailable)
    assert.deepEqual(
      (await store.eventsAfter(directory.id, 0, 9)).map(({ sequence }) => sequence),
      [lastSequence],
    )
    await store.close()
  }))

test('a directory whose search terms would have no row keys is rejected', () =>
  withFile(async ({ open, execute }) => {
    const before = open()
    const directory = await addDirectory(before)
    await before.close()
    execute(`
      update directories set number = ${lastDirectory};
      update directory_state set number = ${lastDirectory}`)
    const store = open()
    committed(await writesTo(store, directory).createUser(someUser({ userName: 'in-the-last' })))
    await assert.rejects(addDirectory(store), StoreUnavailable)
    await store.close()
  }))
