import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const url = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)

/** Runs `rollcall serve`, stops it after the start, and prints the loaded modules: URLs, and the modules of Node.js. */
const script = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
  const { serveCommand } = await import(${url('cli/serve.ts')})
  const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: 'sqlite::memory:', API_KEYS: 'a'.repeat(32), LOG_LEVEL: 'silent' }
  const stopping = new AbortController()
  const stdout = { isTTY: true, write: (text) => void (text.includes('is running') && stopping.abort()) }
  await serveCommand([], { stdout, stderr: process.stderr, env, signal: stopping.signal })
  console.log(JSON.stringify([...loaded, ...process.moduleLoadList]))`

/** Modules that only some services or requests need, or that take much memory. */
const onDemand = {
  'a library that is only for tests': '/node_modules/typebox/',
  'what describes the routes': '/node_modules/(@fastify/swagger|yaml)/',
  'the API reference and the files of the console': '/node_modules/(@scalar|@fastify/static)/',
  'encrypted states and hashes of passwords': '/node_modules/(jose|bcrypt|openid-client|oauth4webapi)/',
  'the compilers of schemas': '/node_modules/(ajv|@fastify/ajv-compiler|@fastify/fast-json-stringify-compiler)/',
  "Node's own fetch, which an import of node:http loads": '^NativeModule internal/deps/undici/undici$',
  'what measures and breaks lines of text': '/node_modules/(string-width|cli-table3)/',
  'what only products of Polis need': '/src/polis/',
  'the other database': '/node_modules/pg/|/src/store/postgres/',
}

test('a service loads only the modules at its start that every service needs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const loaded: readonly string[] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  const isLoaded = (pattern: string) => loaded.some((one) => new RegExp(pattern).test(one))
  assert.ok(isLoaded('/src/http/app.ts$') && isLoaded('^NativeModule http$'), 'both kinds of modules are reported')
  assert.deepEqual(
    Object.keys(onDemand).filter((what) => isLoaded(onDemand[what as keyof typeof onDemand])),
    [],
  )
})
