import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createLog } from '../../../src/app/log.ts'
import { startServer } from '../../../src/app/server.ts'
import { readSettings } from '../../../src/app/settings.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { mainFile, runCommand, runHere, startCommand } from '../../support/command.ts'
import { settled } from '../../support/eventually.ts'

/** A folder with a file, a folder named like a database, a text file, and the files of interrupted restores. */
async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'rollcall-start-'))
  await writeFile(join(path, 'file'), '')
  await mkdir(join(path, 'folder.db'))
  await writeFile(join(path, 'text.db'), 'This is a text, and long enough to be read as a database. '.repeat(20))
  for (const left of ['copied.db.restoring', 'kept.db.before-restore']) {
    await writeFile(join(path, left), '')
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** A port that another process listens on. */
async function openUsedPort() {
  const server = createServer().listen(0, '0.0.0.0')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    await once(server, 'close')
  }
  return { port: String((server.address() as AddressInfo).port), [Symbol.asyncDispose]: close }
}

const onPostgres = { API_KEYS: 'k'.repeat(32), ENCRYPTION_KEY: 'a'.repeat(64) }
const local = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }

for (const { problem, env, message } of [
  {
    problem: 'the data folder is a file',
    env: { DATABASE_URL: 'sqlite:./file/rollcall.db' },
    message: 'The database ./file/rollcall.db cannot be opened: ./file is not a folder; create it',
  },
  {
    problem: 'the data folder cannot be created',
    env: { DATABASE_URL: 'sqlite:/sys/rollcall/rollcall.db' },
    message: 'The database /sys/rollcall/rollcall.db cannot be opened: this user may not read and write /sys',
  },
  {
    problem: 'the database is a folder',
    env: { DATABASE_URL: 'sqlite:./folder.db' },
    message: 'The database ./folder.db cannot be opened: it is a folder; move it away, or name another file',
  },
  {
    problem: 'the database is another file',
    env: { DATABASE_URL: 'sqlite:./text.db' },
    message: 'The database ./text.db cannot be opened: it is not a SQLite database; move it away',
  },
  {
    problem: 'an interrupted restore left its copy only',
    env: { DATABASE_URL: 'sqlite:./copied.db' },
    message:
      'There is no database ./copied.db, but ./copied.db.restoring: "rollcall restore" was interrupted. Run it again. To begin with an empty database, remove that file.',
  },
  {
    problem: 'a restore left the replaced database only',
    env: { DATABASE_URL: 'sqlite:./kept.db' },
    message: `There is no database ./kept.db, but kept.db.before-restore, which "rollcall restore" replaced. Restore a backup again, or put the old database back: mv 'kept.db.before-restore' './kept.db'. To begin`,
  },
  {
    problem: 'HOST is not an address of this machine',
    env: { HOST: '192.0.2.1' },
    message: 'This machine has no address 192.0.2.1: set HOST to one of its addresses',
  },
]) {
  test(`prints one line and exits with 1 when ${problem}`, async () => {
    await using folder = await openFolder()
    const { code, stdout, stderr } = await runHere(['serve'], { cwd: folder.path, env: { ...local, ...env } })
    assert.ok(stderr.startsWith(message), stderr)
    assert.equal(stderr.split('\n').length, 2, stderr)
    assert.deepEqual([code, stdout], [1, ''])
  })
}

test('a process that cannot start prints one line and exits with 1', async () => {
  await using folder = await openFolder()
  const env = { ...local, DATABASE_URL: 'sqlite:./file/rollcall.db' }
  const { code, stdout, stderr } = await runCommand(['serve'], { cwd: folder.path, env })
  assert.match(stderr, /^The database .+ cannot be opened: .+\n$/)
  assert.deepEqual([code, stdout], [1, ''])
})

for (const { problem, host, reason } of [
  { problem: 'PostgreSQL does not run', host: '127.0.0.1:1', reason: 'connect ECONNREFUSED 127.0.0.1:1' },
  { problem: 'the host of PostgreSQL is unknown', host: 'nowhere.invalid', reason: 'getaddrinfo ' },
  { problem: 'no host of PostgreSQL can be reached', host: '127.0.0.1:1,127.0.0.1:2', reason: '127.0.0.1:1: connect ' },
]) {
  test(`waits, saying so, until it is stopped when ${problem}`, async () => {
    const settings = readSettings({ ...local, ...onPostgres, DATABASE_URL: databaseAt(host) })
    const { promise: line, resolve: write } = Promise.withResolvers<string>()
    const stopping = new AbortController()
    const started = startServer(settings, createLog('info', { write }), { signal: stopping.signal })
    const { msg, ...rest } = JSON.parse(await settled('a line of the log', line))
    assert.ok(msg.startsWith(`The database is not available: ${reason}`), msg)
    assert.match(msg, /; waiting for it, for \d\d s at most$/)
    assert.doesNotMatch(msg, /hunter2/)
    assert.deepEqual(Object.keys(rest), ['level', 'time'])
    stopping.abort()
    await assert.rejects(started, (error: Error) => error instanceof StoreUnavailable && !/hunter2/.test(error.message))
  })
}

const databaseAt = (host: string) => `postgres://u:hunter2@${host}/rollcall`

test('a process that waits for its database ends on SIGTERM, and says why it has not started', async () => {
  await using folder = await openFolder()
  const env = { ...local, ...onPostgres, LOG_LEVEL: 'info', DATABASE_URL: databaseAt('127.0.0.1:1') }
  const child = startCommand(['serve'], { cwd: folder.path, env })
  const stderr = text(child.stderr)
  const [line]: string[] = await once(child.stdout.setEncoding('utf8'), 'data')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 1)
  assert.match(await stderr, /^The database is not available: .+\. Check DATABASE_URL, .+\n$/)
  assert.doesNotMatch(line + (await stderr), /hunter2/)
})

test('prints one line and exits with 1 when .env is not a file', async () => {
  await using folder = await openFolder()
  await mkdir(join(folder.path, '.env'))
  const { code, stderr } = await runCommand(['serve'], { cwd: folder.path, env: local })
  assert.equal(stderr, 'The file .env cannot be read: make it a file that this user can read, or remove it.\n')
  assert.equal(code, 1)
})

for (const { command, advice } of [
  { command: ['serve'], advice: 'or set PORT to another port.' },
  { command: ['listen', '--port'], advice: 'or choose another port with --port.' },
]) {
  test(`${command[0]}: prints one line and exits with 1 when the port is in use`, async () => {
    await using folder = await openFolder()
    await using used = await openUsedPort()
    const argv = command.length === 1 ? command : [...command, used.port]
    const env = { ...local, HOST: '0.0.0.0', PORT: used.port }
    const { code, stderr } = await runHere(argv, { cwd: folder.path, env })
    assert.equal(stderr, `Port ${used.port} is in use: stop the other process, ${advice}\n`)
    assert.equal(code, 1)
  })
}

test('the demo uses a free port when its port is in use, and ignores the settings of the service', async () => {
  await using folder = await openFolder()
  await using used = await openUsedPort()
  const service = { EXTERNAL_URL: 'https://rollcall.invalid', DSYNC_WEBHOOK_BATCH_SIZE: '5' }
  const env = { HOST: '0.0.0.0', PORT: used.port, ...service }
  const { code, stdout, stderr } = await runHere(['demo', '--once'], { cwd: folder.path, env })
  assert.equal(code, 0, stdout + stderr)
  assert.ok(stdout.includes(`Port ${used.port} is in use: the demo uses a free one.`), stdout)
  assert.doesNotMatch(stdout, /rollcall\.invalid/)
})

for (const argv of [
  ['serve', '--prot', '80'],
  ['serve', '80'],
  ['demo', '--extdri'],
  ['listen', '--secrets', 'x'],
  ['listen', '--port', 'many'],
  ['rotate-keys', '--all'],
  ['migrate', '--partition', '8'],
]) {
  test(`rejects the arguments of rollcall ${argv.join(' ')}`, async () => {
    const { code, stderr } = await runHere(argv, { env: {} })
    assert.match(stderr, /^(There is no option --|"80" is an unexpected argument\.|--port must be )/)
    assert.match(stderr, /Run rollcall [a-z-]+ --help for help\.\n$/)
    assert.equal(code, 2)
  })
}

test('a process with wrong arguments exits with 2', async () => {
  const { code, stdout, stderr } = await runCommand(['listen', '--secrets', 'x'])
  assert.match(stderr, /^There is no option --secrets\./)
  assert.deepEqual([code, stdout], [2, ''])
})

const tooOld = /^Rollcall needs Node\.js 24 or later; this is Node\.js \d+\.\d+\.\d+\. .+\n$/

test('under an old Node.js, every command prints one line and exits with 1', async () => {
  const fake = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`]
  const { code, stdout, stderr } = await runCommand(['serve'], { nodeOptions })
  assert.match(stderr, tooOld)
  assert.deepEqual([code, stdout], [1, ''])
})

test('the start file contains only what an old Node.js can parse', async () => {
  const text = await readFile(mainFile, 'utf8')
  assert.doesNotMatch(text, /^import\b/m, 'a name that an old version lacks is a SyntaxError in a static import')
  assert.doesNotMatch(text, /^(\w+ = )?await\b/m, 'there is no await at the top')
  assert.doesNotMatch(text, /\?\?=|\|\|=|\busing\b/)
})

/** The Node.js versions on the PATH that are too old. */
async function oldNodes(): Promise<string[]> {
  const found: string[] = []
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    const isThere = await access(node).then(
      () => true,
      () => false,
    )
    if (isThere && /^v(\d|1\d|2[0-3])\./.test(execFileSync(node, ['--version'], { encoding: 'utf8' }))) found.push(node)
  }
  return found
}

test('an old Node.js on this machine prints that line', async (context) => {
  const nodes = await oldNodes()
  if (nodes.length === 0) return context.skip('there is none')
  for (const node of nodes) {
    const { code, stderr } = await runCommand(['demo'], { node })
    assert.match(stderr, tooOld)
    assert.equal(code, 1)
  }
})

test('npm prints no warnings about the version of Node.js that it runs on', async () => {
  const text = await readFile(new URL('../../../.npmrc', import.meta.url), 'utf8')
  assert.match(text, /^loglevel=error$/m)
})
