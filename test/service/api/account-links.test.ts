import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { createRollcall } from '../../../src/index.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

/** What the tests read from users and events. */
interface Shown {
  readonly id: string
  readonly event: string
  readonly account_id: string | null
  readonly data: { readonly id: string; readonly account_id: string | null }
  readonly returned_from?: { readonly account_id?: string }
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  const read = async <T = Shown>(path: string): Promise<T> =>
    (await service().api('GET', path)).body.data as unknown as T
  const create = async (directory: DirectoryView, user: object): Promise<string> =>
    (await service().scim(directory, 'POST', '/Users', user)).body.id
  const link = (directory: DirectoryView, id: string, account_id: unknown) =>
    service().api('PUT', `/${directory.id}/users/${id}/account`, { account_id })
  const eventsOf = ({ id }: DirectoryView) => read<Shown[]>(`/feed?directoryId=${id}`)
  const patch = (directory: DirectoryView, id: string, path: string, value: unknown) =>
    service().scim(directory, 'PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path, value }] })

  test('a user has the account in reads and events, over changes, a resync, deletion and return', async () => {
    const directory = await service().createDirectory()
    const scope = `directoryId=${directory.id}`
    const first = await create(directory, { userName: 'ann' })
    assert.equal((await read(`/users/${first}?${scope}`)).account_id, null)
    const { status, body } = await link(directory, first, 'acct-1')
    assert.deepEqual([status, body.data], [200, { user_id: first, account_id: 'acct-1' }])
    await patch(directory, first, 'userName', 'anna')
    await service().scim(directory, 'PUT', `/Users/${first}`, { userName: 'anna', active: false })
    await patch(directory, first, 'active', true)
    await service().scim(directory, 'POST', '/Groups', { displayName: 'Guides', members: [{ value: first }] })
    await service().api('POST', `/${directory.id}/resync`)
    await eventually('the resync', async () => (await eventsOf(directory)).at(-1)?.event === 'sync.completed')
    await service().scim(directory, 'DELETE', `/Users/${first}`)
    const second = await create(directory, { userName: 'anna' })
    const users = [
      await read(`/users/${second}?${scope}`),
      ...(await read<Shown[]>(`/users?${scope}&account_id=acct-1`)),
    ]
    assert.deepEqual(
      users.map(({ id, account_id, returned_from }) => [id, account_id, returned_from?.account_id]),
      [first, first].map(() => [second, 'acct-1', 'acct-1']),
    )
    const ofUser = (await eventsOf(directory)).filter(({ data }) => [first, second].includes(data.id))
    assert.deepEqual(
      ofUser.map(({ event, data }) => [event, data.account_id]),
      [
        ...['user.created', 'user.updated', 'user.updated', 'user.updated', 'group.user_added'],
        ...['user.snapshot', 'member.snapshot', 'user.deleted', 'user.created'],
      ].map((type) => [type, 'acct-1']),
    )
  })

  test('SCIM shows nothing of the account: neither an attribute, nor another version or time', async () => {
    const directory = await service().createDirectory()
    const id = await create(directory, { userName: 'ann' })
    const before = await service().scim(directory, 'GET', `/Users/${id}`)
    await link(directory, id, 'acct-1')
    const after = await service().scim(directory, 'GET', `/Users/${id}`)
    assert.deepEqual(after.body, before.body)
    assert.equal(after.headers['etag'], before.headers['etag'])
  })

  test('the account of another user, a deleted user and what is no account are refused', async () => {
    const directory = await service().createDirectory()
    const [ann, bob] = [await create(directory, { userName: 'ann' }), await create(directory, { userName: 'bob' })]
    await link(directory, ann, 'acct-1')
    const taken = await link(directory, bob, 'acct-1')
    assert.deepEqual([taken.status, taken.body.error?.reason], [409, 'account-taken'])
    await service().scim(directory, 'DELETE', `/Users/${ann}`)
    assert.equal((await link(directory, ann, 'acct-2')).status, 404)
    for (const value of ['', 'x'.repeat(256), 'a\nb', 7, undefined])
      assert.equal((await link(directory, bob, value)).status, 400)
    assert.equal((await link(directory, bob, 'x'.repeat(255))).status, 200)
    assert.equal((await link(directory, bob, null)).status, 200)
    const { status } = await service().api('GET', `/users?product=${directory.product}&account_id=acct-1`)
    assert.equal(status, 400, 'a whole product has no accounts of one tenant')
  })

  test('an account that is linked while the user changes is in the user and in all of its events', async () => {
    const directory = await service().createDirectory()
    const ids = await Promise.all([1, 2, 3, 4].map((n) => create(directory, { userName: `user-${n}` })))
    await Promise.all(
      ids.flatMap((id, n) => [
        ...[1, 2, 3].map((version) => patch(directory, id, 'title', `Guide ${version}`)),
        link(directory, id, `acct-${n}`),
        ...[4, 5, 6].map((version) => patch(directory, id, 'title', `Guide ${version}`)),
      ]),
    )
    const accounts = new Map(ids.map((id, n) => [id, `acct-${n}`]))
    for (const { id, account_id } of await read<Shown[]>(`/users?directoryId=${directory.id}`))
      assert.equal(account_id, accounts.get(id))
    for (const { data } of await eventsOf(directory)) assert.equal(data.account_id, accounts.get(data.id))
  })
})

test('the library sends the account to the callback of a request, to onEvent and in the batches of an endpoint', async () => {
  await using receiver = await startReceiver()
  const received: unknown[] = []
  const rollcall = await createRollcall({
    ...{ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost:3000', webhook: { batchSize: 9 } },
    onEvent: ({ data }) => void received.push(Reflect.get(data, 'account_id')),
  })
  const { data: directory } = await rollcall.directories.create({
    tenant: 'acme',
    product: 'crm',
    ...receiver.endpoint,
  })
  assert(directory)
  const { id: directoryId, scim } = directory
  const request = { directoryId, apiSecret: scim.secret, resourceType: 'users' }
  const { data: ann } = await rollcall.requests.handle({ ...request, method: 'POST', body: { userName: 'ann' } })
  const id = String(Reflect.get(ann ?? {}, 'id'))
  assert.equal((await rollcall.users.setAccount({ directoryId, id, account_id: 'acct-1' })).error, null)
  const called: unknown[] = []
  const body = { Operations: [{ op: 'replace', path: 'title', value: 'Guide' }] }
  await rollcall.requests.handle({ ...request, resourceId: id, method: 'PATCH', body }, async ({ data }) => {
    called.push(Reflect.get(data, 'account_id'))
  })
  assert.deepEqual(called, ['acct-1'])
  await eventually('both events', async () => received.length === 2)
  assert.equal(received[1], 'acct-1')
  await rollcall.events.process()
  const sent = receiver.attempts.flatMap(({ events }) => events.map(({ data }) => Reflect.get(data, 'account_id')))
  assert.deepEqual(sent, ['acct-1', 'acct-1'])
  await rollcall.close()
})
