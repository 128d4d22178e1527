import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { auditCommand } from '../../../src/cli/audit/command.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'
import { runSql } from './support/stored-rows.ts'

const rootToken = 'root-token-of-the-tests-of-commands'

/** A database with the audit trail of a stopped service that has created some directories. */
async function openTrail(engine: TestDatabase['engine'], directories: number): Promise<TestDatabase> {
  const database = await openTestDatabase(engine)
  await using service = await startTestService(database)
  for (let n = 1; n <= directories; n += 1) await service.createDirectory({ tenant: `tenant-${n}` })
  return database
}

/** Runs `rollcall audit …` on a database. */
async function audit(database: TestDatabase, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const io = fakeIo({ env: { API_KEYS: 'a-key-of-the-tests', ...database.env, ...env } })
  const code = await auditCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** The end that a verification printed: `<sequence>:<hash>`. */
function endOf(out: string): string {
  return /^End: (\d+:[0-9a-f]{64})$/m.exec(out)?.[1] ?? ''
}

/** The first two lines, joined. */
function head(text: string): string {
  return text.split('\n').slice(0, 2).join(' ')
}

forEachEngine((engine) => {
  test('verify prints the number of entries and the end', async () => {
    await using database = await openTrail(engine, 3)
    const { code, out } = await audit(database, ['verify'])
    assert.equal(code, 0, out)
    assert.match(out, /^The audit trail is intact: 3 entries, from 1 \(20\S+Z\) to 3 \(20\S+Z\)\.\nEnd: 3:/)
  })

  for (const { what, sql, says } of [
    {
      what: 'a changed entry',
      sql: `update audit_entries set tenant = 'other' where sequence = 2`,
      says: 'Entry 2 was changed.',
    },
    {
      what: 'a removed entry',
      sql: 'delete from audit_entries where sequence = 3',
      says: 'Entry 3 is missing.',
    },
  ]) {
    test(`verify reports ${what}, with exit code 1`, async () => {
      await using database = await openTrail(engine, 4)
      await runSql(database, sql)
      const { code, out } = await audit(database, ['verify'])
      assert.deepEqual({ code, head: head(out) }, { code: 1, head: `The audit trail is broken. ${says}` })
    })
  }

  for (const { what, sql } of [
    {
      what: 'the newest entries',
      sql: [
        'delete from audit_entries where sequence = 3',
        'update audit_head set sequence = 2, hash = (select hash from audit_entries where sequence = 2)',
      ],
    },
    { what: 'all entries', sql: ['delete from audit_entries', `update audit_head set sequence = 0, hash = ''`] },
  ]) {
    test(`verify reports that ${what} and the recorded end were removed, also after another entry`, async () => {
      await using database = await openTrail(engine, 3)
      for (const statement of sql) await runSql(database, statement)
      const { code, out } = await audit(database, ['verify'])
      assert.deepEqual([code, /does not end as recorded/.test(out)], [1, true], out)
      await audit(database, ['export'])
      assert.equal((await audit(database, ['verify'])).code, 1)
    })
  }

  test('verify reports that the oldest entries were removed and the recorded start was moved', async () => {
    await using database = await openTrail(engine, 3)
    const hash = '(select hash from audit_entries where sequence = 1)'
    await runSql(database, `update audit_head set anchor_sequence = 1, anchor_hash = ${hash}`)
    await runSql(database, 'delete from audit_entries where sequence = 1')
    const { code, out } = await audit(database, ['verify'])
    assert.deepEqual([code, /does not start as recorded/.test(out)], [1, true], out)
  })

  test('a noted end proves that the trail was replaced by an older copy', async () => {
    await using database = await openTrail(engine, 2)
    const columns = ['sequence', 'hash', 'seal'] as const
    const [older] = await runSql(database, 'select sequence, hash, seal from audit_head')
    await audit(database, ['export'])
    const end = endOf((await audit(database, ['verify'])).out)
    await runSql(database, 'delete from audit_entries where sequence = 3')
    const values = columns.map((column) => `${column} = '${older?.[column]}'`)
    await runSql(database, `update audit_head set ${values.join(', ')}`)
    assert.equal((await audit(database, ['verify'])).code, 0, 'the noted end is needed for that')
    const { code, out } = await audit(database, ['verify', '--end', end])
    assert.deepEqual([code, /does not end as recorded/.test(out)], [1, true], out)
  })

  test('a trail that has grown still contains the noted end', async () => {
    await using database = await openTrail(engine, 2)
    const end = endOf((await audit(database, ['verify'])).out)
    await audit(database, ['export'])
    const { code, out } = await audit(database, ['verify', '--end', end])
    assert.deepEqual([code, /\nEntry 2 is unchanged since you stored it\.\nEnd: 3:/.test(out)], [0, true], out)
  })

  test('export writes one entry per line, oldest first, the last being the export itself', async () => {
    await using database = await openTrail(engine, 2)
    const { code, out } = await audit(database, ['export'])
    assert.equal(code, 0)
    const entries = out.split('\n').slice(0, -1)
    const shown = entries.map((line) => JSON.parse(line)).map(({ sequence, action }) => ({ sequence, action }))
    assert.deepEqual(shown, [
      { sequence: 1, action: 'directory.created' },
      { sequence: 2, action: 'directory.created' },
      { sequence: 3, action: 'audit.exported' },
    ])
  })

  test('with the wrong encryption key the trail cannot be verified: exit code 2', async () => {
    await using database = await openTrail(engine, 1)
    const { code, err } = await audit(database, ['verify'], { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') })
    assert.deepEqual([code, /could not be verified\.\nA stored secret was encrypted with the key/.test(err)], [2, true])
  })
})

/** Runs `rollcall audit …` while a service uses the file of its embedded database. */
async function auditOf(service: TestService, argv: readonly string[], env?: Readonly<Record<string, string>>) {
  return audit(service.database, argv, { PORT: new URL(service.origin).port, ADMIN_ROOT_TOKEN: rootToken, ...env })
}

test('while a service uses the file, its admin API is called, and the trail names the operator', async () => {
  await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
  await service.createDirectory()
  const { code, out, err } = await auditOf(service, ['verify', '--email', 'ada@example.com'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^The audit trail is intact: 2 entries, from 1/)
  const lines = (await auditOf(service, ['export'])).out.split('\n').slice(0, -1)
  const actors = lines.map((line) => JSON.parse(line)).map(({ action, actor }) => `${action} ${actor.name}`)
  const operator = 'operator@localhost.localdomain'
  assert.deepEqual(actors.slice(1), [
    ...['admin.login ada@example.com', 'admin.logout ada@example.com'],
    ...[`admin.login ${operator}`, `audit.exported ${operator}`],
  ])
})

test('a running service verifies its trail against the noted end', async () => {
  await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
  await service.createDirectory()
  const end = endOf((await auditOf(service, ['verify'])).out)
  assert.match((await auditOf(service, ['verify', '--end', end])).out, /Entry 2 is unchanged since you stored it/)
  const { code, out } = await auditOf(service, ['verify', '--end', `2:${'0'.repeat(64)}`])
  assert.deepEqual([code, head(out)], [1, 'The audit trail is broken. Entry 2 was changed.'])
})

for (const { when, env, says } of [
  { when: 'there is no root token', env: { ADMIN_ROOT_TOKEN: '' }, says: /A running service uses .* ADMIN_ROOT_TOKEN/ },
  {
    when: 'the root token is wrong',
    env: { ADMIN_ROOT_TOKEN: 'another-root-token-of-somebody' },
    says: /_login failed with 401: .*\nADMIN_ROOT_TOKEN must be the one/,
  },
  { when: 'no service listens', env: { PORT: '1' }, says: /http:\/\/localhost:1 cannot be reached: .*--url/ },
]) {
  test(`while a service uses the file, an error message says when ${when}`, async () => {
    await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
    const verified = await auditOf(service, ['verify'], env)
    assert.equal(verified.code, 2)
    assert.match(verified.err, says)
    const { code, err } = await auditOf(service, ['export'], env)
    assert.equal(code, 1)
    assert.match(err, says)
  })
}

test('an error message says when the admin API of the service is off', async () => {
  await using service = await startTestService('sqlite')
  const { code, err } = await auditOf(service, ['verify'])
  assert.deepEqual([code, /404: .*\nThe admin API is off while ADMIN_ROOT_TOKEN is unset/.test(err)], [2, true], err)
})

test('a missing database is not created', async () => {
  await using database = await openTestDatabase('sqlite', { isEmpty: true })
  const { code, err } = await audit(database, ['verify'])
  assert.deepEqual([code, /There is no database .*rollcall\.db/.test(err)], [2, true], err)
})

test('invalid settings are listed one by one', async () => {
  await using database = await openTestDatabase('sqlite')
  const { code, err } = await audit(database, ['verify'], { PORT: 'many' })
  assert.deepEqual([code, /\n {2}- PORT must be a whole number/.test(err)], [2, true], err)
})

for (const { argv, problem } of [
  { argv: ['check'], problem: /^There is no command "audit check"/ },
  { argv: ['verify', '--end', '12'], problem: /^--end must be an end that an earlier verification printed/ },
  { argv: ['verify', '--end'], problem: /^--end needs a value/ },
  { argv: ['verify', '--url', 'localhost'], problem: /^--url must be an address that starts with http/ },
  { argv: ['verify', 'now'], problem: /^"now" is an unexpected argument/ },
  { argv: ['export', '--end', `1:${'0'.repeat(64)}`], problem: /^There is no option --end/ },
]) {
  test(`rejects rollcall audit ${argv.join(' ')}`, async () => {
    const io = fakeIo()
    assert.equal(await auditCommand(argv, io), 2)
    assert.match(io.err(), problem)
    assert.match(io.err(), /Run rollcall audit --help/)
  })
}

for (const argv of [[], ['--help'], ['verify', '--help'], ['export', '-h']]) {
  test(`rollcall audit ${argv.join(' ')} shows the help`, async () => {
    const io = fakeIo()
    assert.equal(await auditCommand(argv, io), 0)
    for (const name of ['verify', 'export', '--end', '--url', '--email', 'Exit codes']) assert(io.out().includes(name))
  })
}

test('export succeeds when its reader closes early', async () => {
  await using database = await openTrail('sqlite', 1)
  const target = database.env['DATABASE_URL'] ?? ''
  const many = `with recursive n (i) as (select 2 union all select i + 1 from n where i < 3000)
    insert into audit_entries (sequence, id, at, action, caller_kind, target_kind, salts, previous_hash, hash)
    select i, 'id', at, action, caller_kind, target_kind, '{}', hash, hash from n, audit_entries where sequence = 1`
  await runSql(database, many)
  await runSql(database, 'update audit_head set sequence = 3000')
  const main = fileURLToPath(new URL('../../../bin/rollcall.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'audit', 'export'], {
    cwd: database.folder,
    env: { DATABASE_URL: target },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = await once(child, 'exit')
  assert.deepEqual([code, stderr], [0, ''])
})
