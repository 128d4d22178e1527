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
import { createMigratedFile } from '../support/database.ts'
import { runsAll } from '../support/extent.ts'
import { storeContract } from './contract.ts'
import type { TestDatabase } from './store/database.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addLargeGroup, changes, requireConsistent } from './store/large-changes.ts'
import { addManyGroups, deletions } from './store/many-groups.ts'
import { committed, someUser, writesTo } from './store/samples.ts'
import { addPulled, begin, finish } from './store/sync-run-samples.ts'

interface SqliteDatabase extends TestDatabase {
  readonly file: string
  rows(table: string): Promise<Record<string, unknown>[]>
  rowsOf(tables: readonly string[]): Promise<Record<string, unknown>[][]>
}

async function createDatabase(): Promise<SqliteDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-store-'))
  const file = join(folder, 'rollcall.db')
  await createMigratedFile(file)
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
  await store.overwriteErased()
  assert.match(open(), /in use by another Rollcall process/)
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
  const checksDue = async (store: Store) =>
    (await store.dueChecks({ now: 0, overdueUntil: -1, waitingUntil: 0, workAfter: '', limit: 9 })).due
  const ended = { severity: 200, isHeld: false, isOverdue: false, isBehind: false, checkAt: undefined }
  await first.saveChecks((await checksDue(first)).map((due) => ({ ...due, ...ended })))
  assert.deepEqual(await checksDue(first), [])
  await first.close()
  const openedAt = Date.now()
  const second = await database.open()
  const left = await second.getSyncRun(directoryId, run.id)
  assert.partialDeepStrictEqual(left, { state: 'failed', error: 'The process that ran it stopped before its end.' })
  assert.ok((left?.finishedAt ?? 0) >= openedAt)
  assert.equal((await second.getSyncRun(other, held.id))?.state, 'held')
  assert.deepEqual(
    (await checksDue(second)).map((due) => due.directoryId),
    [directoryId],
  )
  await second.close()
})

/** A stop that comes as soon as the change is answered, however many turns that takes. */
const onceAnswered = Number.POSITIVE_INFINITY

/**
 * The turns of the event loop after which a change is stopped: all of them in `npm run test:all`; in `npm test` before
 * it, in its middle and just before its answer, while it cleans up, and as soon as it is answered.
 *
 * @param turns the turns that the change takes until it is answered, then until another write is accepted
 */
function stopsOf([answered, finished]: readonly [number, number]): number[] {
  if (runsAll) return [...Array.from({ length: finished + 1 }, (_, turn) => turn), onceAnswered]
  return [0, Math.floor(answered / 2), answered - 1, Math.floor((answered + finished) / 2), onceAnswered]
}

/** Counts the turns of a change that nothing stops: until it is answered, and until a write after it is. */
async function countTurns(change: () => Promise<unknown>, write: () => Promise<unknown>): Promise<[number, number]> {
  const counts: [number, number] = [0, 0]
  let [isAnswered, isFinished] = [false, false]
  const all = Promise.all([
    change().then(() => {
      isAnswered = true
    }),
    write().then(() => {
      isFinished = true
    }),
  ])
  while (!isAnswered || !isFinished) {
    await nextTurn()
    if (!isAnswered) counts[0] += 1
    counts[1] += 1
  }
  await all
  return counts
}

/** Closes the store after some turns of a change; returns whether the change was answered. */
async function stopAfter(turns: number, change: Promise<unknown>, store: Store): Promise<boolean> {
  const settled = change.then(
    () => true,
    () => false,
  )
  if (turns === onceAnswered) await settled
  else for (let turn = 0; turn < turns; turn += 1) await nextTurn()
  await store.close()
  return settled
}

for (const [what, changeOf] of [...Object.entries(changes), ['the deletion of a large group', undefined] as const]) {
  test(`sqlite: ${what} is made as a whole or not at all, whenever the process stops`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const change = async (large: Awaited<ReturnType<typeof addLargeGroup>>) => {
      const writes = writesTo(store, large.directory)
      return changeOf ? writes.changeMembers(large.group, changeOf(large)) : writes.deleteGroup(large.group)
    }
    const createUser = async ({ id }: Directory, userName: string) => {
      const directory = (await store.getDirectory(id)) ?? assert.fail()
      committed(await writesTo(store, directory).createUser(someUser({ userName })))
    }
    let large = await addLargeGroup(store)
    const stops = stopsOf(
      await countTurns(
        () => change(large),
        () => createUser(large.directory, 'afterwards'),
      ),
    )
    large = await addLargeGroup(store)
    let before = await requireConsistent(store, large.directory, large.group)
    const outcomes = new Set<boolean>()
    for (const turns of stops) {
      const { directory, group } = large
      const isAnswered = await stopAfter(turns, change(large), store)
      store = await database.open()
      const visible = await requireConsistent(store, directory, group)
      const isMade = visible.members.length !== before.members.length
      outcomes.add(isMade)
      assert.ok(isMade || !isAnswered, `stopped after ${turns} turns`)
      if (!isMade) assert.deepEqual(visible.members, before.members)
      assert.equal(visible.events.length > before.events.length, isMade)
      await createUser(directory, `afterwards-${turns}`)
      before = await requireConsistent(store, directory, group)
      assert.deepEqual(before.members, visible.members)
      assert.deepEqual(await leftOver(store, database), [0, 0])
      store = await database.open()
      if (!isMade || turns === onceAnswered) continue
      large = await addLargeGroup(store)
      before = await requireConsistent(store, large.directory, large.group)
    }
    assert.equal(outcomes.size, 2, 'some stops come before the change, some after it')
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
    const createUser = async (directory: Directory, userName: string) =>
      committed(await writesTo(store, directory).createUser(someUser({ userName })))
    let large = await add()
    const stops = stopsOf(
      await countTurns(
        () => large.remove(store),
        () => createUser(large.directory, 'afterwards'),
      ),
    )
    large = await add()
    const outcomes = new Set<boolean>()
    for (const turns of stops) {
      const { directory, groups, id, remove } = large
      const isAnswered = await stopAfter(turns, remove(store), store)
      store = await database.open()
      const isThere = [await store.getUser(directory.id, id), await store.getGroup(directory.id, id)].some(Boolean)
      outcomes.add(isThere)
      assert.ok(!isThere || !isAnswered, `stopped after ${turns} turns`)
      const membersFrom = (from: number) =>
        Promise.all(groups.map((group) => store.listMembers(directory.id, group.id, { from, limit: 9 })))
      const inGroups = (await membersFrom(0)).map((members) => members.some(({ item }) => item.id === id))
      assert.deepEqual(new Set(inGroups), new Set([isThere]))
      await createUser(directory, `afterwards-${turns}`)
      const sizes = (await membersFrom(0)).map(({ length }) => length)
      assert.deepEqual(
        (await membersFrom(1)).map(({ length }) => length),
        sizes.map((size) => size - 1),
      )
      assert.deepEqual(await leftOver(store, database), [0, 0])
      store = await database.open()
      if (!isThere && turns !== onceAnswered) large = await add()
    }
    assert.equal(outcomes.size, 2, 'some stops come before the deletion, some after it')
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
  const [staged, unfinished] = await database.rowsOf(['members where staged is not null', 'large_changes'])
  return [staged?.length ?? 0, unfinished?.length ?? 0]
}
