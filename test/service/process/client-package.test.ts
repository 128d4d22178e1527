import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { poll } from '../../support/eventually.ts'
import { forSuite, startTestService, testApiKey } from '../../support/service.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

interface Entry {
  readonly types: string
  readonly default: string
  readonly require?: Omit<Entry, 'require'>
}

interface Manifest {
  readonly version: string
  readonly main?: string
  readonly exports: Readonly<Record<string, Entry>>
  readonly types: string
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly string[]>> }
  readonly engines?: object
  readonly dependencies?: Readonly<Record<string, string>>
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

/** The folders of packages with everything that they depend on. */
async function withDependencies(names: readonly string[], found = new Map<string, string>()) {
  for (const name of names) {
    if (found.has(name)) continue
    const folder = join(root, 'node_modules', name)
    found.set(name, folder)
    await withDependencies(Object.keys((await manifestIn(folder)).dependencies ?? {}), found)
  }
  return [...found.values()]
}

/** Packs `rollcall-client`, and installs it in an empty folder with its dependencies, from the files of this repository. */
async function installClient() {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-client-'))
  const staged = join(folder, 'packed')
  await cp(join(root, 'packages/client'), staged, {
    recursive: true,
    filter: (path) => !/client\/(dist|node_modules)/.test(path),
  })
  await run(process.execPath, [join(root, 'scripts/build-client.ts'), '--out', join(staged, 'dist')])
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: staged,
  })
  const product = join(folder, 'product')
  await cp(join(root, '.npmrc'), join(product, '.npmrc'))
  await writeFile(join(product, 'package.json'), '{"type": "module"}')
  const { dependencies = {} } = await manifestIn(staged)
  const packages = [join(folder, stdout.trim()), ...(await withDependencies(Object.keys(dependencies)))]
  await run('npm', ['install', '--offline', '--ignore-scripts', '--install-links', ...packages], { cwd: product })
  return {
    product,
    installed: join(product, 'node_modules/rollcall-client'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const client = forSuite(installClient)

test('rollcall-client has the version of rollcall, and the dependencies that products may be asked to install', async () => {
  const { version, dependencies = {}, engines } = await manifestIn(client().installed)
  const service = await manifestIn(root)
  assert.equal(version, service.version)
  assert.deepEqual(engines, { node: '>=20' })
  assert.deepEqual(Object.keys(dependencies), ['openapi-fetch', 'standardwebhooks'])
  for (const [name, range] of Object.entries(dependencies)) assert.equal(range, service.dependencies?.[name])
})

/** The names of all packages and modules of Node.js that a file imports, and those that it imports import. */
async function importedBy(file: string, names: Set<string>, visited = new Set<string>()): Promise<void> {
  if (visited.has(file)) return
  visited.add(file)
  const code = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  for (const [, name = ''] of code.matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^'"]+)['"]/g)) {
    if (!name.startsWith('.')) names.add(name)
    if (!isBuiltin(name)) await importedBy(createRequire(file).resolve(name), names, visited)
  }
}

test('nothing that rollcall-client loads imports a module of Node.js', async () => {
  const { installed } = client()
  const names = new Set<string>()
  for (const { default: entry } of Object.values((await manifestIn(installed)).exports)) {
    await importedBy(join(installed, entry), names)
  }
  assert.deepEqual([...names].sort(), ['@stablelib/base64', 'fast-sha256', 'openapi-fetch', 'standardwebhooks'])
})

test('a product calls a running service with rollcall-client', async () => {
  await using service = await startTestService('sqlite')
  const directory = await service.createDirectory()
  await service.scim(directory, 'POST', '/Users', { userName: 'ada@acme.example' })
  const code = `
    import { createClient, RollcallError } from 'rollcall-client'
    import { createConsumer, memoryStore, verifyWebhook, WebhookVerificationError } from 'rollcall-client/webhooks'
    const client = createClient({ baseUrl: '${service.origin}', apiKey: '${testApiKey}' })
    const scope = { directoryId: '${directory.id}' }
    for await (const user of client.users(scope)) console.log('user', user.email)
    const handlers = { 'user.created': ({ data }) => console.log('event', data.email) }
    const consumer = createConsumer({ store: memoryStore(), handlers })
    for await (const event of client.events({ ...scope, follow: false })) await consumer.receive(event)
    try {
      verifyWebhook('{}', new Headers({ 'webhook-id': 'a', 'webhook-timestamp': '1' }), 'whsec_c2VjcmV0')
    } catch (error) {
      console.log(error instanceof WebhookVerificationError, error instanceof RollcallError, error.status)
    }`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: client().product })
  assert.deepEqual(stdout.trim().split('\n'), ['user ada@acme.example', 'event ada@acme.example', 'true true 401'])
})

/** The product of `examples/client`, running beside a service. */
async function startExample(url: string, product: string) {
  const folder = join(product, 'example')
  await cp(join(root, 'examples/client'), folder, { recursive: true })
  const env = { ROLLCALL_URL: url, ROLLCALL_API_KEY: testApiKey, PORT: '0', DATABASE: join(folder, 'product.db') }
  const child = spawn(process.execPath, ['src/server.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return {
    folder,
    url: `http://127.0.0.1:${/port: (\d+)/.exec(line)?.[1]}/`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('the example with a database of its own has the accounts of a directory, and its types are complete', async () => {
  await using service = await startTestService('sqlite')
  await using example = await startExample(service.origin, client().product)
  const directory = await service.createDirectory({ webhook_url: example.url })
  const { id } = (await service.scim(directory, 'POST', '/Users', { userName: 'ada@acme.example' })).body
  await service.scim(directory, 'POST', '/Users', { userName: 'bob@acme.example', active: false })
  await service.scim(directory, 'DELETE', `/Users/${id}`)
  const expected = JSON.stringify([{ tenant: directory.tenant, email: 'bob@acme.example', active: 0 }])
  await poll(
    async () => (await fetch(example.url)).text(),
    (accounts) => accounts === expected,
    (accounts) => `the account of bob alone; the accounts are ${accounts}`,
  )
  assert.equal((await fetch(example.url, { method: 'POST', body: '{}' })).status, 401)
  const options = ['-p', example.folder, '--noEmit', '--typeRoots', join(root, 'node_modules/@types')]
  const { stdout } = await tsc(options, example.folder)
  assert.equal(stdout, '')
})

test('every entry of rollcall-client can be required without the modules, as Node.js 20.0 does', async () => {
  const { product, installed } = client()
  for (const folder of ['client', 'webhooks']) await rename(join(installed, 'dist', folder), join(product, folder))
  const code = `
    const { createClient, RollcallError } = require('rollcall-client')
    const { createConsumer, memoryStore, verifyWebhook, WebhookVerificationError } = require('rollcall-client/webhooks')
    require('rollcall-client/testing')
    createConsumer({ store: memoryStore(), handlers: {} })
    try {
      verifyWebhook('{}', new Headers({ 'webhook-id': 'a', 'webhook-timestamp': '1' }), 'whsec_c2VjcmV0')
    } catch (error) {
      console.log(error instanceof WebhookVerificationError, error instanceof RollcallError, error.status)
    }
    const fetch = async () => new Response('<html>')
    createClient({ baseUrl: 'https://rollcall.example', apiKey: 'key', fetch })
      .GET('/providers')
      .catch((error) => console.log(error instanceof RollcallError, error.code))`
  try {
    const withoutModules = ['--no-experimental-require-module', '--input-type=commonjs', '-e', code]
    const { stdout } = await run(process.execPath, withoutModules, { cwd: product })
    assert.deepEqual(stdout.trim().split('\n'), ['true true 401', 'true unexpected-response'])
  } finally {
    for (const folder of ['client', 'webhooks']) await rename(join(product, folder), join(installed, 'dist', folder))
  }
})

test('modules and CommonJS share the classes of errors where Node.js can require modules', async () => {
  const code = `
    import { createRequire } from 'node:module'
    import { RollcallError } from 'rollcall-client'
    console.log(createRequire(import.meta.url)('rollcall-client').RollcallError === RollcallError)`
  const { product } = client()
  await writeFile(join(product, 'shared.js'), code)
  assert.equal((await run(process.execPath, ['shared.js'], { cwd: product })).stdout.trim(), 'true')
})

test('TypeScript with moduleResolution node10, which ignores exports, finds the declarations of every entry', async () => {
  for (const folder of [client().installed, root]) {
    const { exports, types, typesVersions } = await manifestIn(folder)
    const entries = Object.entries(exports).filter(([, entry]) => typeof entry !== 'string')
    const declarations = entries.map(([name, entry]) => [name, entry.require?.types ?? entry.types])
    const legacy = Object.entries(typesVersions['*']).map(([name, [file]]) => [`./${name}`, `./${file}`])
    assert.deepEqual([['.', types], ...legacy], declarations)
  }
})

test('the types of rollcall-client are complete, in a project without those of Node.js', async () => {
  const { product } = client()
  const code = `
    import { createClient } from 'rollcall-client'
    import { createConsumer, postgresStore, type PostgresPoolClient } from 'rollcall-client/webhooks'
    import type { IdentityProvider } from 'rollcall-client/testing'
    export const hire = async (okta: IdentityProvider) => (await okta.assign({ email: 'ada@acme.example' })).id
    declare const pool: { connect(): Promise<PostgresPoolClient> }
    const client = createClient({ baseUrl: 'https://rollcall.example', apiKey: 'key' })
    const store = postgresStore({ pool })
    createConsumer({
      store,
      secret: async ({ directoryId }) => (await client.GET('/{id}', { params: { path: { id: directoryId } } })).data.webhook.secret,
      handlers: {
        'user.created': async ({ data }, { transaction }) => {
          const former: string | undefined = data.returned_from?.id
          await transaction.query('insert into people values ($1, $2)', [data.email, former])
        },
      },
    })`
  await writeFile(join(product, 'product.ts'), code)
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--module', 'nodenext', '--target', 'es2022']
  const lib = ['--lib', 'es2022,dom,dom.iterable', '--types', '', 'product.ts']
  assert.equal((await tsc([...options, ...lib], product)).stdout, '')
})

for (const { module, moduleResolution, type } of [
  { module: 'nodenext', moduleResolution: 'nodenext', type: 'module' },
  { module: 'node16', moduleResolution: 'node16', type: 'commonjs' },
  { module: 'esnext', moduleResolution: 'bundler', type: 'module' },
  { module: 'commonjs', moduleResolution: 'bundler', type: 'commonjs' },
]) {
  test(`a package of type ${type} has the types with "module": "${module}" and "moduleResolution": "${moduleResolution}"`, async () => {
    const folder = join(client().product, `${module}-${moduleResolution}`)
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type }))
    const code = `
      import { createClient } from 'rollcall-client'
      import { createConsumer, memoryStore } from 'rollcall-client/webhooks'
      import type { IdentityProvider } from 'rollcall-client/testing'
      export const assigned = (okta: IdentityProvider): Promise<{ readonly id: string }> => okta.assign({ email: 'ada@acme.example' })
      createClient({ baseUrl: 'https://rollcall.example', apiKey: 'key' })
      // @ts-expect-error: an event is not a number
      createConsumer({ store: memoryStore(), handlers: { 'user.created': (event: number) => {} } })`
    await writeFile(join(folder, 'product.ts'), code)
    const resolution = ['--module', module, '--moduleResolution', moduleResolution]
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
    assert.equal((await tsc([...options, ...resolution, 'product.ts'], folder)).stdout, '')
  })
}

/** Runs the compiler; its errors are its output. */
function tsc(options: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  const command = join(root, 'node_modules/.bin/tsc')
  return run(command, options, { cwd }).catch((error: { stdout: string }) => error)
}
