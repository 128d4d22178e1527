import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../../src/client/client.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { ResourceKey } from '../../../src/webhooks/index.ts'
import { createConsumer, memoryStore } from '../../../src/webhooks/index.ts'
import { idpOf, names } from '../../guarantees/support/idp.ts'
import type { DeliveryStatus } from '../../support/delivery.ts'
import { statusOf } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import {
  forEachEngine,
  openTestDatabase,
  serviceForSuite,
  startTestService,
  testApiKey,
} from '../../support/service.ts'
import { openLink } from '../api/support/setup-link.ts'

/** The data of an event about a directory. */
const aboutIt = ({ id, name, tenant, product, type }: DirectoryView) => ({ id, name, tenant, product, type })

const isDown = { status: 503, headers: { 'retry-after': '1' } }

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  let tenants = 0
  const newScope = () => ({ tenant: `tenant-${tenants++}`, product: 'crm' })

  const feedOf = async (query: Readonly<Record<string, string>>) => {
    const { status, body, text } = await service().api('GET', `/feed?${new URLSearchParams(query)}`)
    assert.equal(status, 200, text)
    return body.data as unknown as readonly { directory_id: string; event: string; sequence: number; data: object }[]
  }
  const typesOf = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event)

  test('deactivation and activation are events; setting the same state again is none', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory(receiver.endpoint)
    for (const deactivated of [false, true, true, false, 'false'])
      assert.equal((await service().api('PATCH', `/${directory.id}`, { deactivated, name: 'Acme' })).status, 200)
    const events = await receiver.firstEvents(directory.id, 2)
    const data = aboutIt({ ...directory, name: 'Acme' })
    assert.deepEqual(
      events.map(({ sequence, event, data }) => [sequence, event, data]),
      [
        [1, 'directory.deactivated', data],
        [2, 'directory.activated', data],
      ],
    )
    const audit = await service().api('PATCH', `/${directory.id}`, { log_webhook_events: true })
    assert.equal(audit.status, 200)
    assert.equal((await feedOf({ directoryId: directory.id })).length, 2)
  })

  test('only a directory that a setup link has created begins with an event, and its provider can still be changed', async () => {
    await using receiver = await startReceiver()
    const scope = newScope()
    const { call } = await openLink(service(), { ...scope, ...receiver.endpoint })
    const { data: portal } = await call('POST', '/directory', { type: 'okta-scim-v2' })
    const [directory] = (await service().api('GET', `/?${new URLSearchParams(scope)}`)).body.data as unknown as [
      DirectoryView,
    ]
    assert.ok(portal.secret)
    const [created] = await receiver.firstEvents(directory.id, 1)
    assert.deepEqual([created?.event, created?.data], ['directory.created', aboutIt(directory)])
    const { data: changed } = await call('POST', '/directory', { type: 'azure-scim-v2' })
    assert.ok(changed.secret !== null && changed.secret !== portal.secret, 'it starts over: nothing is in it')
    const byApi = await service().createDirectory(newScope())
    assert.deepEqual(await feedOf({ directoryId: byApi.id }), [])
  })

  test('a deleted directory is gone, and its feeds end with the deletion', async () => {
    const scope = newScope()
    const { link, call } = await openLink(service(), scope)
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const [directory] = (await service().api('GET', `/?${new URLSearchParams(scope)}`)).body.data as unknown as [
      DirectoryView,
    ]
    const { body: rotated } = await service().api('POST', `/${directory.id}/rotate-secret`, {})
    const idp = idpOf(service(), rotated.data as unknown as DirectoryView)
    const userId = await idp.createUser('ada')
    assert.equal((await service().api('DELETE', `/${directory.id}`)).status, 200)

    assert.equal((await idp.send('GET', '/Users')).status, 404)
    assert.equal((await call('GET')).status, 410)
    const scoped = new URLSearchParams(scope)
    for (const path of [
      `/${directory.id}`,
      `/${directory.id}/delivery`,
      `/${directory.id}/events`,
      `/${directory.id}/health`,
      `/${directory.id}/requests`,
      `/users?directoryId=${directory.id}`,
      `/users/${userId}?${scoped}`,
    ])
      assertApiError(await service().api('GET', path), 404)
    assertApiError(await service().api('DELETE', `/${directory.id}`), 404)
    const { body: overview } = await service().api('GET', `/overview?${scoped}`)
    assert.equal((overview.data as unknown as { directories: { total: number } }).directories.total, 0)
    assert.deepEqual((await service().api('GET', `/?${scoped}`)).body.data, [])
    assert.ok(link.setupID)

    const types = ['directory.created', 'user.created', 'directory.deleted']
    for (const query of [scope, { directoryId: directory.id }, { product: scope.product }]) {
      const events = (await feedOf(query)).filter(({ directory_id }) => directory_id === directory.id)
      assert.deepEqual(typesOf(events), types, JSON.stringify(query))
      assert.deepEqual(events.at(-1)?.data, aboutIt(directory))
    }
  })

  test('1,000 undelivered events of a deleted directory arrive after a restart, with the deletion as the last', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    receiver.answerWith(isDown)
    const directory = await (async () => {
      await using first = await startTestService(database)
      const created = await first.createDirectory(receiver.endpoint)
      await idpOf(first, created).createUsers(names('user', 1_000))
      await receiver.until(() => receiver.attempts.length > 0, 'an attempt')
      assert.equal((await statusOf(first, created.id)).undelivered, 1_000)
      assert.equal((await first.api('DELETE', `/${created.id}`)).status, 200)
      return created
    })()
    assert.deepEqual(receiver.events(directory.id), [])

    await using _second = await startTestService(database)
    receiver.answerWith(204)
    const events = await receiver.firstEvents(directory.id, 1_001)
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      Array.from({ length: 1_001 }, (_, index) => index + 1),
    )
    assert.equal(events.at(-1)?.event, 'directory.deleted')
  })

  test('a consumer of the feed of a product sees the deletion last, and drops what the directory had', async () => {
    const scope = { ...newScope(), product: 'consumed' }
    const directory = await service().createDirectory(scope)
    const other = await service().createDirectory(scope)
    const [ada] = await idpOf(service(), directory).createUsers(['ada'])
    const [ben] = await idpOf(service(), other).createUsers(['ben'])
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    await service().api('DELETE', `/${directory.id}`)
    const handled: string[] = []
    const dropped: (readonly [ResourceKey, string])[] = []
    const note = ({ event, directory_id }: { event: string; directory_id: string }) => {
      if (directory_id === directory.id) handled.push(event)
    }
    const consumer = createConsumer({
      store: memoryStore(),
      handlers: { 'user.created': note, 'directory.deactivated': note, 'directory.deleted': note },
      onDrop: (resource, { reason }) => {
        dropped.push([resource, reason])
      },
    })
    const client = createClient({ baseUrl: service().origin, apiKey: testApiKey })
    for await (const event of client.events({ product: 'consumed', follow: false })) await consumer.receive(event)
    assert.deepEqual(handled, ['user.created', 'directory.deactivated', 'directory.deleted'])
    assert.deepEqual(dropped, [[{ kind: 'user', id: ada }, 'directory.deleted']])
    assert.ok(ben)
    const ended: string[] = []
    for await (const { event } of client.events({ directoryId: directory.id, pollIntervalMs: 50 })) ended.push(event)
    assert.deepEqual(ended, handled, 'following the feed of one directory ends')
  })

  test('a person is exported from and erased in the events of a deleted directory', async () => {
    const scope = newScope()
    const directory = await service().createDirectory(scope)
    const idp = idpOf(service(), directory)
    const id = await idp.createUser('zoe.marker@acme.example')
    await idp.expect(204, 'DELETE', `/Users/${id}`)
    await service().api('DELETE', `/${directory.id}`)
    const text = async () => JSON.stringify(await feedOf({ directoryId: directory.id }))
    assert.match(await text(), /zoe\.marker/)
    const person = { ...scope, subject: 'zoe.marker@acme.example' }
    assert.match((await service().api('POST', '/privacy/export', person)).text, /zoe\.marker/)
    const erased = await service().api('POST', '/privacy/erase', person)
    assert.equal(erased.status, 200, erased.text)
    assert.doesNotMatch(await text(), /zoe\.marker/)
    assert.equal((await feedOf({ directoryId: directory.id })).at(-1)?.event, 'directory.deleted')
  })

  for (const batchSize of ['0', '2']) {
    test(`POLIS_COMPAT leaves the events about directories out of deliveries, with a batch size of ${batchSize}`, async () => {
      await using receiver = await startReceiver()
      const settings = {
        POLIS_COMPAT: 'true',
        DSYNC_WEBHOOK_BATCH_SIZE: batchSize,
        DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: '1',
      }
      await using compatible = await startTestService(engine, settings)
      const api = (method: string, path: string, body?: object) =>
        compatible.api(method, path, body, { accept: 'application/vnd.rollcall+json' })
      const made = await api('POST', '', { ...newScope(), ...receiver.endpoint })
      const directory: DirectoryView = made.body.data
      const idp = idpOf(compatible, directory)
      await idp.createUser('a')
      for (const deactivated of [true, false]) await api('PATCH', `/${directory.id}`, { deactivated })
      await idp.createUser('b')
      await eventually('all to be delivered', async () => {
        const { body } = await api('GET', `/${directory.id}/delivery`)
        return (body.data as unknown as DeliveryStatus).undelivered === 0
      })
      assert.deepEqual(typesOf(receiver.events(directory.id)), ['user.created', 'user.created'])
    })
  }
})
