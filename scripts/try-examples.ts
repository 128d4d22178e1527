/**
 * Builds and runs every project of `examples/` from the packed package, as a product would: installs it in an empty folder, builds
 * it with strict types, starts it, and provisions a user through it. `client` runs beside a service and receives the user as an event.
 *
 *     npm run examples [name …]
 */
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'rollcall-examples-'))
const apiKey = 'an-api-key-for-the-examples'
const email = 'bjensen@example.com'
/** A tenth of a second each. */
const attempts = 600

const asked = process.argv.slice(2)
const projects = globSync('*/package.json', { cwd: join(root, 'examples') }).map((path) => dirname(path))
const names = asked.length > 0 ? asked : projects

try {
  pack()
  for (const name of names) await tryExample(name)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Makes the packages where the examples expect it. */
function pack(): void {
  run('npm', ['pack', '--silent', '--pack-destination', work], root)
  run('npm', ['pack', '--silent', '--workspace', 'packages/client', '--pack-destination', work], root)
}

async function tryExample(name: string): Promise<void> {
  const folder = join(work, 'examples', name)
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  const started = performance.now()
  run('npm', ['install', '--no-audit', '--no-fund', '--silent'], folder)
  run('npm', ['run', 'build', '--silent'], folder)
  await (name === 'client' ? provisionBeside(folder) : provisionWithin(folder))
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(`${name}: installed, built and provisioned in ${seconds} s\n`)
}

/** Provisions a product that has the service inside its process. */
async function provisionWithin(folder: string): Promise<void> {
  await using product = await start(folder, ['npm', 'start', '--silent'], '/')
  const { headers, api } = await provision(`${product.url}/rollcall`)
  const { data } = await json(`${api}/users?tenant=acme&product=example`, { headers })
  if (data[0]?.email !== email) throw new Error(`The example at ${product.url} does not have the user.`)
}

/** Provisions the service, of which a product beside it receives the events. */
async function provisionBeside(folder: string): Promise<void> {
  await using service = await start(folder, [process.execPath, join(root, 'bin/rollcall.js'), 'serve'], '/readyz')
  await using product = await start(folder, ['npm', 'start', '--silent'], '/', { ROLLCALL_URL: service.url })
  await provision(service.url, product.url)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await (await fetch(product.url)).text()).includes(email)) return
    await pause(100)
  }
  throw new Error(`The example at ${product.url} did not receive the user.`)
}

async function start(folder: string, [command = '', ...args]: readonly string[], path: string, settings = {}) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const keys = { ROLLCALL_API_KEY: apiKey, API_KEYS: apiKey, LOG_LEVEL: 'warn' }
  const env = { ...process.env, PORT: String(port), ORIGIN: url, ...keys, ...settings }
  const child = spawn(command, args, { cwd: folder, env, stdio: 'inherit', detached: true })
  const stop = () => end(child)
  try {
    await untilReady(`${url}${path}`, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, [Symbol.asyncDispose]: stop }
}

/** Ends a process and those that it has started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < attempts && child.exitCode === null; attempt += 1) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok === true) return
    await pause(100)
  }
  throw new Error(`The example at ${url} did not start.`)
}

/** Creates a directory and a user of it. */
async function provision(url: string, endpoint = '') {
  const headers = { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' }
  const api = `${url}/api/v1/directory-sync`
  const fields = { tenant: 'acme', product: 'example', ...(endpoint === '' ? {} : { webhook_url: endpoint }) }
  const directory = await json(api, { method: 'POST', headers, body: JSON.stringify(fields) })
  await json(`${directory.data.scim.endpoint}/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${directory.data.scim.secret}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ userName: email }),
  })
  return { headers, api }
}

interface Answer {
  readonly data: readonly { readonly email: string }[] & {
    readonly scim: { readonly endpoint: string; readonly secret: string }
  }
}

async function json(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}
