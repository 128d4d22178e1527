import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rotateKeysCommand } from '../../../src/cli/rotate-keys.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { countSealed, newKey, oldKey } from './support/encryption-keys.ts'
import { fakeIo } from './support/fake-io.ts'
import { runSql } from './support/stored-rows.ts'

const rootToken = 'root-token-of-the-tests-of-commands'
const bothKeys = `${newKey},${oldKey}`

/** Runs a service that encrypts with the old key while `work` runs. */
async function underOldKey(database: TestDatabase, work: (service: TestService) => Promise<unknown>): Promise<void> {
  await using service = await startTestService(database, { ENCRYPTION_KEY: oldKey })
  await work(service)
}

/** Runs `rollcall rotate-keys`. */
async function rotate(database: TestDatabase, env: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const io = fakeIo({ env: { ...database.env, API_KEYS: 'a-key-of-the-tests', ...env } })
  const code = await rotateKeysCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** The rotations in the audit trail. */
async function rotations(database: TestDatabase) {
  const columns = 'caller_kind as kind, caller_name as name, changes'
  return runSql(database, `select ${columns} from audit_entries where action = 'encryption_key.rotated'`)
}

forEachEngine((engine) => {
  test('everything is encrypted with the new key, and the audit trail records it', async () => {
    await using database = await openTestDatabase(engine)
    const endpoint = { webhook_url: 'https://acme.example/', webhook_headers: { 'X-Gateway-Key': 'of the gateway' } }
    await underOldKey(database, (service) => service.createDirectory(endpoint))
    const { code, out } = await rotate(database, { ENCRYPTION_KEY: bothKeys })
    assert.equal(code, 0, out)
    const { byOld, byNew } = await countSealed(database)
    assert.equal(byOld, 0)
    const resealed = Number(/\nDone: (\d+) records were encrypted with the new key/.exec(out)?.[1])
    assert.equal(resealed, byNew - 3, 'the four secrets of the directory are one record')
    assert.deepEqual(
      (await rotations(database)).map((row) => ({ ...row })),
      [{ kind: 'system', name: 'rollcall rotate-keys', changes: `{"resealed":{"from":null,"to":${resealed}}}` }],
    )
  })

  for (const { holds, key } of [
    { holds: 'one key', key: newKey },
    { holds: 'the same key twice', key: `${newKey},${newKey}` },
  ]) {
    test(`there is nothing to do when ENCRYPTION_KEY is ${holds}`, async () => {
      await using database = await openTestDatabase(engine)
      const { code, err } = await rotate(database, { ENCRYPTION_KEY: key })
      assert.deepEqual([code, /^ENCRYPTION_KEY has only one key, .*nothing to do/.test(err)], [1, true], err)
    })
  }
})

test('while a service uses the file, its admin API is called', async () => {
  await using database = await openTestDatabase('sqlite')
  await underOldKey(database, (service) => service.createDirectory())
  const settings = { ENCRYPTION_KEY: bothKeys, ADMIN_ROOT_TOKEN: rootToken }
  {
    await using service = await startTestService(database, settings)
    const { code, out } = await rotate(database, { ...settings, PORT: new URL(service.origin).port })
    assert.deepEqual(
      [code, /through the service at http:\/\/localhost:\d+\.\nDone: \d+ records/.test(out)],
      [0, true],
      out,
    )
  }
  assert.equal((await countSealed(database)).byOld, 0)
  assert.deepEqual(
    (await rotations(database)).map(({ kind, name }) => ({ kind, name })),
    [{ kind: 'admin', name: 'operator@localhost.localdomain' }],
  )
})

test('an error message names a missing key', async () => {
  await using database = await openTestDatabase('sqlite')
  await underOldKey(database, (service) => service.createDirectory())
  const { code, err } = await rotate(database, {
    ENCRYPTION_KEY: `${newKey},${Buffer.alloc(32, 9).toString('base64')}`,
  })
  assert.deepEqual(
    [code, /encrypted with the key [0-9a-f]{8}, which ENCRYPTION_KEY does not contain/.test(err)],
    [1, true],
  )
})

test('the rotation stops when interrupted and says how to continue', async () => {
  await using database = await openTestDatabase('sqlite')
  await underOldKey(database, (service) => service.createDirectory())
  const io = fakeIo({ env: { ...database.env, ENCRYPTION_KEY: bothKeys }, signal: AbortSignal.abort() })
  assert.equal(await rotateKeysCommand([], io), 130)
  assert.match(io.err(), /^Interrupted: run it again/)
})

for (const { argv, problem } of [
  { argv: ['--url', 'localhost'], problem: /^--url must be an address that starts with http/ },
  { argv: ['--key', 'x'], problem: /^There is no option --key/ },
  { argv: ['now'], problem: /^"now" is an unexpected argument/ },
]) {
  test(`rejects rollcall rotate-keys ${argv.join(' ')}`, async () => {
    const io = fakeIo()
    assert.equal(await rotateKeysCommand(argv, io), 2)
    assert.match(io.err(), problem)
  })
}

test('rollcall rotate-keys --help shows the help', async () => {
  const io = fakeIo()
  assert.equal(await rotateKeysCommand(['--help'], io), 0)
  for (const word of ['ENCRYPTION_KEY', '--url', '--email', 'Exit codes']) assert(io.out().includes(word))
})
