import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/store/errors.ts'
import type { StoreLog } from '../../src/store/log.ts'
import { silentStoreLog } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
import { createFileBackups } from '../../src/store/sqlite/backup.ts'
import { openFile } from '../../src/store/sqlite/file.ts'
import { createOverwriting } from '../../src/store/sqlite/overwrite.ts'
import type { Store } from '../../src/store/store.ts'
import { eventually } from '../support/eventually.ts'
import { addDirectory, committed, someUser, writesTo } from './store/samples.ts'

interface Place extends AsyncDisposable {
  readonly folder: string
  readonly file: string
  open(log?: StoreLog): Promise<Store>
}

/** A folder in which the first start makes `data/rollcall.db`. */
async function newPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-file-'))
  const folder = join(root, 'data')
  const file = join(folder, 'rollcall.db')
  return {
    folder,
    file,
    open: (log = silentStoreLog) =>
      openStore({
        ...{ databaseUrl: `sqlite:${file}`, encryptionKey: undefined, poolSize: 1, log },
        onBackgroundError(error) {
          throw error
        },
      }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

let users = 0

function uniqueUser(nickName: string) {
  users += 1
  return someUser({ userName: `user-${users}`, nickName })
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
const sizeOf = async (path: string) => (await stat(path)).size

test('only the owner can read the folder, the database, its log and its key', async () => {
  await using place = await newPlace()
  const store = await place.open()
  await addDirectory(store)
  const paths = [place.folder, place.file, `${place.file}-wal`, join(place.folder, 'rollcall.key')]
  assert.deepEqual(await Promise.all(paths.map(modeOf)), ['700', '600', '600', '600'])
  await store.close()
})

for (const mode of [0o640, 0o660, 0o620]) {
  test(`a key file with the mode ${mode.toString(8)} is used, with a warning`, async () => {
    await using place = await newPlace()
    await (await place.open()).close()
    const key = join(place.folder, 'rollcall.key')
    await chmod(key, mode)
    const warnings: string[] = []
    await (await place.open({ info: () => {}, warn: (_details, warning) => warnings.push(warning) })).close()
    assert.equal(warnings.length, 1)
    assert.match(
      warnings[0] ?? '',
      /the group of the file can access it: run "chmod 600 '.+rollcall\.key'".+ENCRYPTION_KEY/,
    )
  })
}

for (const mode of [0o644, 0o602, 0o777]) {
  test(`a key file with the mode ${mode.toString(8)} is rejected with the command that fixes it`, async () => {
    await using place = await newPlace()
    await (await place.open()).close()
    const key = join(place.folder, 'rollcall.key')
    await chmod(key, mode)
    await assert.rejects(
      place.open(),
      ({ message }: Error) => message.includes(`run "chmod 600 '${key}'"`) && message.includes('ENCRYPTION_KEY'),
    )
    await chmod(key, 0o600)
    await (await place.open()).close()
  })
}

test('the content of deleted rows is overwritten', async () => {
  await using place = await newPlace()
  const store = await place.open()
  const [directory, other] = [await addDirectory(store), await addDirectory(store)]
  const marks = ['row', 'page'].map((what) => `deleted-${what}-0123456789`)
  const bodies = [marks[0] ?? '', (marks[1] ?? '').repeat(1000)]
  const { createUser } = writesTo(store, directory)
  for (const nickName of bodies) committed(await createUser(uniqueUser(nickName)))
  committed(await writesTo(store, other).createUser(uniqueUser('kept')))
  await store.deleteDirectory(directory.id, 0)
  await store.close()
  // The next start continues the purge.
  const again = await place.open()
  await eventually('the purge', async () => (await again.countUsers(directory.id)) === 0)
  await again.close()
  const text = (await readFile(place.file)).toString('latin1')
  assert.deepEqual(
    marks.filter((mark) => text.includes(mark)),
    [],
  )
})

/** Numbers from 0 to 1, the same ones in every run. */
function createNumbers(): () => number {
  let state = 1
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/**
 * A database in which splits of pages leave copies of cells; it has enough pages for a second pointer map, and free ones. All
 * are cached.
 */
function openSplitPages(file: string) {
  const db = openFile(file)
  db.exec(`pragma cache_size = -64000;
    create table t (a text, b text, primary key (a, b)) without rowid;
    create table u (id integer primary key, b text); create index u_by_b on u (b)`)
  const insertions = [db.prepare('insert into t values (?, ?)'), db.prepare('insert into u values (?, ?)')]
  const next = createNumbers()
  const fill = (count: number, mark: string) => {
    db.exec('begin')
    for (let row = 0; row < count; row += 1) {
      const text = `${next()} ${next() < 0.1 ? mark : 'kept'} ${'x'.repeat(next() < 0.02 ? 20_000 : next() * 600)}`
      for (const insert of insertions) insert.run(Math.floor(next() * 2 ** 40), text)
    }
    db.exec('commit')
  }
  const remove = (mark: string) =>
    db.exec(['t', 'u'].map((table) => `delete from ${table} where b like '% ${mark} %'`).join(';'))
  return { db, fill, remove }
}

test('copies of deleted rows that splits of pages have left are overwritten, and nothing else', async () => {
  await using place = await newPlace()
  const { db, fill, remove } = openSplitPages(place.file)
  const overwriting = createOverwriting(db)
  const mark = 'deleted-0123456789'
  const isLeft = async () => {
    db.exec('pragma wal_checkpoint(truncate)')
    return (await readFile(place.file)).includes(mark)
  }
  fill(4_000, mark)
  remove(mark)
  assert.equal(await isLeft(), true)
  const rows = () => ['t', 'u'].map((table) => db.prepare(`select * from ${table}`).all())
  const overwritten = overwriting.overwrite()
  fill(500, 'written meanwhile')
  const before = rows()
  await overwritten
  assert.equal(await isLeft(), false)
  assert.equal(await sizeOf(`${place.file}-wal`), 0)
  assert.deepEqual(rows(), before)
  // Pages in memory do not bring them back.
  fill(1_000, 'new')
  assert.equal(await isLeft(), false)
  db.exec('pragma incremental_vacuum')
  assert.equal(db.prepare('pragma integrity_check').get()?.['integrity_check'], 'ok')
  db.close()
  overwriting.end()
})

test('overwriting what is left of deleted rows rejects while a read keeps the log from being cut', async () => {
  await using place = await newPlace()
  const { db, fill } = openSplitPages(place.file)
  const overwriting = createOverwriting(db)
  fill(10, 'kept')
  const reading = db.prepare('select * from u').iterate()
  reading.next()
  await assert.rejects(overwriting.overwrite(), StoreUnavailable)
  reading.return?.()
  await overwriting.overwrite()
  db.close()
  overwriting.end()
})

test('the file shrinks after a large deletion', async () => {
  await using place = await newPlace()
  const store = await place.open()
  const directory = await addDirectory(store)
  const nickName = 'n'.repeat(20_000)
  const { createUser } = writesTo(store, directory)
  await Promise.all(Array.from({ length: 400 }, () => createUser(uniqueUser(nickName))))
  await store.close()
  const before = await sizeOf(place.file)
  assert(before > 12_000_000, String(before))
  const again = await place.open()
  await again.deleteDirectory(directory.id, 0)
  await eventually('a smaller file', async () => (await sizeOf(place.file)) < 6_000_000)
  await again.close()
})

test('the log is cut after a large transaction', async () => {
  await using place = await newPlace()
  const store = await place.open()
  const { createUser } = writesTo(store, await addDirectory(store))
  const nickName = 'n'.repeat(200_000)
  await Promise.all(Array.from({ length: 80 }, () => createUser(uniqueUser(nickName))))
  const log = `${place.file}-wal`
  assert((await sizeOf(log)) > 20_000_000)
  await createUser(uniqueUser('small'))
  assert.equal(await sizeOf(log), 16 * 1024 * 1024)
  await store.close()
})

/** Resolves when a copy to a file has been tried: SQLite opens the file, and steps are made by the threads that also read the file's state. */
async function hasTried(file: string): Promise<void> {
  await eventually('the file of the copy', () => existsSync(file))
  for (let reads = 0; reads < 100; reads += 1) await stat(file)
}

test('a copy that begins during a transaction waits until it has ended', async () => {
  await using place = await newPlace()
  await using opening = new AsyncDisposableStack()
  const store = await place.open()
  await store.close()
  const db = opening.adopt(new DatabaseSync(place.file), (open) => open.close())
  db.exec('begin immediate; create table copied (n)')
  const copy = join(place.folder, 'copy.db')
  const copying = createFileBackups(db).backup(copy)
  await Promise.race([copying, hasTried(`${copy}.part`)])
  db.exec('commit')
  await copying
  using copied = new DatabaseSync(copy, { readOnly: true })
  assert.deepEqual(copied.prepare('select count(*) as n from copied').get()?.['n'], 0)
})
