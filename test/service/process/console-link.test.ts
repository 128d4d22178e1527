import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveCommand } from '../../../src/cli/serve.ts'
import { runCommand, runHere, startCommand } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { runsAll } from '../../support/extent.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

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
  await using service = await startTestService(database)
  const links: string[] = []
  for (const run of [runCommand, runHere]) {
    const { code, stdout, stderr } = await run(['console-link'], { cwd: database.folder, env: database.env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^http:\/\/localhost:\d+\/console#code=[\w-]{43}\n$/)
    assert.deepEqual(await useTwice(service.origin, stdout.trim()), [201, 401])
    links.push(stdout)
  }
  assert.notEqual(links[0], links[1])
})

test('rollcall console-link says why there is no link: nothing runs, no database, PostgreSQL', async () => {
  await using database = await openTestDatabase('sqlite', { isEmpty: true })
  const missing = await runHere(['console-link'], { cwd: database.folder, env: database.env })
  assert.match(missing.stderr, /^There is no database .+: run this in the folder of the service/)
  await (await startTestService(database))[Symbol.asyncDispose]()
  const stopped = await runHere(['console-link'], { cwd: database.folder, env: database.env })
  assert.match(stopped.stderr, /^No service uses .+: start it with "rollcall serve", which prints a link\.\n$/)
  const env = {
    ...{ API_KEYS: 'k'.repeat(32), ENCRYPTION_KEY: 'a'.repeat(64), EXTERNAL_URL: 'https://sync.acme.example' },
    DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/rollcall',
  }
  const onPostgres = await runHere(['console-link'], { cwd: database.folder, env })
  assert.match(onPostgres.stderr, /: sign in at https:\/\/sync\.acme\.example\/console with an API key\.\n$/)
  assert.doesNotMatch(onPostgres.stderr, /hunter2/)
  assert.deepEqual([missing.code, stopped.code, onPostgres.code], [1, 1, 1])
})

/** The lines of a start up to the one that says that it is running. */
async function linesOfStart(env: Readonly<Record<string, string>>, cwd: string): Promise<string[]> {
  const child = startCommand(['serve'], { cwd, env })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('Rollcall is running')) break
  }
  child.kill('SIGKILL')
  return output.trimEnd().split('\n')
}

const local = { settings: { LOG_LEVEL: 'info' }, isLocal: true }
const silent = { settings: { LOG_LEVEL: 'silent', HOST: '0.0.0.0' }, isLocal: false }

for (const { settings, isLocal } of runsAll ? [local, silent] : [silent]) {
  test(`a start whose output is no terminal prints only JSON, with ${JSON.stringify(settings)}`, async () => {
    await using database = await openTestDatabase('sqlite')
    const lines = (await linesOfStart({ ...database.env, PORT: '0', ...settings }, database.folder)).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    )
    const { msg, baseUrl, docs, console, apiKey, hints } = lines.at(-1) ?? {}
    assert.equal(msg, 'Rollcall is running')
    assert.match(String(baseUrl), /^http:\/\/localhost:\d+$/)
    assert.equal(docs, `${baseUrl}/docs`)
    assert.match(String(console), /\/console#code=/)
    assert.match(String(apiKey), /^rck_/)
    const localHint = 'Only programs on this machine can connect: set HOST=0.0.0.0 for others.'
    assert.deepEqual(hints, [...(isLocal ? [localHint] : []), 'The admin API is off: ADMIN_ROOT_TOKEN is not set.'])
  })
}

test('what a start prints on a terminal is for people', async () => {
  await using database = await openTestDatabase('sqlite')
  const stopping = new AbortController()
  const env = { ...database.env, PORT: '0', LOG_LEVEL: 'silent' }
  const io = fakeIo({ env, isTTY: true, signal: stopping.signal })
  const ended = serveCommand([], io)
  await eventually('the start', async () => io.out().includes('The admin API is off'))
  stopping.abort()
  assert.equal(await ended, 0)
  assert.match(
    io.out(),
    /^\nRollcall is running\.[^{]+Console: [\s\S]+Try:[\s\S]+The admin API is off[^\n]+\n\nStopping: .+\n$/,
  )
})
