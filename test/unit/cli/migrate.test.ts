import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrateCommand } from '../../../src/cli/migrate.ts'
import { runCommand } from '../../support/command.ts'
import { testEncryptionKey } from '../../support/database.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

/** An empty PostgreSQL database, and the settings to use it. */
async function emptyDatabase() {
  const postgres = await startPostgres({ isEmpty: true })
  const env = { DATABASE_URL: postgres.url, ENCRYPTION_KEY: testEncryptionKey, API_KEYS: 'a-key-of-the-tests' }
  return { ...postgres, env: { ...env, DATABASE_POOL_SIZE: '4' } }
}

/** Runs `rollcall migrate` in this process. */
async function migrate(env: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const io = fakeIo({ env })
  const code = await migrateCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

const done = /^The database has the schema of Rollcall \d+\.\d+\.\d+\.\n$/

test('rollcall migrate --partitions 3 creates a partitioned database, on which the service provisions users', async () => {
  await using postgres = await emptyDatabase()
  const { code, stdout, stderr } = await runCommand(['migrate', '--partitions', '3'], { env: postgres.env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, done)
  const partitioned = await execute(
    postgres.url,
    `select inhparent::regclass::text as name, count(*)::int as partitions from pg_inherits join pg_class c on c.oid = inhrelid
      where c.relkind = 'r' group by 1 order by 1`,
  )
  assert.ok(partitioned.length > 20)
  for (const { name, partitions } of partitioned) assert.equal(partitions, 3, String(name))

  await using database = await openTestDatabase('postgres')
  await using service = await startTestService({ ...database, env: postgres.env })
  const directories = await Promise.all(Array.from({ length: 6 }, () => service.createDirectory()))
  for (const directory of directories) {
    const { status } = await service.scim(directory, 'POST', '/Users', { userName: 'ann@acme.example' })
    assert.equal(status, 201)
    const again = await service.scim(directory, 'POST', '/Users', { userName: 'Ann@acme.example' })
    assert.equal(again.body.scimType, 'uniqueness')
  }
  const { body } = await service.api('GET', '/users?tenant=acme&product=crm')
  assert.equal(body.data.length, 6)
})

test('the number of partitions is decided once: the same one is accepted again, another one refused', async () => {
  await using postgres = await emptyDatabase()
  assert.match((await migrate(postgres.env, ['--partitions', '2'])).out, done)
  for (const argv of [[], ['--partitions', '2']]) {
    const { code, out } = await migrate(postgres.env, argv)
    assert.equal(code, 0)
    assert.match(out, done)
  }
  const { code, err } = await migrate(postgres.env, ['--partitions', '8'])
  assert.equal(code, 1)
  assert.equal(
    err,
    'The tables of this database have 2 partitions, and that cannot be changed: create an empty database for tables with 8 partitions.\n',
  )
})

test('a database whose tables are whole cannot be partitioned', async () => {
  await using postgres = await emptyDatabase()
  assert.match((await migrate(postgres.env)).out, done)
  const { code, err } = await migrate(postgres.env, ['--partitions', '8'])
  assert.equal(code, 1)
  assert.match(err, /^The tables of this database are not partitioned, and that cannot be changed: create an empty/)
})

test('an embedded database is migrated, and has no partitions', async () => {
  await using database = await openTestDatabase('sqlite')
  const refused = await migrate(database.env, ['--partitions', '8'])
  assert.match(refused.err, /^An embedded database has no partitions: leave --partitions out/)
  const { code, out } = await migrate(database.env)
  assert.match(out, done)
  assert.deepEqual([refused.code, code], [1, 0])
  await using service = await startTestService(database)
  await service.createDirectory()
})

for (const partitions of ['0', '65', '2.5', 'many', '-1']) {
  test(`rollcall migrate rejects --partitions=${partitions}`, async () => {
    const { code, err } = await migrate({}, [`--partitions=${partitions}`])
    assert.match(err, /^--partitions must be a whole number from 1 to 64, not /)
    assert.equal(code, 2)
  })
}
