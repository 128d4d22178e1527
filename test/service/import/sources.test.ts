import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import type { PolisDirectory, PolisSource } from '../../../src/polis/import/source.ts'
import { execute } from '../../support/postgres.ts'
import { doubleApiKey } from './support/api-polis.ts'
import type { RecordedPolis, ShownDirectory } from './support/recording.ts'
import { openRecordedPolis, polisKey } from './support/recording.ts'
import { withEndpoint } from './support/scenario.ts'

for (const { how, name, keys } of [
  { how: 'encrypted', name: 'encrypted', keys: [polisKey, Buffer.from(polisKey).toString('base64')] },
  { how: 'in plain text', name: 'plain', keys: [undefined] },
] as const) {
  describe(`a Polis whose records are ${how}`, () => {
    let polis: RecordedPolis
    let shown: readonly ShownDirectory[]
    let sources: readonly { readonly name: string; readonly source: PolisSource }[]

    before(async () => {
      polis = await openRecordedPolis(name, 2)
      shown = polis.recording.shown
      const databases = keys.map(async (key) => {
        return { name: `database (${key})`, source: await openPolisSource({ from: polis.databaseUrl, key }) }
      })
      const api = { name: 'API', source: await openPolisSource({ from: polis.api.url, apiKey: doubleApiKey }) }
      sources = [...(await Promise.all(databases)), api]
    })
    after(async () => {
      for (const { source } of sources) await source.close()
      await polis[Symbol.asyncDispose]()
    })

    test('every source reads the directories, oldest first, with their secrets', async () => {
      for (const { name, source } of sources) {
        const directories = await Array.fromAsync(source.directories({ product: 'crm' }))
        assert.deepEqual(
          directories.map(({ id, tenant, scim, webhook }) => ({ id, tenant, secret: scim.secret, webhook })),
          shown.map(({ directory: { id, tenant, scim, webhook } }) => {
            return { id, tenant, secret: scim.secret, webhook }
          }),
          name,
        )
        for (const { id, scim } of directories) assert.equal(scim.path, `/api/scim/v2.0/${id}`)
      }
    })

    test('every source narrows the directories to a tenant and a product', async () => {
      for (const { source } of sources) {
        const ofTenant = await Array.fromAsync(source.directories({ tenant: withEndpoint, product: 'crm' }))
        assert.deepEqual(
          ofTenant.map(({ tenant }) => tenant),
          [withEndpoint],
        )
        assert.deepEqual(await Array.fromAsync(source.directories({ tenant: withEndpoint, product: 'erp' })), [])
      }
    })

    test('every source reads the users, groups and members that Polis shows, oldest first', async () => {
      for (const contents of shown) {
        for (const { name, source } of sources) {
          const directory = await directoryOf(source, contents.directory.tenant)
          assert.deepEqual(await readBy(source, directory), shownIn(contents), `${name} of ${directory.tenant}`)
        }
      }
    })

    test('every source says which records Polis has', async () => {
      const [{ setupID } = never()] = polis.recording.setupLinks
      for (const { name, source } of sources) {
        const directory = await directoryOf(source, withEndpoint)
        const [user = never()] = await Array.fromAsync(source.users(directory))
        const [group = never()] = await Array.fromAsync(source.groups(directory))
        for (const [kind, id] of [
          ['directory', directory.id],
          ['user', user.id],
          ['group', group.id],
          ['setup-link', setupID],
        ] as const) {
          assert.deepEqual(await source.existing(kind, directory, [id, 'gone']), new Set([id]), `${name}: ${kind}`)
        }
      }
    })

    test('the database says when users were created, and has the queued events in their order', async () => {
      const [{ source } = never()] = sources
      const directory = await directoryOf(source, withEndpoint)
      const users = await Array.fromAsync(source.users(directory))
      const rows = await execute(
        polis.databaseUrl,
        `select extract(epoch from "createdAt" at time zone current_setting('TimeZone')) as seconds from jackson_store
         where namespace = 'dsync:users:${withEndpoint}:crm' order by "createdAt"`,
      )
      assert.deepEqual(
        users.map(({ createdAt }) => createdAt),
        rows.map(({ seconds }) => Math.floor(Number(seconds) * 1_000)),
      )
      const events = await Array.fromAsync(source.queuedEvents({ tenant: withEndpoint, product: 'crm' }))
      assert(events.length > 1 && events.every(({ payload }) => payload['directory_id'] === directory.id))
      assert.deepEqual(
        events.map(({ createdAt }) => createdAt),
        events.map(({ createdAt }) => createdAt).sort(),
      )
    })

    test('the sources read the setup links', async () => {
      for (const { source } of sources) {
        assert.deepEqual(await Array.fromAsync(source.setupLinks({ product: 'crm' })), polis.recording.setupLinks)
      }
    })

    test('a key that does not fit is refused before anything is read', async () => {
      const from = polis.databaseUrl
      for (const { given, problem } of [
        { given: 'a key with the wrong letters ... ', problem: /The key has \d+ bytes/ },
        { given: 'another-key-of-32-characters-000', problem: /The key does not open the records of Polis/ },
        { given: undefined, problem: /The records of Polis are encrypted: pass its DB_ENCRYPTION_KEY with --key/ },
      ]) {
        if (name === 'plain' && !String(problem).includes('bytes')) {
          await (await openPolisSource({ from, key: given })).close()
        } else
          await assert.rejects(openPolisSource({ from, key: given }), { name: 'PolisSourceError', message: problem })
      }
    })
  })
}

/** What Polis itself has shown of a directory, with the oldest first. */
function shownIn({ users, groups, members }: ShownDirectory) {
  return {
    users: users.map(({ id, email, active, raw }) => ({ id, email, active: String(active).toLowerCase(), raw })),
    groups: groups.map(({ id, name, raw }) => ({ id, name: name ?? '', raw })),
    members: groups.flatMap(({ id }) => (members[id] ?? []).map((userId) => [id, userId])),
  }
}

async function readBy(source: PolisSource, directory: PolisDirectory) {
  const users = await Array.fromAsync(source.users(directory))
  const groups = await Array.fromAsync(source.groups(directory))
  const members = []
  for (const { id } of groups) for await (const userId of source.members(directory, id)) members.push([id, userId])
  return {
    users: users.map(({ id, email, active, raw }) => ({ id, email, active: String(active), raw })),
    groups: groups.map(({ id, name, raw }) => ({ id, name, raw })),
    members,
  }
}

async function directoryOf(source: PolisSource, tenant: string): Promise<PolisDirectory> {
  const [directory] = await Array.fromAsync(source.directories({ tenant, product: 'crm' }))
  return directory ?? never()
}

function never(): never {
  throw new Error('nothing was found')
}
