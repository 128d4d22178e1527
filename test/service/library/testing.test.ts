import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConsumer, memoryStore } from '../../../src/webhooks/index.ts'
import { dialectNames } from '../../../tools/simulate/dialects.ts'
import { CallFailed, createTestDirectory } from '../../../tools/testing/index.ts'

const ada = { email: 'ada@acme.example', givenName: 'Ada', familyName: 'Byron' }

for (const provider of dialectNames) {
  test(`${provider} assigns, updates and unassigns in code, and each call resolves after its events`, async () => {
    await using directory = await createTestDirectory()
    const idp = await directory.connect(provider)
    const types = () => directory.events.map(({ event }) => event)
    const user = await idp.assign(ada)
    assert.deepEqual(types(), ['user.created'])
    const other = await idp.assign({ email: 'bob@acme.example' })
    const group = await idp.pushGroup('Engineering', [user, other])
    assert.equal(types().filter((type) => type === 'group.user_added').length, 2)
    const smaller = await idp.removeMembers(group, [other])
    assert.deepEqual(smaller.members, [user])
    assert.equal(types().at(-1), 'group.user_removed')
    await idp.addMembers(smaller, [other])
    assert.equal(types().at(-1), 'group.user_added')
    const changed = await idp.update(user, { familyName: 'Lovelace' })
    await idp.unassign(changed)
    const last = directory.events.at(-1)
    assert(last?.event === 'user.updated')
    assert.deepEqual([last.data.email, last.data.last_name, last.data.active], [ada.email, 'Lovelace', false])
    await idp.removeGroup(group)
    await idp.remove(changed)
    assert.deepEqual(types().slice(-2), ['group.deleted', 'user.deleted'])
  })
}

for (const auth of ['secret', 'federation'] as const) {
  test(`Entra ID signs in with OAuth: ${auth}`, async () => {
    await using directory = await createTestDirectory()
    const { id } = directory.directory
    await directory.rollcall.directories.update({ id, ...{ scim_auth: 'oauth' } })
    const entra = await directory.connect('entra', { auth })
    await entra.assign(ada)
    assert.deepEqual(
      directory.events.map(({ event }) => event),
      ['user.created'],
    )
    const withSecret = await directory.connect('entra').then(() => 'connected', String)
    assert.match(withSecret, /failed with 401: This directory no longer accepts its SCIM secret/)
  })
}

test('an unknown provider is rejected with a list of the known ones, and the one that was probably meant', async () => {
  await using directory = await createTestDirectory()
  const names = `Choose one of ${dialectNames.join(', ')}.`
  for (const [name, message] of [
    ['octa', `There is no identity provider "octa". ${names} Did you mean okta?`],
    ['toString', `There is no identity provider "toString". ${names}`],
    [undefined, `There is no identity provider undefined. ${names}`],
  ] as const) {
    await assert.rejects(directory.connect(name as never), { name: 'TypeError', message })
  }
})

test("the product's handler is awaited for each event, and a resync reports everything again", async () => {
  const emails = new Set<string>()
  const consumer = createConsumer({
    store: memoryStore(),
    handlers: {
      'user.created': ({ data }) => void emails.add(data.email),
      'user.snapshot': ({ data }) => void emails.add(data.email),
    },
  })
  const onEvent = async (event: Parameters<typeof consumer.receive>[0]) => void (await consumer.receive(event))
  await using directory = await createTestDirectory({ tenant: 'globex', onEvent })
  const okta = await directory.connect('okta')
  await okta.assign(ada)
  assert.deepEqual([...emails], [ada.email])
  emails.clear()
  await directory.resync()
  assert.deepEqual([...emails], [ada.email])
  const { data: users } = await directory.rollcall.users.list({ directoryId: directory.directory.id })
  assert.equal(users?.length, 1)
})

test('deactivating, activating and deleting the directory are events, too', async () => {
  const handled: string[] = []
  await using directory = await createTestDirectory({ onEvent: ({ event }) => void handled.push(event) })
  await directory.setDeactivated(true)
  await directory.setDeactivated(false)
  await directory.delete()
  assert.deepEqual(handled, ['directory.deactivated', 'directory.activated', 'directory.deleted'])
  const last = directory.events.at(-1)
  assert(last?.event === 'directory.deleted')
  assert.equal(last.data.id, directory.directory.id)
})

test('a request that Rollcall rejects is an error', async () => {
  await using directory = await createTestDirectory()
  const entra = await directory.connect('entra')
  const user = await entra.assign(ada)
  await entra.remove(user)
  await assert.rejects(entra.remove(user), CallFailed)
})
