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

/** A database with the audit trail of a service that has made some directories, and is stopped. */
async function openTrail(engine: TestDatabase['engine'], directories: number): Promise<TestDatabase> {
  const database = await openTestDatabase(engine)
  await using service = await startTestService(database)
  for (let n = 1; n <= directories; n += 1) await service.createDirectory({ tenant: `tenant-${n}` })
  return database
}

/** Runs `rollcall audit …` on a database. */
async function audit(database: TestDatabase, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const io = fakeIo({ env: { API_KEYS: 'key', ...database.env, ...env } })
  const code = await auditCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** `<sequence>:<hash>`, as a check prints it. */
function endOf(out: string): string {
  return /^End: (\d+:[0-9a-f]{64})$/m.exec(out)?.[1] ?? ''
}

/** The first two lines on an output. */
function head(text: string): string {
  return text.split('\n').slice(0, 2).join(' ')
}

forEachEngine((engine) => {
  test('verify prints how much there is and the end of it', async () => {
    await using database = await openTrail(engine, 3)
    const { code, out } = await audit(database, ['verify'])
    assert.equal(code, 0, out)
    assert.match(out, /^The audit trail is whole: 3 entries, from 1 \(20\S+Z\) to 3 \(20\S+Z\)\.\nEnd: 3:/)
  })

  for (const { what, sql, says } of [
    {
      what: 'an entry that was changed',
      sql: `update audit_entries set tenant = 'other' where sequence = 2`,
      says: 'Entry 2 is not as it was written.',
    },
    {
      what: 'an entry that was taken out',
      sql: 'delete from audit_entries where sequence = 3',
      says: 'Entry 3 is missing.',
    },
  ]) {
    test(`verify names ${what}, with exit code 1`, async () => {
      await using database = await openTrail(engine, 4)
      await runSql(database, sql)
      const { code, out } = await audit(database, ['verify'])
      assert.deepEqual({ code, head: head(out) }, { code: 1, head: `The audit trail is broken. ${says}` })
    })
  }

  test('the end that was noted shows that the newest entries were taken away with the record of the end', async () => {
    await using database = await openTrail(engine, 3)
    const end = endOf((await audit(database, ['verify'])).out)
    await runSql(database, 'delete from audit_entries where sequence = 3')
    await runSql(
      database,
      'update audit_head set sequence = 2, hash = (select hash from audit_entries where sequence = 2)',
    )
    assert.equal((await audit(database, ['verify'])).code, 0, 'without it nothing shows')
    const { code, out } = await audit(database, ['verify', '--end', end])
    assert.deepEqual([code, /does not end as it was recorded/.test(out)], [1, true], out)
  })

  test('a trail that has grown still holds the end that was noted', async () => {
    await using database = await openTrail(engine, 2)
    const end = endOf((await audit(database, ['verify'])).out)
    await audit(database, ['export'])
    const { code, out } = await audit(database, ['verify', '--end', end])
    assert.deepEqual([code, /\nIt still holds entry 2 as it was noted\.\nEnd: 3:/.test(out)], [0, true], out)
  })

  test('export writes an entry per line, oldest first, and itself at the end', async () => {
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

  test('with the wrong encryption key nothing can be checked: exit code 2', async () => {
    await using database = await openTrail(engine, 1)
    const { code, err } = await audit(database, ['verify'], { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') })
    assert.deepEqual([code, /could not be checked\.\nA stored secret was encrypted with the key/.test(err)], [2, true])
  })
})

/** Runs `rollcall audit …` while a service has the file of its embedded database. */
async function auditOf(service: TestService, argv: readonly string[], env?: Readonly<Record<string, string>>) {
  return audit(service.database, argv, { PORT: new URL(service.origin).port, ADMIN_ROOT_TOKEN: rootToken, ...env })
}

test('while a service has the file, it is asked for the check, and names the operator', async () => {
  await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
  await service.createDirectory()
  const { code, out, err } = await auditOf(service, ['verify', '--email', 'ada@example.com'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^The audit trail is whole: 2 entries, from 1/)
  const lines = (await auditOf(service, ['export'])).out.split('\n').slice(0, -1)
  const actors = lines.map((line) => JSON.parse(line)).map(({ action, actor }) => `${action} ${actor.name}`)
  const operator = 'operator@localhost.localdomain'
  assert.deepEqual(actors.slice(1), [
    ...['admin.login ada@example.com', 'admin.logout ada@example.com'],
    ...[`admin.login ${operator}`, `audit.exported ${operator}`],
  ])
})

test('a running service holds its trail against the end that was noted', async () => {
  await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
  await service.createDirectory()
  const end = endOf((await auditOf(service, ['verify'])).out)
  assert.match((await auditOf(service, ['verify', '--end', end])).out, /It still holds entry 2 as it was noted/)
  const { code, out } = await auditOf(service, ['verify', '--end', `2:${'0'.repeat(64)}`])
  assert.deepEqual([code, head(out)], [1, 'The audit trail is broken. Entry 2 is not as it was written.'])
})

for (const { when, env, says } of [
  { when: 'there is no root token', env: { ADMIN_ROOT_TOKEN: '' }, says: /A running service has .* ADMIN_ROOT_TOKEN/ },
  {
    when: 'the root token is another',
    env: { ADMIN_ROOT_TOKEN: 'another-root-token-of-somebody' },
    says: /_login was answered with 401: .*\nADMIN_ROOT_TOKEN must be the one/,
  },
  { when: 'nothing answers', env: { PORT: '1' }, says: /http:\/\/localhost:1 cannot be reached: .*--url/ },
]) {
  test(`while a service has the file, it is told in words when ${when}`, async () => {
    await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
    const verified = await auditOf(service, ['verify'], env)
    assert.equal(verified.code, 2)
    assert.match(verified.err, says)
    const { code, err } = await auditOf(service, ['export'], env)
    assert.equal(code, 1)
    assert.match(err, says)
  })
}

test('a service whose admin API is off is told apart', async () => {
  await using service = await startTestService('sqlite')
  const { code, err } = await auditOf(service, ['verify'])
  assert.deepEqual([code, /404: .*\nThe admin API is on when ADMIN_ROOT_TOKEN is set/.test(err)], [2, true], err)
})

test('no database is made where none is', async () => {
  await using database = await openTestDatabase('sqlite')
  const { code, err } = await audit(database, ['verify'])
  assert.deepEqual([code, /There is no database .*rollcall\.db/.test(err)], [2, true], err)
})

test('settings that are wrong are told one by one', async () => {
  await using database = await openTestDatabase('sqlite')
  const { code, err } = await audit(database, ['verify'], { PORT: 'many' })
  assert.deepEqual([code, /\n {2}- PORT must be a whole number/.test(err)], [2, true], err)
})

for (const { argv, problem } of [
  { argv: ['check'], problem: /^There is no command "audit check"/ },
  { argv: ['verify', '--end', '12'], problem: /^--end must be the end that an earlier check printed/ },
  { argv: ['verify', '--end'], problem: /^--end needs a value/ },
  { argv: ['verify', '--url', 'localhost'], problem: /^--url must be an address that starts with http/ },
  { argv: ['verify', 'now'], problem: /^"now" is one argument too many/ },
  { argv: ['export', '--end', `1:${'0'.repeat(64)}`], problem: /^There is no option --end/ },
]) {
  test(`refuses rollcall audit ${argv.join(' ')}`, async () => {
    const io = fakeIo()
    assert.equal(await auditCommand(argv, io), 2)
    assert.match(io.err(), problem)
    assert.match(io.err(), /More: rollcall audit --help/)
  })
}

for (const argv of [[], ['--help'], ['verify', '--help'], ['export', '-h']]) {
  test(`rollcall audit ${argv.join(' ')} explains itself`, async () => {
    const io = fakeIo()
    assert.equal(await auditCommand(argv, io), 0)
    for (const name of ['verify', 'export', '--end', '--url', '--email', 'Exit code']) assert(io.out().includes(name))
  })
}

test('export ends well when its reader has had enough', async () => {
  await using database = await openTrail('sqlite', 1)
  const target = database.env['DATABASE_URL'] ?? ''
  const many = `with recursive n (i) as (select 2 union all select i + 1 from n where i < 3000)
    insert into audit_entries select i, 'id', at, action, caller_kind, null, null, null, null, target_kind, null, null,
    null, null, hash, hash from n, audit_entries where sequence = 1`
  await runSql(database, many)
  await runSql(database, 'update audit_head set sequence = 3000')
  const main = fileURLToPath(new URL('../../../bin/rollcall.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'audit', 'export'], {
    cwd: database.folder,
    env: { DATABASE_URL: target },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = await once(child, 'exit')
  assert.deepEqual([code, said], [0, ''])
})
