import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPolisSource } from '../../../src/polis/source/open.ts'
import type { PolisDirectory, PolisSource } from '../../../src/polis/source.ts'
import type { PolisDirectoryView, TestPolis } from '../../support/polis.ts'
import { converse, polisKey, polisProviders, startTestPolis, stepsOf } from '../../support/polis.ts'

for (const { how, key } of [
  { how: 'encrypted', key: polisKey },
  { how: 'in plain text', key: undefined },
]) {
  describe(`a Polis whose records are ${how}`, () => {
    let polis: TestPolis
    let sources: readonly { readonly name: string; readonly source: PolisSource }[]
    const created: PolisDirectoryView[] = []

    before(async () => {
      polis = await startTestPolis({ encryptionKey: key, webhookBatchSize: 50, pageLimit: 2 })
      for (const { provider, type } of polisProviders) {
        const webhook = { webhook_url: 'http://127.0.0.1:9/events', webhook_secret: 'endpoint-secret' }
        const directory = await polis.createDirectory({ tenant: provider, product: 'crm', type, ...webhook })
        await converse(polis, directory, stepsOf(provider))
        created.push(directory)
      }
      sources = [
        { name: 'database', source: await openPolisSource({ from: polis.databaseUrl, key }) },
        { name: 'API', source: await openPolisSource({ from: polis.url, apiKey: polis.apiKey }) },
      ]
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
          created.map(({ id, tenant, scim }) => {
            return {
              id,
              tenant,
              secret: scim.secret,
              webhook: { endpoint: 'http://127.0.0.1:9/events', secret: 'endpoint-secret' },
            }
          }),
          name,
        )
        for (const { id, scim } of directories) assert.equal(scim.path, `/api/scim/v2.0/${id}`)
      }
    })

    test('every source narrows the directories to a tenant and a product', async () => {
      for (const { source } of sources) {
        const ofTenant = await Array.fromAsync(source.directories({ tenant: 'okta-oin', product: 'crm' }))
        assert.deepEqual(
          ofTenant.map(({ tenant }) => tenant),
          ['okta-oin'],
        )
        assert.deepEqual(await Array.fromAsync(source.directories({ tenant: 'okta-oin', product: 'erp' })), [])
      }
    })

    test('every source reads the users, groups and members that Polis shows, oldest first', async () => {
      let [users, members] = [0, 0]
      for (const { id, tenant } of created) {
        const shown = await shownBy(polis, id)
        users += shown.users.length
        members += shown.members.length
        for (const { name, source } of sources) {
          const directory = await directoryOf(source, tenant)
          assert.deepEqual(await readBy(source, directory), shown, `${name} of ${tenant}`)
        }
      }
      assert(users >= polisProviders.length && members > 0, 'the conversations leave users and members')
    })

    test('every source says which records Polis has', async () => {
      const [first = never()] = created
      const link = {
        tenant: first.tenant,
        product: 'crm',
        webhook_url: 'https://crm.example.com/e',
        webhook_secret: 's',
      }
      const { setupID } = (await polis.api('POST', '/setuplinks', link)).body.data
      for (const { name, source } of sources) {
        const directory = await directoryOf(source, first.tenant)
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
      await polis.api('DELETE', `/setuplinks?id=${setupID}`)
    })

    test('the database says when users and groups were created, and has the queued events in their order', async () => {
      const [{ source } = never()] = sources
      for (const { id, tenant } of created) {
        const directory = await directoryOf(source, tenant)
        for await (const { createdAt } of source.users(directory)) {
          assert(createdAt !== undefined && Math.abs(Date.now() - createdAt) < 3_600_000, String(createdAt))
        }
        const events = await Array.fromAsync(source.queuedEvents({ tenant, product: 'crm' }))
        assert(events.length > 1 && events.every(({ payload }) => payload['directory_id'] === id))
        assert.deepEqual(
          events.map(({ createdAt }) => createdAt),
          events.map(({ createdAt }) => createdAt).sort(),
        )
      }
    })

    test('the sources read the setup links', async () => {
      const link = {
        tenant: 'acme',
        product: 'crm',
        webhook_url: 'https://crm.example.com/events',
        webhook_secret: 's',
      }
      const { data } = (await polis.api('POST', '/setuplinks', link)).body
      for (const { source } of sources) {
        assert.deepEqual(await Array.fromAsync(source.setupLinks({ product: 'crm' })), [data])
      }
    })

    test('a key that does not fit is refused before anything is read', async () => {
      const from = polis.databaseUrl
      for (const { given, problem } of [
        { given: 'a key with the wrong letters ... ', problem: /The key has \d+ bytes/ },
        { given: 'another-key-of-32-characters-000', problem: /The key does not open the records of Polis/ },
        { given: undefined, problem: /The records of Polis are encrypted: pass its DB_ENCRYPTION_KEY with --key/ },
      ]) {
        if (key === undefined && !String(problem).includes('bytes')) {
          await (await openPolisSource({ from, key: given })).close()
        } else
          await assert.rejects(openPolisSource({ from, key: given }), { name: 'PolisSourceError', message: problem })
      }
    })
  })
}

/** What Polis itself shows of a directory, with the oldest first. */
async function shownBy(polis: TestPolis, id: string) {
  const list = async (path: string) => {
    const items = []
    for (let page = 0; ; page += 2) {
      const { data } = (await polis.api('GET', `${path}?directoryId=${id}&pageOffset=${page}&pageLimit=2`)).body
      items.unshift(...data.toReversed())
      if (data.length < 2) return items
    }
  }
  const [users, groups] = [await list('/users'), await list('/groups')]
  const members = []
  for (const group of groups) {
    for (const { user_id } of await list(`/groups/${group.id}/members`)) members.push([group.id, user_id])
  }
  return {
    users: users.map(({ id, email, active, raw }) => ({ id, email, active: String(active).toLowerCase(), raw })),
    groups: groups.map(({ id, name, raw }) => ({ id, name: name ?? '', raw })),
    members,
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
