/**
 * Writes what is frozen by the release of the version in package.json: the digests of the migrations, and for each engine a
 * database with the responses that were read from it.
 *
 *     node test/service/process/released/write.ts
 *
 * Run it once for each release, before it: released folders never change.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { version } from '../../../../src/version.ts'
import { testEncryptionKey } from '../../../support/database.ts'
import type { ReleasedContent } from '../../../support/released-database.ts'
import { digestsOf, dumpRows, releasedFolder, releasedSettings } from '../../../support/released-database.ts'
import type { Engine, TestService } from '../../../support/service.ts'
import { openTestDatabase, startTestService } from '../../../support/service.ts'

const folder = new URL(`${version}/`, releasedFolder)

await mkdir(folder, { recursive: true })
await write('migrations.json', json({ sqlite: digestsOf('sqlite'), postgres: digestsOf('postgres') }))
for (const engine of ['sqlite', 'postgres'] as const) await writeDatabase(engine)
// The PostgreSQL server of this process ends with it.
process.exit()

async function writeDatabase(engine: Engine): Promise<void> {
  await using empty = await openTestDatabase(engine)
  const database = { ...empty, env: { ...empty.env, ENCRYPTION_KEY: testEncryptionKey } }
  const content = await fill(await startTestService(database, releasedSettings))
  await write(`${engine}.json`, json(content))
  await write(`${engine}.sql`, await dumpRows(database))
}

/** Provisions a directory whose endpoint accepts nothing, reads it, and stops the service. */
async function fill(service: TestService): Promise<ReleasedContent> {
  const directory = await service.createDirectory({
    ...{ name: 'Acme', type: 'okta-scim-v2', log_webhook_events: true },
    ...{ webhook_url: 'http://127.0.0.1:9/events', webhook_secret: 'the-secret-of-the-endpoint' },
  })
  const scim = async (method: string, path: string, body?: unknown) =>
    (await service.scim(directory, method, path, body)).body
  const users = []
  for (const name of ['ann', 'bob', 'zoë'])
    users.push((await scim('POST', '/Users', { userName: `${name}@acme.example`, active: true, displayName: name })).id)
  const [ann, bob] = users
  const { id: sales } = await scim('POST', '/Groups', {
    displayName: 'Sales',
    members: [{ value: ann }, { value: bob }],
  })
  const patch = (...operations: readonly unknown[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  })
  await scim('PATCH', `/Users/${bob}`, patch({ op: 'replace', path: 'active', value: false }))
  await scim('PATCH', `/Groups/${sales}`, patch({ op: 'remove', path: `members[value eq "${ann}"]` }))
  await service.api('POST', '/setuplinks', {
    ...{ tenant: 'globex', product: 'crm', webhook_url: 'http://127.0.0.1:9/events' },
    webhook_secret: 'the-secret-of-the-endpoint',
  })
  const { id } = directory
  const api = ['', '/users', '/groups'].map((path) => (path === '' ? `/${id}` : `${path}?directoryId=${id}`))
  const content = {
    directory: { id, scim: directory.scim },
    api: await readAll([...api, `/groups/${sales}?tenant=acme&product=crm`, `/feed?directoryId=${id}`], (path) =>
      service.api('GET', path),
    ),
    scim: await readAll(['/Users', `/Users/${bob}`, `/Groups/${sales}`], (path) =>
      service.scim(directory, 'GET', path),
    ),
  }
  await service[Symbol.asyncDispose]()
  return content
}

async function readAll(paths: readonly string[], read: (path: string) => Promise<{ status: number; body: unknown }>) {
  const entries: (readonly [string, unknown])[] = []
  for (const path of paths) {
    const { status, body } = await read(path)
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`)
    entries.push([path, body])
  }
  return Object.fromEntries(entries)
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function write(name: string, text: string): Promise<void> {
  return writeFile(new URL(name, folder), text)
}
