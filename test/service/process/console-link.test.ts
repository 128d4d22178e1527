import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand, startCommand } from '../../support/command.ts'
import { openTestDatabase, startServiceProcess, startTestService } from '../../support/service.ts'

/** The answers to signing in with the code of a link, twice. */
async function useTwice(origin: string, link: string): Promise<number[]> {
  const { hash, origin: page } = new URL(link)
  const body = JSON.stringify({ code: hash.replace('#code=', '') })
  const headers = { 'content-type': 'application/json', origin: page }
  const statuses: number[] = []
  for (let n = 0; n < 2; n += 1) {
    statuses.push((await fetch(`${origin}/console/session`, { method: 'POST', headers, body })).status)
  }
  return statuses
}

test('rollcall console-link prints a new link for a running service, which signs in once', async () => {
  await using database = await openTestDatabase('sqlite')
  await using service = await startServiceProcess(database)
  const links: string[] = []
  for (let n = 0; n < 2; n += 1) {
    const { code, stdout, stderr } = await runCommand(['console-link'], { cwd: database.folder, env: database.env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^http:\/\/localhost:\d+\/console#code=[\w-]{43}\n$/)
    assert.deepEqual(await useTwice(service.origin, stdout.trim()), [201, 401])
    links.push(stdout)
  }
  assert.notEqual(links[0], links[1])
})

test('rollcall console-link says why there is no link: nothing runs, no database, PostgreSQL', async () => {
  await using database = await openTestDatabase('sqlite')
  const missing = await runCommand(['console-link'], { cwd: database.folder, env: database.env })
  assert.match(missing.stderr, /^There is no database .+: run this in the folder of the service/)
  await (await startTestService(database))[Symbol.asyncDispose]()
  const stopped = await runCommand(['console-link'], { cwd: database.folder, env: database.env })
  assert.match(stopped.stderr, /^No service uses .+: start it with "rollcall serve", which prints a link\.\n$/)
  const env = {
    ...{ API_KEYS: 'k'.repeat(32), ENCRYPTION_KEY: 'a'.repeat(64), EXTERNAL_URL: 'https://sync.acme.example' },
    DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/rollcall',
  }
  const onPostgres = await runCommand(['console-link'], { cwd: database.folder, env })
  assert.match(onPostgres.stderr, /: sign in at https:\/\/sync\.acme\.example\/console with an API key\.\n$/)
  assert.doesNotMatch(onPostgres.stderr, /hunter2/)
  assert.deepEqual([missing.code, stopped.code, onPostgres.code], [1, 1, 1])
})

for (const { settings, hint } of [
  { settings: {}, hint: true },
  { settings: { HOST: '0.0.0.0' }, hint: false },
]) {
  test(`what a start prints for people comes before its log, with ${JSON.stringify(settings)}`, async () => {
    await using database = await openTestDatabase('sqlite')
    const env = { ...database.env, PORT: '0', ...settings }
    const child = startCommand(['serve'], { cwd: database.folder, env })
    let output = ''
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output.includes('"Server listening at')) break
    }
    child.kill('SIGKILL')
    assert.match(
      output,
      /^\nRollcall is running\.[^{]+Console: [\s\S]+Try:[\s\S]+The admin API is off[^\n]+\n\n\{"level":30/,
    )
    assert.equal(output.includes('Only programs on this machine can connect: set HOST=0.0.0.0 for others.'), hint)
    assert.equal(output.includes('Server listening at http://127.0.0.1:'), true)
  })
}
