/**
 * Builds and runs every project of `examples/` from the packed package, as a product would: installs it in an empty folder, builds
 * it with strict types, starts it, and provisions a user through it.
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

/** Makes the package where the examples expect it. */
function pack(): void {
  run('npm', ['pack', '--silent', '--pack-destination', work], root)
}

async function tryExample(name: string): Promise<void> {
  const folder = join(work, 'examples', name)
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  const started = performance.now()
  run('npm', ['install', '--no-audit', '--no-fund', '--silent'], folder)
  run('npm', ['run', 'build', '--silent'], folder)
  await using server = await startExample(folder)
  await provision(server.url)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(`${name}: installed, built and provisioned in ${seconds} s\n`)
}

async function startExample(folder: string) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), ORIGIN: url, ROLLCALL_API_KEY: apiKey }
  const child = spawn('npm', ['start', '--silent'], { cwd: folder, env, stdio: 'inherit', detached: true })
  const stop = () => end(child)
  try {
    await untilReady(url, child)
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

/** Creates a directory and a user, and reads the user from the API. */
async function provision(url: string): Promise<void> {
  const headers = { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' }
  const api = `${url}/rollcall/api/v1/directory-sync`
  const directory = await json(api, { method: 'POST', headers, body: '{"tenant":"acme","product":"example"}' })
  const { endpoint, secret } = directory.data.scim
  await json(`${endpoint}/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    body: '{"userName":"bjensen@example.com"}',
  })
  const { data } = await json(`${api}/users?tenant=acme&product=example`, { headers })
  if (data[0]?.email !== 'bjensen@example.com') throw new Error(`The example at ${url} does not have the user.`)
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
