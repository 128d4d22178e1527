import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import { connectDirectory, startPulledService, syncWell } from '../../support/extdir.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'

/** What the tests read from users, events, timelines and explanations. */
interface Shown {
  readonly kind?: string
  readonly event?: string
  readonly data: { readonly id: string; readonly returned_from?: Return }
  readonly subject: { readonly returned_from?: Return }
  readonly returned_from?: Return
}

interface Return {
  readonly id: string
  readonly deleted_at: string
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  const read = async <T = Shown>(path: string): Promise<T> =>
    (await service().api('GET', path)).body.data as unknown as T
  const create = async (directory: DirectoryView, user: object): Promise<string> =>
    (await service().scim(directory, 'POST', '/Users', user)).body.id
  const remove = (directory: DirectoryView, id: string) => service().scim(directory, 'DELETE', `/Users/${id}`)
  const returnOf = async ({ id: directoryId }: DirectoryView, id: string) =>
    (await read(`/users/${id}?directoryId=${directoryId}`)).returned_from
  const eventsOf = ({ id }: DirectoryView) => read<Shown[]>(`/feed?directoryId=${id}`)

  test('a user who is deleted and created again says so in events, the API, the timeline and explain', async () => {
    const directory = await service().createDirectory()
    const scope = `directoryId=${directory.id}`
    const first = await create(directory, { userName: 'ann', externalId: 'a-1' })
    await remove(directory, first)
    const [deletion] = (await eventsOf(directory)).slice(-1) as unknown as [{ readonly created_at: string }]
    const expected = { id: first, deleted_at: deletion.created_at }
    const second = await create(directory, { userName: 'ANN' })
    assert.deepEqual(await returnOf(directory, second), expected)
    assert.deepEqual((await read<Shown[]>(`/users?${scope}`))[0]?.returned_from, expected)
    assert.deepEqual((await eventsOf(directory)).at(-1)?.data.returned_from, expected)
    const timeline = await read<Shown[]>(`/${directory.id}/users/${second}/timeline`)
    assert.deepEqual(timeline.find(({ kind }) => kind === 'event')?.data.returned_from, expected)
    assert.deepEqual((await read(`/explain?subject=ann&${scope}`)).subject.returned_from, expected)
    const { body } = await service().scim(directory, 'GET', `/Users/${second}`)
    assert.equal('returned_from' in body, false, 'not an attribute of SCIM')

    const operations = [{ op: 'replace', path: 'title', value: 'Guide' }]
    await service().scim(directory, 'PATCH', `/Users/${second}`, { Operations: operations })
    await service().scim(directory, 'PUT', `/Users/${second}`, { userName: 'ann', active: false })
    await service().scim(directory, 'POST', '/Groups', { displayName: 'Guides', members: [{ value: second }] })
    await service().api('POST', `/${directory.id}/resync`)
    await eventually('the resync', async () => (await eventsOf(directory)).at(-1)?.event === 'sync.completed')
    const ofUser = (await eventsOf(directory)).filter(({ data }) => data.id === second)
    assert.deepEqual(
      ofUser.map(({ event, data }) => [event, data.returned_from]),
      ['user.created', 'user.updated', 'user.updated', 'group.user_added', 'user.snapshot', 'member.snapshot'].map(
        (type) => [type, expected],
      ),
    )
  })

  test('users who return in one bulk request are recognized, by externalId, too', async () => {
    const directory = await service().createDirectory()
    const before = [
      await create(directory, { userName: 'ann', externalId: 'a-1' }),
      await create(directory, { userName: 'bob' }),
    ]
    for (const id of before) await remove(directory, id)
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
    const users = [{ userName: 'anna', externalId: 'a-1' }, { userName: 'bob' }, { userName: 'cid' }]
    const operations = users.map((data, n) => ({ method: 'POST', path: '/Users', bulkId: `u${n}`, data }))
    await service().scim(directory, 'POST', '/Bulk', { schemas, Operations: operations })
    const created = (await eventsOf(directory)).filter(({ event }) => event === 'user.created').slice(2)
    assert.deepEqual(
      created.map(({ data }) => data.returned_from?.id),
      [...before, undefined],
    )
  })

  test('a rename to the name of a deleted user, and a user of another directory, are no return', async () => {
    const [directory, other] = [await service().createDirectory(), await service().createDirectory()]
    await remove(directory, await create(directory, { userName: 'ann' }))
    const bob = await create(directory, { userName: 'bob' })
    await service().scim(directory, 'PUT', `/Users/${bob}`, { userName: 'ann' })
    assert.equal(await returnOf(directory, bob), undefined)
    assert.equal(await returnOf(other, await create(other, { userName: 'ann' })), undefined)
  })

  test('a user whom Google restores has its id again', async () => {
    await using pulled = await startPulledService(engine)
    const { google, service: pulling } = pulled
    const directory = await connectDirectory(pulling, google)
    const { id } = google.addUser({ primaryEmail: 'ann@example.com', givenName: 'Ann', familyName: 'Doe' })
    google.addUser({ primaryEmail: 'bob@example.com', givenName: 'Bob', familyName: 'Doe' })
    await syncWell(pulling, directory)
    google.deleteUser(id)
    await syncWell(pulling, directory)
    google.undeleteUser(id)
    await syncWell(pulling, directory)
    const { body } = await pulling.api('GET', `/users/${id}?directoryId=${directory.id}`)
    assert.equal((body.data as unknown as Shown).returned_from?.id, id)
  })

  test('with RETURN_WINDOW_DAYS=0 nobody is recognized, and nothing is kept', async () => {
    await using off = await startTestService(service().database.engine, { RETURN_WINDOW_DAYS: '0' })
    const directory = await off.createDirectory()
    const first = (await off.scim(directory, 'POST', '/Users', { userName: 'ann' })).body.id
    await off.scim(directory, 'DELETE', `/Users/${first}`)
    const second = (await off.scim(directory, 'POST', '/Users', { userName: 'ann' })).body.id
    const { body } = await off.api('GET', `/users/${second}?directoryId=${directory.id}`)
    assert.equal('returned_from' in body.data, false)
    const events = (await off.api('GET', `/feed?directoryId=${directory.id}`)).text
    assert.equal(events.includes('returned_from'), false)
  })
})
