import assert from 'node:assert/strict'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { newReceiptKeys } from '../../../src/directory/receipt-keys.ts'
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
  const { code, out, err } = await run(restoreCommand, database, at('backup.db'), '--force')
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
  const { code, out, err } = await run(restoreCommand, database, at('backup.db'), '--erasures', at('erasures.json'))
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

forEachEngine((engine) => {
  test('erasures of a file are repeated in a database that another tool has restored', async () => {
    await using database = await openTestDatabase(engine)
    const created = await (async () => {
      await using service = await startTestService(database)
      const directory = await service.createDirectory(scope)
      const { body } = await service.scim(directory, 'POST', '/Users', { userName: subject, active: true })
      return { directory, id: String(body['id']) }
    })()
    const keys = newReceiptKeys()
    const receipts = createReceipts({ readKeys: async () => keys, issuer: () => 'https://a.example', clock: Date.now })
    const users = [{ directoryId: created.directory.id, userId: created.id }]
    const erasure = { ...scope, id: 'erasure-1', at: 1, subject, users, places: {}, audit: { sequence: 1, hash: '' } }
    const others = { ...erasure, id: 'erasure-2', users: [{ ...users[0], userId: 'nobody' }] }
    const file = join(database.folder, 'receipts.txt')
    await writeFile(file, `kept:\n${await receipts.sign(erasure)}\n${await receipts.sign(others as typeof erasure)}\n`)
    const { code, out, err } = await run(restoreCommand, database, '--erasures', file)
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^1 erasure repeated\. The database has nothing about the 1 other, or knows of it\.\n$/)
    await assertErased(database, created.directory.id, created.id)
  })
})
