import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComparedUser, UserDifference } from '../../../src/client/index.ts'
import { compareUsers, createClient } from '../../../src/client/index.ts'
import type { ComparedField } from '../../../src/client/user-digest.ts'
import { bucketOf, createBucketDigests } from '../../../src/client/user-digest.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { openStore } from '../../../src/store/open.ts'
import { addDirectory, addUsers } from '../../contract/store/samples.ts'
import { runsAll } from '../../support/extent.ts'
import type { TestService } from '../../support/service.ts'
import {
  forEachEngine,
  forSuite,
  onEveryEngine,
  openTestDatabase,
  startTestService,
  testApiKey,
} from '../../support/service.ts'

/** A client, and the number of its requests. */
function countedClient({ origin }: TestService) {
  const counted = { requests: 0 }
  const client = createClient({
    ...{ baseUrl: origin, apiKey: testApiKey },
    fetch: (...request) => {
      counted.requests += 1
      return fetch(...request)
    },
  })
  return { client, counted }
}

const fields: readonly ComparedField[] = ['active', 'email', 'first_name']
const many = runsAll ? 100_000 : 3_000
const usersAtOnce = 2_000

onEveryEngine((engine) => {
  test(`three differences among ${many} users are found in at most ten requests`, async () => {
    await using database = await openTestDatabase(engine)
    const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey } = database.env
    const store = await openStore({ databaseUrl, encryptionKey, poolSize: 4, onBackgroundError: assert.ifError })
    const directory = await addDirectory(store)
    const users: IndexedUser[] = []
    for (let first = 0; first < many; first += usersAtOnce) {
      const names = Array.from({ length: usersAtOnce }, (_, n) => `user-${first + n}`)
      users.push(...(await addUsers(store, directory, names.slice(0, many - first))))
    }
    await store.close()
    await using service = await startTestService(database)
    const { client, counted } = countedClient(service)
    const [missing, different] = [users[17], users[many - 5]]
    assert.ok(missing && different)
    async function* rows(): AsyncGenerator<ComparedUser> {
      for (const { id, active, email, firstName } of users) {
        const changed = id === different?.id ? { email: 'other@acme.example' } : {}
        if (id !== missing?.id) yield { id, active, email, first_name: firstName, ...changed }
      }
      yield { id: 'stranger', active: true }
    }
    const kinds = new Map<string, string>()
    for await (const { id, kind } of compareUsers({
      client,
      directoryId: directory.id,
      fields,
      rows,
      recheckAfterMs: 1,
    }))
      kinds.set(id, kind)
    assert.deepEqual(Object.fromEntries(kinds), {
      [missing.id]: 'missing',
      [different.id]: 'different',
      stranger: 'extra',
    })
    assert.ok(counted.requests <= 10, `${counted.requests} requests`)
  })
})

forEachEngine((engine) => {
  const service = forSuite(() => startTestService(engine))
  const create = async (directory: DirectoryView, user: object): Promise<string> =>
    (await service().scim(directory, 'POST', '/Users', user)).body.id
  const digest = (directory: DirectoryView, query: string) => service().api('GET', `/${directory.id}/digest?${query}`)

  test('the digests are those of the users in reads, at the sequence of the last event', async () => {
    const mapping = { roles: { default: ['member', 'admin'] } }
    const names = ['roles', 'account_id', 'last_name', 'first_name', 'email', 'active'] as const
    for (const withMapping of [false, true]) {
      const directory = await service().createDirectory()
      if (withMapping) await service().api('PUT', `/${directory.id}/mapping`, { mapping })
      await create(directory, { userName: 'ann', name: { givenName: 'Ann', familyName: 'Ö' }, active: false })
      const bob = await create(directory, { userName: 'bob', emails: [{ value: 'Bob@acme.example' }] })
      await service().api('PUT', `/${directory.id}/users/${bob}/account`, { account_id: 'acct-1' })
      const { client } = countedClient(service())
      const expected = createBucketDigests(16)
      for await (const user of client.users({ directoryId: directory.id }))
        expected.add(
          user.id,
          names.map((name) => {
            const value = user[name]
            return value === null || value === undefined ? null : String(value)
          }),
        )
      const { status, body } = await digest(directory, `fields=${names}&buckets=16`)
      const events = await service().api('GET', `/feed?directoryId=${directory.id}`)
      const sequence = events.body.data.length
      assert.deepEqual([status, body.data], [200, { sequence, users: 2, buckets: expected.list() }])
    }
  })

  test('a bucket is listed page by page, whole users with their groups', async () => {
    const directory = await service().createDirectory()
    const ids: string[] = []
    for (let n = 0; n < 40; n += 1) ids.push(await create(directory, { userName: `user-${n}` }))
    const members = ids.map((value) => ({ value }))
    await service().scim(directory, 'POST', '/Groups', { displayName: 'Everyone', members })
    const scope = `directoryId=${directory.id}&buckets=16&pageLimit=2`
    for (let bucket = 0; bucket < 16; bucket += 1) {
      const found: string[] = []
      for (let token: string | undefined = ''; token !== undefined; ) {
        const { body } = await service().api('GET', `/users?${scope}&bucket=${bucket}${token}`)
        assert.ok(body.data.length <= 2)
        for (const { id, raw } of body.data) {
          found.push(id)
          assert.equal((raw['groups'] as unknown[] | undefined)?.length, 1)
        }
        token = body.pageToken && `&pageToken=${body.pageToken}`
      }
      assert.deepEqual(
        found,
        ids.filter((id) => bucketOf(id, 16) === bucket),
      )
    }
  })

  for (const query of [
    '',
    'fields=',
    'fields=title',
    'fields=email,email',
    'fields=email&buckets=100',
    'fields=email&x=1',
  ]) {
    test(`the digest with "${query}" is refused`, async () => {
      const { status, body } = await digest(await service().createDirectory(), query)
      assert.deepEqual([status, body.error?.reason], [400, 'invalid-input'])
    })
  }

  for (const query of [
    ...['bucket=1', 'buckets=16', 'bucket=16&buckets=16', 'bucket=1&buckets=17', 'bucket=-1&buckets=16'],
    ...['bucket=1&buckets=16&active=true', 'bucket=1&buckets=16&sort=name', 'bucket=1&buckets=16&total=true'],
    ...['bucket=1&buckets=16&pageOffset=1', 'bucket=x&buckets=16'],
  ]) {
    test(`a list of users with "${query}" is refused`, async () => {
      const { id } = await service().createDirectory()
      const { status, body } = await service().api('GET', `/users?directoryId=${id}&${query}`)
      assert.deepEqual([status, body.error?.reason], [400, 'invalid-input'])
    })
  }

  test('a bucket needs its directory, which must exist', async () => {
    const ofProduct = await service().api('GET', '/users?product=crm&bucket=1&buckets=16')
    assert.deepEqual([ofProduct.status, /directoryId/.test(ofProduct.body.error?.message)], [400, true])
    const nowhere = await service().api('GET', '/users?directoryId=nowhere&bucket=1&buckets=16')
    assert.equal(nowhere.status, 404)
    assert.equal((await service().api('GET', '/nowhere/digest?fields=email')).status, 404)
  })

  test('users who changed during comparisons are the same in the next one', async () => {
    const directory = await service().createDirectory()
    const { client } = countedClient(service())
    for (let n = 0; n < 20; n += 1) await create(directory, { userName: `user-${n}` })
    const rows = () => client.users({ directoryId: directory.id })
    const changes = async () => {
      for (let n = 20; n < 40; n += 1) {
        const id = await create(directory, { userName: `user-${n}` })
        await service().scim(directory, 'PUT', `/Users/${id}`, { userName: `user-${n}`, active: false })
        if (n % 2 === 0) await service().scim(directory, 'DELETE', `/Users/${id}`)
      }
    }
    const compared = (recheckAfterMs: number): Promise<UserDifference[]> =>
      Array.fromAsync(compareUsers({ client, directoryId: directory.id, fields, rows, recheckAfterMs }))
    await Promise.all([changes(), compared(1), compared(1)])
    assert.deepEqual(await compared(1), [])
  })
})
