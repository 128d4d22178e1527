import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../../src/client/index.ts'
import { createConsumer, memoryStore } from '../../../src/webhooks/index.ts'
import { serviceForSuite, testApiKey } from '../../support/service.ts'

const service = serviceForSuite('sqlite')

test('a client manages a directory and reads its content page by page', async () => {
  const client = createClient({ baseUrl: service().origin, apiKey: testApiKey })
  const { data: directory } = await client.POST('/', { body: { tenant: 'acme', product: 'crm' } })
  const users = await Promise.all(
    ['ada', 'bob', 'cy'].map((userName) => service().scim(directory, 'POST', '/Users', { userName })),
  )
  const members = users.map(({ body }) => ({ value: body.id }))
  const { body: group } = await service().scim(directory, 'POST', '/Groups', { displayName: 'Team', members })
  const scope = { directoryId: directory.id }
  const emails = (await Array.fromAsync(client.users(scope, { pageSize: 2 }))).map(({ email }) => email)
  assert.deepEqual(emails.sort(), ['ada', 'bob', 'cy'])
  assert.deepEqual(
    (await Array.fromAsync(client.groups(scope))).map(({ name }) => name),
    ['Team'],
  )
  const ids = (await Array.fromAsync(client.members({ ...scope, groupId: group.id }, { pageSize: 1 }))).map(
    ({ user_id }) => user_id,
  )
  assert.deepEqual(ids.sort(), members.map(({ value }) => value).sort())
  await client.PATCH('/{id}', { params: { path: { id: directory.id } }, body: { name: 'Acme' } })
  assert.equal((await client.GET('/{id}', { params: { path: { id: directory.id } } })).data.name, 'Acme')
  await client.DELETE('/{id}', { params: { path: { id: directory.id } } })
  await assert.rejects(client.GET('/{id}', { params: { path: { id: directory.id } } }), { status: 404 })
})

test('a consumer follows the stream, and continues where another one stopped', async () => {
  const client = createClient({ baseUrl: service().origin, apiKey: testApiKey })
  const directory = await service().createDirectory({ tenant: 'globex' })
  const scope = { directoryId: directory.id }
  const create = (userName: string) => service().scim(directory, 'POST', '/Users', { userName })
  const handled: string[] = []
  const consumer = createConsumer({
    store: memoryStore(),
    handlers: { 'user.created': ({ data }) => void handled.push(data.email) },
  })
  await create('ada')
  await create('bob')
  for await (const event of client.events({ ...scope, follow: false })) await consumer.receive(event)
  const reader = client.events({ ...scope, after: await consumer.after(directory.id) })
  const created = create('cy')
  for await (const event of reader) {
    await consumer.receive(event)
    break
  }
  await created
  assert.deepEqual(handled, ['ada', 'bob', 'cy'])
})
