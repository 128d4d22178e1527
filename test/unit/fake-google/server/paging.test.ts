import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { ask, each, errorOf, read, walk } from './support/calls.ts'

const all = 'users?customer=my_customer'

function addUsers(fake: FakeGoogle, count: number): void {
  for (let number = 100; number < 100 + count; number++) fake.addUser({ primaryEmail: `u${number}@example.com` })
}

async function nextOf(fake: FakeGoogle, path: string): Promise<string> {
  return encodeURIComponent(String((await read(fake, path))['nextPageToken']))
}

test('a list of 501 users has a last page with one user', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 501)
  const pages = await walk(fake, `${all}&maxResults=500`, 'users')
  assert.deepEqual(
    pages.map((page) => page.length),
    [500, 1],
  )
  assert.equal(new Set(pages.flat()).size, 501)
})

test('a page has 100 users by default', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 101)
  assert.equal(each(await read(fake, all), 'users', 'id').length, 100)
})

test('a list of 201 members has a last page with one member', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 201)
  const { id } = fake.addGroup({ email: 'all@example.com' })
  for (const user of fake.users()) fake.addUserToGroup(id, user.id)
  const pages = await walk(fake, `groups/${id}/members?maxResults=200`, 'members')
  assert.deepEqual(
    pages.map((page) => page.length),
    [200, 1],
  )
})

test('the page size can be capped below the requested one', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 5)
  fake.knobs.pageSizeCap = 2
  assert.equal((await walk(fake, `${all}&maxResults=500`, 'users')).length, 3)
})

test('a user added before the current position shifts another one onto the next page again', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 4)
  const first = await read(fake, `${all}&maxResults=2`)
  fake.addUser({ primaryEmail: 'a@example.com' })
  const second = await read(fake, `${all}&maxResults=2&pageToken=${encodeURIComponent(String(first['nextPageToken']))}`)
  assert.equal(each(first, 'users', 'id')[1], each(second, 'users', 'id')[0])
})

test('a user removed before the current position makes the next page skip another one', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 4)
  const [first, , third] = fake.expectedUsers().toSorted((a, b) => (a.primaryEmail < b.primaryEmail ? -1 : 1))
  const token = await nextOf(fake, `${all}&maxResults=2`)
  fake.deleteUser(first?.id ?? '')
  const second = await read(fake, `${all}&maxResults=2&pageToken=${token}`)
  assert(!each(second, 'users', 'id').includes(third?.id))
})

for (const { because, path } of [
  { because: 'of another list', path: `groups?customer=my_customer` },
  { because: 'with other parameters', path: `${all}&orderBy=givenName` },
]) {
  test(`a page token is invalid ${because}`, async () => {
    await using fake = await startFakeGoogle()
    addUsers(fake, 2)
    const token = await nextOf(fake, `${all}&maxResults=1`)
    const { status, message } = errorOf(await ask(fake, `${path}&pageToken=${token}`))
    assert.deepEqual([status, message], [400, 'Invalid Input: pageToken'])
  })
}

test('an invented page token is rejected', async () => {
  await using fake = await startFakeGoogle()
  assert.equal((await ask(fake, `${all}&pageToken=made-up`)).status, 400)
})

test('page tokens can be invalidated', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 2)
  const token = await nextOf(fake, `${all}&maxResults=1`)
  fake.forgetPageTokens()
  assert.equal(errorOf(await ask(fake, `${all}&pageToken=${token}`)).reason, 'invalid')
})

test('a page token of users is valid for three days', async () => {
  let now = Date.now()
  await using fake = await startFakeGoogle({ clock: () => now })
  addUsers(fake, 2)
  const path = `${all}&maxResults=1&pageToken=${await nextOf(fake, `${all}&maxResults=1`)}`
  now += 3 * 24 * 3_600_000
  await read(fake, path)
  now += 1
  assert.equal(errorOf(await ask(fake, path)).reason, 'invalid')
})

test('page tokens of members expire after an hour with the error that Google returns', async () => {
  let now = Date.now()
  await using fake = await startFakeGoogle({ clock: () => now })
  addUsers(fake, 2)
  const { id } = fake.addGroup({ email: 'all@example.com' })
  for (const user of fake.users()) fake.addUserToGroup(id, user.id)
  const token = await nextOf(fake, `groups/${id}/members?maxResults=1`)
  now += 3_600_001
  assert.equal((await ask(fake, `groups/${id}/members?pageToken=${token}`)).status, 503)
})

test('a partial response without nextPageToken breaks paging', async () => {
  await using fake = await startFakeGoogle()
  addUsers(fake, 2)
  assert(!('nextPageToken' in (await read(fake, `${all}&maxResults=1&fields=users(id)`))))
})
