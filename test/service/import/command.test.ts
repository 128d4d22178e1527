import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { importCommand } from '../../../src/polis/import/command/command.ts'
import type { ImportReport } from '../../../src/polis/import/report.ts'
import { changePolis, fillPolis } from '../../../tools/polis/fill.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'

/** Runs the command in this process. */
async function runImport(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const output = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof output) => ({
    write(text: string) {
      output[name] += text
    },
  })
  const code = await importCommand(argv, {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    stdin: () => process.stdin,
    env,
  })
  return { code, ...output }
}

const size = { directories: 2, users: 3, groups: 1, members: 2 }

test('rollcall import says what is missing or wrong in its arguments', async () => {
  for (const { argv, says } of [
    { argv: [], says: /Say what to import from: polis\./ },
    { argv: ['polis', '--plan'], says: /Name the database or the address of Polis with --from/ },
    { argv: ['polis', '--from', 'postgres://x/y'], says: /one of --plan, --apply and --verify/ },
    { argv: ['polis', '--from', 'postgres://x/y', '--plan', '--apply'], says: /one of --plan, --apply and --verify/ },
    { argv: ['polis', '--from', 'postgres://x/y', '--plan', '--resync'], says: /--resync goes with --apply/ },
    { argv: ['polis', 'now', '--from', 'postgres://x/y', '--plan'], says: /"now" is an unexpected argument/ },
    { argv: ['polis', '--form', 'x', '--plan'], says: /There is no option --form/ },
  ]) {
    const { code, stderr } = await runImport(argv)
    assert.equal(code, 2)
    assert.match(stderr, says)
  }
  const { code, stdout } = await runImport(['--help'])
  assert.equal(code, 0)
  assert.match(stdout, /Example: rollcall import polis --from postgres:/)
})

test('rollcall import plans, applies and verifies, and its report is private and without secrets', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  await fillPolis(polis.url, size)
  await using database = await openTestDatabase('sqlite', { isEmpty: true })
  const file = join(database.folder, 'report.json')
  const run = (...options: string[]) =>
    runImport(['polis', '--from', polis.url, '--report', file, ...options], database.env)
  const missing = await run('--plan')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /There is no database/)
  await (await startTestService(database)).close()

  await writeFile(file, 'an older report', { mode: 0o644 })
  const plan = await run('--plan')
  assert.equal(plan.code, 0, plan.stderr)
  assert.match(plan.stdout, /Directories +2\/2 +6 users/)
  assert.match(plan.stdout, /users +6 +0 +0 +0/)
  assert.match(plan.stdout, /Nothing was written\. Run it with --apply to import\./)
  const text = await readFile(file, 'utf8')
  const report: ImportReport = JSON.parse(text)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual([report.mode, report.totals.users.created, report.directories.length], ['plan', 6, 2])
  assert.ok(!/webhook-\d/.test(text), 'it has no secrets')
  assert.ok(!report.from.includes('@'), 'it has no password')

  const apply = await run('--apply')
  assert.equal(apply.code, 0, apply.stderr)
  assert.match(apply.stdout, /Done: 2 directories\./)
  const verify = await run('--verify')
  assert.equal(verify.code, 0, verify.stderr)
  assert.match(verify.stdout, /Both sides are the same\./)
  await changePolis(polis.url, size, 1)
  const differs = await run('--verify')
  assert.equal(differs.code, 1)
  assert.match(differs.stdout, /3 records differ/)
  assert.match(differs.stdout, /user [0-9a-f-]{36} of [0-9a-f-]{36} is missing here/)

  const [directory] = report.directories
  {
    await using service = await startTestService(database)
    const busy = await run('--apply')
    assert.equal(busy.code, 1)
    assert.match(busy.stderr, /A running service uses the database file: stop it while you import/)
    await service.api('PATCH', `/${directory?.id}`, { name: 'Renamed here' })
  }
  const refused = await run('--apply')
  assert.equal(refused.code, 3, refused.stderr)
  assert.match(refused.stdout, /Directories that are left as they are here: 1/)
  assert.ok(refused.stdout.includes(`${directory?.tenant}/${directory?.product} ${directory?.id}: `))
})

test('rollcall import keeps a directory that cannot be read any more, and does not call both sides the same', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  await fillPolis(polis.url, size)
  await using database = await openTestDatabase('sqlite')
  await (await startTestService(database)).close()
  const run = (mode: string) => runImport(['polis', '--from', polis.url, mode], database.env)
  assert.equal((await run('--apply')).code, 0)
  const oneDirectory = `(select min(key) from jackson_store where key like 'dsync:config:%')`
  await execute(polis.url, `update jackson_store set value = 'damaged' where key = ${oneDirectory}`)
  const apply = await run('--apply')
  assert.match(apply.stdout, /directories +0 +0 +0 +1/)
  assert.match(apply.stdout, /The directory cannot be read in Polis any more: it stays as it was imported\./)
  const verify = await run('--verify')
  assert.equal(verify.code, 3, verify.stderr)
  assert.match(verify.stdout, /What can be read in Polis is the same on both sides\.\n$/)
})

test('rollcall import deletes nothing that the index of Polis has lost, and names it in the report and by its exit code', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  await fillPolis(polis.url, size)
  await using database = await openTestDatabase('sqlite')
  await (await startTestService(database)).close()
  const run = (mode: string) => runImport(['polis', '--from', polis.url, mode], database.env)
  assert.equal((await run('--apply')).code, 0)
  await execute(polis.url, 'delete from jackson_index')
  const apply = await run('--apply')
  assert.equal(apply.code, 3, apply.stderr)
  assert.match(apply.stdout, /users +0 +0 +0 +0/)
  assert.match(apply.stdout, /Lists of Polis that are not whole: 8\n/)
  assert.match(apply.stdout, /The user is missing from the list of Polis, but Polis still has it: it stays as it was/)
  assert.equal((await run('--verify')).code, 3)
  await execute(polis.url, 'alter table jackson_index rename to lost_index')
  const missing = await run('--apply')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /has no table jackson_store or jackson_index: name the database that Polis uses/)
})

test('rollcall import names an empty Polis instead of calling both sides the same', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  await fillPolis(polis.url, size)
  await using database = await openTestDatabase('sqlite')
  await (await startTestService(database)).close()
  const run = (mode: string) => runImport(['polis', '--from', polis.url, mode], database.env)
  assert.equal((await run('--apply')).code, 0)
  await execute(polis.url, 'truncate jackson_store, jackson_index cascade')
  for (const mode of ['--plan', '--apply', '--verify']) {
    const { code, stdout } = await run(mode)
    assert.equal(code, 3, mode)
    assert.match(stdout, /Polis has no directory at all, which is more likely the wrong database/)
  }
})
