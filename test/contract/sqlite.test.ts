import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Directory } from '../../src/directory/directory.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { storeContract } from './contract.ts'
import type { TestDatabase } from './store/database.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { holdMany } from './store/holds.ts'
import { addLargeGroup, changes, requireConsistent } from './store/large-changes.ts'
import { addManyGroups, deletions } from './store/many-groups.ts'
import { addDirectory, committed, someUser, writesTo } from './store/samples.ts'
import { addPulled, begin, finish } from './store/sync-run-samples.ts'

interface SqliteDatabase extends TestDatabase {
  readonly file: string
  rows(table: string): Promise<Record<string, unknown>[]>
}

async function createDatabase(): Promise<SqliteDatabase> {
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
  const rowsIn = (db: DatabaseSync, table: string) => db.prepare(`select * from ${table}`).all()
  return {
    file,
    open: async (sealing = someSealing()) => openSqliteStore(file, sealing, failOnPurgeError),
    rows: async (table: string) => read((db) => rowsIn(db, table)),
    rowsOf: async (tables) => read((db) => tables.map((table) => rowsIn(db, table))),
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

for (const [what, changeOf] of [...Object.entries(changes), ['the deletion of a large group', undefined] as const]) {
  test(`sqlite: ${what} is made as a whole or not at all, whenever the process stops`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    let large = await addLargeGroup(store)
    let before = await requireConsistent(store, large.directory, large.group)
    // A change takes about 60 turns, a deletion about 10. Each run of the test stops them at different turns.
    const step = changeOf === undefined ? 2 : 7
    let turns = Math.floor(Math.random() * step)
    for (let published = 0; published < 2; turns += step) {
      const { directory, group } = large
      const writes = writesTo(store, directory)
      const running = changeOf ? writes.changeMembers(group, changeOf(large)) : writes.deleteGroup(group)
      const settled = running.then(
        () => true,
        () => false,
      )
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      await store.close()
      const isAnswered = await settled
      store = await database.open()
      const visible = await requireConsistent(store, directory, group)
      const isMade = visible.members.length !== before.members.length
      assert.ok(isMade || !isAnswered, `stopped after ${turns} turns`)
      if (!isMade) assert.deepEqual(visible.members, before.members)
      assert.equal(visible.events.length > before.events.length, isMade)
      committed(await writesTo(store, directory).createUser(someUser({ userName: `afterwards-${turns}` })))
      before = await requireConsistent(store, directory, group)
      assert.deepEqual(before.members, visible.members)
      assert.deepEqual(await leftOver(store, database), [0, 0])
      store = await database.open()
      if (!isMade) continue
      published += 1
      large = await addLargeGroup(store)
      before = await requireConsistent(store, large.directory, large.group)
    }
    await store.close()
  })
}

for (const [what, deletionOf] of Object.entries(deletions)) {
  test(`sqlite: the deletion of ${what} in many groups writes few rows per turn of the event loop`, async () => {
    await using database = await createDatabase()
    using written = countRowsWritten()
    const store = await database.open()
    const { remove } = await deletionOf(store, await addManyGroups(store))
    let isOver = false
    const running = remove(store).finally(() => {
      isOver = true
    })
    let [before, most] = [written.rows(), 0]
    while (!isOver) {
      await nextTurn()
      const rows = written.rows()
      most = Math.max(most, rows - before)
      before = rows
    }
    committed(await running)
    await store.close()
    assert.ok(most < 500, `${most} rows`)
  })

  test(`sqlite: ${what} in many groups is deleted as a whole or not at all, whenever the process stops`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const add = async () => {
      const large = await addManyGroups(store)
      return { ...large, ...(await deletionOf(store, large)) }
    }
    let large = await add()
    const step = 2
    let turns = Math.floor(Math.random() * step)
    for (let deleted = 0; deleted < 2; turns += step) {
      const { directory, groups, id, remove } = large
      const settled = remove(store).then(
        () => true,
        () => false,
      )
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      await store.close()
      const isAnswered = await settled
      store = await database.open()
      const isThere = [await store.getUser(directory.id, id), await store.getGroup(directory.id, id)].some(Boolean)
      assert.ok(!isThere || !isAnswered, `stopped after ${turns} turns`)
      const isMember = async ({ id: groupId }: { id: string }) => {
        const members = await store.listMembers(directory.id, groupId, { from: 0, limit: 9 })
        return members.some(({ item }) => item.id === id)
      }
      const inGroups = await Promise.all(groups.map(isMember))
      assert.deepEqual(new Set(inGroups), new Set([isThere]))
      committed(await writesTo(store, directory).createUser(someUser({ userName: `afterwards-${turns}` })))
      const pages = await Promise.all(
        groups.map((group) => store.listMembers(directory.id, group.id, { from: 1, limit: 9 })),
      )
      const sizes = await Promise.all(
        groups.map((group) => store.listMembers(directory.id, group.id, { from: 0, limit: 9 })),
      )
      assert.deepEqual(
        pages.map(({ length }) => length),
        sizes.map(({ length }) => length - 1),
      )
      assert.deepEqual(await leftOver(store, database), [0, 0])
      store = await database.open()
      if (isThere) continue
      deleted += 1
      large = await add()
    }
    await store.close()
  })
}

/** Counts the rows that the databases of this process insert, update and delete from now on. */
function countRowsWritten() {
  const opened = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  const watching = mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    opened.add(this)
    return prepare.call(this, sql)
  })
  const changesOf = (db: DatabaseSync) => Number(prepare.call(db, 'select total_changes() as n').get()?.['n'] ?? 0)
  return {
    rows: () => [...opened].filter(({ isOpen }) => isOpen).reduce((sum, db) => sum + changesOf(db), 0),
    [Symbol.dispose]: () => watching.mock.restore(),
  }
}

/** The staged members and unfinished changes on disk. */
async function leftOver(store: Store, database: SqliteDatabase): Promise<number[]> {
  await store.close()
  const staged = (await database.rows('members')).filter((row) => row['staged'] !== null)
  return [staged.length, (await database.rows('large_changes')).length]
}

test('sqlite: while many held events are discarded, other directories are written to', async () => {
  await using database = await createDatabase()
  const store = await database.open()
  const { directory, request } = await holdMany(store)
  const other = await addDirectory(store)
  const written: string[] = []
  const create = async (to: Directory, userName: string) => {
    committed(await writesTo(store, to).createUser(someUser({ userName })))
    written.push(userName)
  }
  await store.discardHold(request)
  await Promise.all([create(directory, 'same directory'), create(other, 'other directory')])
  assert.deepEqual(written, ['other directory', 'same directory'])
  await store.close()
})
