import assert from 'node:assert/strict'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { readSettings } from '../../../src/app/settings.ts'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { openStoreOf } from '../../../src/cli/management/open-database.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { newReceiptKeys } from '../../../src/privacy/receipt-keys.ts'
import { createReceipts } from '../../../src/privacy/receipts.ts'
import type { TestDatabase } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'
import { dataOf } from '../admin/support/admin.ts'

const scope = { tenant: 'acme', product: 'crm' }
const subject = 'ann.marker@acme.example'
const erasuresPath = `/privacy/erasures?${new URLSearchParams(scope)}`

interface ListedErasure {
  readonly erasure_id: string
  readonly receipt: string
  readonly reason: string
}

async function run(command: typeof backupCommand, { env }: Pick<TestDatabase, 'env'>, ...argv: string[]) {
  const io = fakeIo({ env: { API_KEYS: testApiKey, ...env } })
  const code = await command(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** A stopped service with a user who is active in the backup, and was erased after it. */
async function erasedAfterBackup(database: TestDatabase) {
  const at = (name: string) => join(database.folder, name)
  await using service = await startTestService(database)
  const directory = await service.createDirectory(scope)
  const create = { userName: subject, active: true, name: { givenName: 'Ann', familyName: 'Marker' } }
  const { body: user } = await service.scim(directory, 'POST', '/Users', create)
  assert.equal((await run(backupCommand, database, at('backup.db'))).code, 0)
  await service.scim(directory, 'DELETE', `/Users/${user['id']}`)
  const erased = await service.api('POST', '/privacy/erase', { ...scope, subject })
  assert.equal(erased.status, 200)
  const list = await service.api('GET', erasuresPath)
  await writeFile(at('erasures.json'), JSON.stringify(list.body))
  return { at, directory, user, listed: dataOf<ListedErasure[]>(list) }
}

/** Checks that nothing names the person, and that the product is told. */
async function assertErased(database: TestDatabase, directoryId: string, userId: unknown) {
  await using service = await startTestService(database)
  const feed = await service.api('GET', `/feed?directoryId=${directoryId}`)
  assert.doesNotMatch(JSON.stringify(feed.body), /marker/i)
  const events = dataOf<{ event: string; data: { id: string } }[]>(feed)
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.id]),
    [
      ['user.created', userId],
      ['user.deleted', userId],
      ['user.erased', userId],
    ],
  )
  return dataOf<ListedErasure[]>(await service.api('GET', erasuresPath))
}

test('a restore repeats the erasures of the database that it replaces, under their ids and with their receipts', async () => {
  await using database = await openTestDatabase('sqlite')
  const { at, directory, user, listed } = await erasedAfterBackup(database)
  const named = ['--include-active', String(user['id'])]
  const { code, out, err } = await run(restoreCommand, database, at('backup.db'), '--force', ...named)
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /\n1 erasure repeated\.\n/)
  const repeated = await assertErased(database, directory.id, user['id'])
  assert.deepEqual(
    repeated.map(({ erasure_id, receipt }) => [erasure_id, receipt]),
    listed.map(({ erasure_id, receipt }) => [erasure_id, receipt]),
  )
  assert.equal(repeated[0]?.reason, 'repeated after a restore')
  assert.doesNotMatch((await readFile(at('rollcall.db'))).toString('latin1'), /ann\.marker/i)
  const again = await run(restoreCommand, database, '--erasures', at('erasures.json'))
  assert.deepEqual([again.code, again.err], [0, ''])
  assert.match(again.out, /^0 erasures repeated\. The database has nothing about the 1 other, or knows of it\.\n$/)
})

test('where the database is lost, the erasures come from a file', async () => {
  await using database = await openTestDatabase('sqlite')
  const { at, directory, user } = await erasedAfterBackup(database)
  await rm(at('rollcall.db'))
  const { code, out, err } = await run(
    restoreCommand,
    database,
    ...[at('backup.db'), '--erasures', at('erasures.json'), '--include-active', String(user['id'])],
  )
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^Restored 1 directory from .+\n(.*\n)*1 erasure repeated\.\n$/)
  assert.equal((await assertErased(database, directory.id, user['id'])).length, 1)
})

test('a file without receipts, and one that does not exist, are refused before anything is restored', async () => {
  await using database = await openTestDatabase('sqlite')
  const empty = join(database.folder, 'empty.json')
  await writeFile(empty, '{"data":[]}')
  await copyFile(empty, join(database.folder, 'backup.db'))
  for (const [file, problem] of [
    [empty, /has no receipt of an erasure: pass the response of GET/],
    [`${empty}.none`, /cannot be read/],
  ] as const) {
    const { code, err } = await run(restoreCommand, database, join(database.folder, 'backup.db'), '--erasures', file)
    assert.equal(code, 1)
    assert.match(err, problem)
    assert.match(err, /Nothing was restored/)
  }
})

test('somebody who is active in the backup stays unless named, and the kept database has the receipt for later', async () => {
  await using database = await openTestDatabase('sqlite')
  const { at, directory, user } = await erasedAfterBackup(database)
  const id = String(user['id'])
  const restored = await run(restoreCommand, database, at('backup.db'), '--force')
  assert.deepEqual([restored.code, restored.err], [3, ''])
  assert.match(restored.out, /^0 erasures repeated\.$/m)
  assert.match(
    restored.out,
    new RegExp(`^Skipped: the erasure \\S+, whose user ${id} is active .*--include-active ${id}`, 'm'),
  )
  assert.match(
    restored.out,
    /^Repeat what was skipped with rollcall restore --erasures .*rollcall\.db\.before-restore/m,
  )
  assert.match((await readFile(at('rollcall.db'))).toString('latin1'), /ann\.marker/i)

  const kept = at('rollcall.db.before-restore')
  const named = await run(restoreCommand, database, '--erasures', kept, '--include-active', `nobody,${id}`)
  assert.equal(named.code, 3)
  assert.match(named.out, /^1 erasure repeated\.\nSkipped: --include-active nobody: no receipt names this user\.\n/)
  await assertErased(database, directory.id, id)
})

test('a receipt by a key that is newer than the backup needs the published keys', async () => {
  await using database = await openTestDatabase('sqlite')
  const at = (name: string) => join(database.folder, name)
  const { directory, id } = await createdIn(database, false)
  assert.equal((await run(backupCommand, database, at('backup.db'))).code, 0)
  const jwks = await (async () => {
    await using service = await startTestService(database)
    assert.equal((await service.api('POST', '/privacy/erase', { ...scope, subject })).status, 200)
    await writeFile(at('erasures.json'), (await service.api('GET', erasuresPath)).text)
    return (await service.request('GET', '/.well-known/jwks.json')).text
  })()
  await writeFile(at('jwks.json'), jwks)
  {
    using backup = new DatabaseSync(at('backup.db'))
    backup.exec(`delete from settings where name = 'receipts'`)
  }
  await rm(at('rollcall.db'))
  const without = await run(restoreCommand, database, at('backup.db'), '--erasures', at('erasures.json'))
  assert.equal(without.code, 3, without.err)
  assert.match(
    without.out,
    /^Skipped: the receipt of the erasure "\S+"\. None of the published keys has signed it\..*--jwks/m,
  )
  const file = ['--erasures', at('erasures.json')]
  const broken = await run(restoreCommand, database, ...file, '--jwks', at('erasures.json'))
  assert.deepEqual([broken.code, /is not a set of keys/.test(broken.err)], [1, true], broken.err)
  const withKeys = await run(restoreCommand, database, ...file, '--jwks', at('jwks.json'))
  assert.deepEqual([withKeys.code, withKeys.err], [0, ''])
  assert.match(withKeys.out, /^1 erasure repeated\.\n$/)
  await assertErased(database, directory.id, id)
})

/** A user in a stopped service. */
async function createdIn(database: TestDatabase, active: boolean) {
  await using service = await startTestService(database)
  const directory = await service.createDirectory(scope)
  const { body } = await service.scim(directory, 'POST', '/Users', { userName: subject, active })
  return { directory, id: String(body['id']) }
}

/** Receipts that are signed with the keys that a stopped service publishes, or with others. */
async function receiptsOf(database: TestDatabase, isOwn: boolean) {
  const other = newReceiptKeys()
  const readKeys = async () => {
    if (!isOwn) return other
    const store = await openStoreOf(readSettings({ API_KEYS: testApiKey, ...database.env }))
    try {
      return await store.getOrCreateSecret('receipts', newReceiptKeys())
    } finally {
      await store.close()
    }
  }
  const keys = await readKeys()
  return createReceipts({ readKeys: async () => keys, issuer: () => 'https://a.example', clock: Date.now })
}

forEachEngine((engine) => {
  /** Users of a stopped service, and what `receipt` fields of a file have about them. */
  async function withReceipts(database: TestDatabase, active: boolean, isOwn: boolean) {
    const { directory, id } = await createdIn(database, active)
    const receipts = await receiptsOf(database, isOwn)
    const users = [{ directoryId: directory.id, userId: id }]
    const sign = (more: object = {}) =>
      receipts.sign({
        ...scope,
        id: 'erasure-1',
        at: 1,
        subject,
        users,
        places: {},
        audit: { sequence: 1, hash: '' },
        ...more,
      })
    return { directory, id, sign }
  }
  const restoreFrom = async (database: TestDatabase, content: unknown, ...argv: string[]) => {
    const file = join(database.folder, 'receipts.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return run(restoreCommand, database, '--erasures', file, ...argv)
  }
  const isLeft = async (database: TestDatabase, directory: DirectoryView, id: string) => {
    await using service = await startTestService(database)
    return (await service.scim(directory, 'GET', `/Users/${id}`)).status === 200
  }

  test('erasures of a file are repeated once in a database that another tool has restored', async () => {
    await using database = await openTestDatabase(engine)
    const { directory, id, sign } = await withReceipts(database, true, true)
    const others = await sign({ id: 'erasure-2', users: [{ directoryId: directory.id, userId: 'nobody' }] })
    const [one, again] = [await sign(), await sign()]
    // As responses and lists are appended to a file.
    const lines = [{ data: { receipt: one } }, { data: [{ receipt: again }, { receipt: others }] }, { receipt: one }]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { code, out, err } = await restoreFrom(database, text, '--include-active', id)
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^1 erasure repeated\. The database has nothing about the 1 other, or knows of it\.\n$/)
    await assertErased(database, directory.id, id)
  })

  test('a receipt that nobody has signed, or another installation, erases nobody', async () => {
    await using database = await openTestDatabase(engine)
    const { directory, id, sign } = await withReceipts(database, false, false)
    const genuine = await sign()
    const unsigned = genuine.replace(/[^.]+$/, '')
    const { code, out } = await restoreFrom(database, {
      data: [{ receipt: genuine }, { receipt: unsigned }, { receipt: '?' }],
    })
    assert.equal(code, 3)
    assert.match(out, /^0 erasures repeated\.\n(Skipped: the receipt .*\n){3}/)
    assert.equal(await isLeft(database, directory, id), true)
  })

  test('only fields named receipt are read, whatever other texts of the file are', async () => {
    await using database = await openTestDatabase(engine)
    const { directory, id, sign } = await withReceipts(database, false, true)
    const text = await sign()
    for (const content of [
      { data: [{ reason: text, erasure_id: text, by: { receipt: text } }] },
      { receipts: [text], reason: JSON.stringify({ receipt: text }) },
      `reason,receipt\n${text},${text}\n`,
    ]) {
      const { code, err } = await restoreFrom(database, content)
      assert.deepEqual([code, /has no receipt of an erasure/.test(err)], [1, true], err)
    }
    assert.equal(await isLeft(database, directory, id), true)
  })

  for (const { what, more } of [
    { what: 'tenant', more: { tenant: 'other' } },
    { what: 'product', more: { product: 'other' } },
  ]) {
    test(`a receipt of another ${what} erases nobody of this one`, async () => {
      await using database = await openTestDatabase(engine)
      const { directory, id, sign } = await withReceipts(database, false, true)
      const { code, out } = await restoreFrom(database, { data: { receipt: await sign(more) } })
      assert.deepEqual([code, /^0 erasures repeated\. The database has nothing/.test(out)], [0, true], out)
      assert.equal(await isLeft(database, directory, id), true)
    })
  }
})
