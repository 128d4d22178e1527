import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, each, errorOf, read } from './support/calls.ts'

test('a group has the form of the Directory API, with the count as a string', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addGroup({ email: 'press@example.com', name: 'Press', aliases: ['media@example.com'] })
  fake.addCustomer(id)
  const { etag: _, ...group } = await read(fake, `groups/${id}`)
  assert.deepEqual(group, {
    kind: 'admin#directory#group',
    id,
    email: 'press@example.com',
    name: 'Press',
    description: '',
    directMembersCount: '1',
    adminCreated: true,
    aliases: ['media@example.com'],
    nonEditableAliases: ['press@example.com.test-google-a.com'],
  })
})

test('a renamed group keeps its id, and is found by the old address', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addGroup({ email: 'press@example.com' })
  fake.renameGroup(id, 'media@example.com')
  assert.equal((await read(fake, 'groups/press@example.com'))['email'], 'media@example.com')
})

test('groups can be listed by domain and by a member', async () => {
  await using fake = await startFakeGoogle({ domains: ['example.com', 'sub.example.com'] })
  const [press, sales] = [
    fake.addGroup({ email: 'press@example.com' }),
    fake.addGroup({ email: 'sales@sub.example.com' }),
  ]
  const nora = fake.addUser({ primaryEmail: 'nora@example.com' })
  fake.addUserToGroup(sales.id, nora.id)
  assert.deepEqual(each(await read(fake, 'groups?customer=my_customer'), 'groups', 'id'), [press.id, sales.id])
  assert.deepEqual(each(await read(fake, 'groups?domain=example.com'), 'groups', 'id'), [press.id])
  assert.deepEqual(each(await read(fake, 'groups?userKey=nora@example.com'), 'groups', 'id'), [sales.id])
})

test('a page size above the maximum is reduced for groups', async () => {
  await using fake = await startFakeGoogle()
  for (let number = 0; number < 201; number++) fake.addGroup({ email: `group-${number}@example.com` })
  const page = await read(fake, 'groups?customer=my_customer&maxResults=500')
  assert.equal(each(page, 'groups', 'id').length, 200)
})

for (const { path, status, reason } of [
  { path: 'groups', status: 400, reason: 'badRequest' },
  { path: 'groups?customer=my_customer&userKey=nora@example.com', status: 400, reason: 'badRequest' },
  { path: 'groups?customer=my_customer&showDeleted=true', status: 400, reason: 'badRequest' },
  { path: 'groups?domain=elsewhere.example', status: 404, reason: 'notFound' },
  { path: 'groups/0unknown', status: 404, reason: 'notFound' },
]) {
  test(`${path} is rejected with ${reason}`, async () => {
    await using fake = await startFakeGoogle()
    const refusal = errorOf(await ask(fake, path))
    assert.deepEqual([refusal.status, refusal.reason], [status, reason])
  })
}
