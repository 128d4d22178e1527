import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { StoreLog } from '../../src/store/log.ts'
import { silentStoreLog } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
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
