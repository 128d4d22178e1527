import assert from 'node:assert/strict'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { doctorCommand } from '../../../src/cli/doctor/command.ts'
import { startPooler } from '../../support/pooler.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService } from '../../support/service.ts'
import { newKey } from './support/encryption-keys.ts'
import { fakeIo } from './support/fake-io.ts'
import { runSql } from './support/stored-rows.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly { name: string; status: string; message: string; advice?: string }[]
}

/** Runs `rollcall doctor --json` and returns its report; the exit code must agree with it. */
async function diagnose(env: Readonly<Record<string, string>>, ...argv: string[]): Promise<Report> {
  const io = fakeIo({ env: { API_KEYS: 'a-key-of-the-tests', ...env } })
  const code = await doctorCommand([...argv, '--json'], io)
  const report: Report = JSON.parse(io.out())
  assert.equal(code, report.ok ? 0 : 1, io.out())
  for (const { status, advice } of report.checks) assert.equal(advice === undefined, status === 'ok')
  return report
}

/** `name: status` of every check that is not ok. */
const findings = ({ checks }: Report) =>
  checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name}: ${status}`)

const external = { EXTERNAL_URL: 'https://sync.acme.example', TRUST_PROXY: '1' }

forEachEngine((engine) => {
  const database = forSuite(() => openTestDatabase(engine))
  const env = () => ({ ...database().env, ...external })

  test('finds no problem while the service runs, and after it has stopped', async () => {
    {
      await using _service = await startTestService(database())
      assert.deepEqual(findings(await diagnose(env())), [])
    }
    assert.deepEqual(findings(await diagnose(env())), [])
  })

  test('reports unreachable endpoints, and never sends anything', async () => {
    await using service = await startTestService(database())
    const before = service.log.length
    for (const url of [`${service.origin}/events`, 'http://127.0.0.1:1/events?token=hunter2']) {
      await service.createDirectory({ webhook_url: url })
    }
    const report = await diagnose({ ...env(), DSYNC_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }, '--endpoints')
    const endpoints = report.checks.filter(({ name }) => name === 'endpoint')
    assert.deepEqual(endpoints.map(({ status, message }) => [status, message.includes(service.origin)]).sort(), [
      ['ok', true],
      ['warn', false],
    ])
    assert(!JSON.stringify(report).includes('hunter2'), 'only the origin is shown')
    assert.deepEqual(
      service.log.slice(before).filter(({ route }) => route === 'none'),
      [],
    )
  })

  test('fails for a database of a newer version, and for a key that does not open its secrets', async () => {
    assert.deepEqual(findings(await diagnose({ ...env(), ENCRYPTION_KEY: newKey })), ['encryption key: fail'])
    const newer = {
      sqlite: 'pragma user_version = 999',
      postgres: `insert into schema_migrations (number, name, digest) values (999, 'x', 'x')`,
    }
    await runSql(database(), newer[engine])
    const report = await diagnose(env())
    assert.match(JSON.stringify(report), /was migrated by a newer Rollcall/)
    assert.equal(report.ok, false)
  })
})

test('says what to set in a pooler that loses prepared statements', async () => {
  await using database = await openTestDatabase('postgres')
  const { DATABASE_URL: url = '' } = database.env
  await using pooler = await startPooler(url, { forgets: true })
  const throughPooler = { ...database.env, ...external, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url }
  const report = await diagnose(throughPooler)
  assert.deepEqual(findings(report), ['pooler: fail'])
  assert.match(JSON.stringify(report), /Set max_prepared_statements = 200 in PgBouncer 1\.21 or later/)
})

for (const { problem, env, found } of [
  { problem: 'invalid settings', env: { PORT: 'x', API_KEYS: 'short' }, found: ['settings: fail', 'settings: fail'] },
  {
    problem: 'PostgreSQL that does not run',
    env: {
      ...external,
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/rollcall',
      ENCRYPTION_KEY: newKey,
    },
    found: ['database: fail'],
  },
  {
    problem: 'an address without TLS, and no database',
    env: {
      EXTERNAL_URL: 'http://sync.acme.example',
      DATABASE_URL: 'sqlite:/no/such/folder/rollcall.db',
    },
    found: ['address: warn', 'database: warn'],
  },
  {
    problem: 'a proxy that is not trusted, and no database',
    env: { EXTERNAL_URL: 'https://sync.acme.example', DATABASE_URL: 'sqlite:/no/such/folder/rollcall.db' },
    found: ['proxy: warn', 'database: warn'],
  },
  {
    problem: 'a redirect URI that Google does not accept',
    env: {
      EXTERNAL_URL: 'http://sync.acme.example',
      DATABASE_URL: 'sqlite:/no/such/folder/rollcall.db',
      DSYNC_EXTDIR_CLIENT_ID: '1.apps.googleusercontent.com',
      DSYNC_EXTDIR_CLIENT_SECRET: 'x',
    },
    found: ['address: warn', 'google: fail', 'database: warn'],
  },
]) {
  test(`reports ${problem}`, async () => {
    const report = await diagnose(env)
    assert.deepEqual(findings(report), found)
    assert.doesNotMatch(JSON.stringify(report), /hunter2/)
  })
}

test('prints a line for each check with what to do', async () => {
  await using database = await openTestDatabase('sqlite')
  const service = await startTestService(database)
  await service[Symbol.asyncDispose]()
  await chmod(join(database.folder, 'rollcall.db'), 0o644)
  await rm(join(database.folder, 'rollcall.key'))
  const io = fakeIo({ env: { ...database.env, ...external } })
  assert.equal(await doctorCommand([], io), 1)
  assert.match(io.out(), /^ {2}ok {4}database {8}.+; the schema is current$/m)
  assert.match(
    io.out(),
    /^ {2}FAIL {2}encryption key {2}.+\n {24}Put the key that belongs to this database into .+\.$/m,
  )
  assert.match(io.out(), /^ {2}warn {2}permissions .+\n {24}Run: chmod go= '.+rollcall\.db'$/m)
  assert.match(io.out(), /\n\n1 failure, 1 warning\.\n$/)
})

test('a key that every user can access is a failure, and advice says how to protect it', async () => {
  await using database = await openTestDatabase('sqlite')
  const service = await startTestService(database)
  await service[Symbol.asyncDispose]()
  await chmod(join(database.folder, 'rollcall.key'), 0o644)
  const { checks } = await diagnose({ ...database.env, ...external })
  const key = checks.find(({ name }) => name === 'encryption key')
  assert.match(key?.message ?? '', /every user can access it$/)
  assert.match(key?.advice ?? '', /chmod 600 .+ENCRYPTION_KEY/)
})

test('a file that is no database is a failure', async () => {
  await using database = await openTestDatabase('sqlite')
  await writeFile(join(database.folder, 'rollcall.db'), 'text '.repeat(2000), { mode: 0o600 })
  assert.deepEqual(findings(await diagnose({ ...database.env, ...external })), ['database: fail'])
})
