import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'

interface FeedBody {
  readonly data: readonly {
    readonly sequence: number
    readonly event: string
    readonly directory_id: string
    readonly data: { id: string }
  }[]
  readonly next: string
  readonly error: null
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())
  let tenants = 0
  const newTenant = () => {
    tenants += 1
    return `tenant-${tenants}`
  }

  const ask = (query: Readonly<Record<string, string | number>>): Promise<Answer> => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return service().api('GET', `/feed?${text}`)
  }
  async function read(query: Readonly<Record<string, string | number>>): Promise<FeedBody> {
    const { status, body, text } = await ask(query)
    assert.equal(status, 200, text)
    return body as unknown as FeedBody
  }
  const addUsers = async (directory: DirectoryView, ...names: readonly string[]) => {
    for (const userName of names) {
      assert.equal((await service().scim(directory, 'POST', '/Users', { userName })).status, 201)
    }
  }
  const sequencesOf = ({ data }: FeedBody) => data.map(({ sequence }) => sequence)

  test('the feed contains each event as an endpoint receives it', async () => {
    const directory = await service().createDirectory(receiver().endpoint)
    await addUsers(directory, 'a', 'b')
    const { body: user } = await service().scim(
      directory,
      'GET',
      '/Users?filter=userName eq "b"'.replaceAll(' ', '%20'),
    )
    await service().scim(directory, 'PATCH', `/Users/${user.Resources[0]?.id}`, {
      Operations: [{ op: 'replace', path: 'title', value: 'Zoë’s "boss"\n\u2028' }],
    })
    const delivered = await receiver().firstEvents(directory.id, 3)
    const { data, next, error } = await read({ directoryId: directory.id })
    assert.deepEqual(data, delivered)
    assert.equal(error, null)
    assert.match(next, /^[\w-]+$/)
  })

  test('the feed is read to its end with the cursor of each response, and continues there later', async () => {
    const { id: directoryId, ...rest } = await service().createDirectory()
    const directory = { id: directoryId, ...rest }
    await addUsers(directory, 'a', 'b', 'c')
    const first = await read({ directoryId, limit: 2 })
    assert.deepEqual(sequencesOf(first), [1, 2])
    const second = await read({ directoryId, after: first.next, limit: 2 })
    assert.deepEqual(sequencesOf(second), [3])
    const none = await read({ directoryId, after: second.next })
    assert.deepEqual([none.data, none.next], [[], second.next])
    await addUsers(directory, 'd')
    assert.deepEqual(sequencesOf(await read({ directoryId, after: none.next })), [4])
    assert.deepEqual(sequencesOf(await read({ directoryId, after: first.next })), [3, 4], 'any cursor stays good')
  })

  test('the feed of one directory can also be read after a sequence', async () => {
    const directory = await service().createDirectory()
    const directoryId = directory.id
    await addUsers(directory, 'a', 'b', 'c')
    const { data, next } = await read({ directoryId, after: 1 })
    assert.deepEqual(
      data.map(({ sequence }) => sequence),
      [2, 3],
    )
    assert.deepEqual(await read({ directoryId, after: 3 }), { data: [], next, error: null })
    assert.deepEqual(sequencesOf(await read({ directoryId, after: 0 })), [1, 2, 3])
    const ahead = await ask({ directoryId, after: 4 })
    assertApiError(ahead, 409)
    assert.equal(ahead.body.error.reason, 'cursor-diverged')
    assertApiError(await ask({ tenant: 'acme', product: 'crm', after: 1 }), 400)
  })

  test('the directories of a tenant are read together: new ones join, deleted ones come last', async () => {
    const scope = { tenant: newTenant(), product: 'crm' }
    const nothing = await read(scope)
    assert.deepEqual(nothing.data, [])
    const [first, second] = [await service().createDirectory(scope), await service().createDirectory(scope)]
    await addUsers(first, 'a', 'b')
    await addUsers(second, 'a')
    const all = await read({ ...scope, after: nothing.next })
    assert.deepEqual(
      all.data.map(({ directory_id, sequence }) => [directory_id, sequence]),
      [
        [first.id, 1],
        [first.id, 2],
        [second.id, 1],
      ],
    )
    const third = await service().createDirectory(scope)
    await addUsers(third, 'a')
    await addUsers(first, 'c')
    await service().api('DELETE', `/${first.id}`)
    const after = await read({ ...scope, after: all.next })
    assert.deepEqual(
      after.data.map(({ directory_id, event }) => [directory_id, event]),
      [
        [third.id, 'user.created'],
        [first.id, 'user.created'],
        [first.id, 'directory.deleted'],
      ],
    )
    assert.deepEqual((await read({ ...scope, after: after.next })).data, [])
  })

  test('a deactivated directory’s events can be read', async () => {
    const directory = await service().createDirectory()
    await addUsers(directory, 'a')
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    assert.deepEqual(sequencesOf(await read({ directoryId: directory.id })), [1, 2])
  })

  test('a response is limited to about 1 MB, whatever the limit', async () => {
    const directory = await service().createDirectory()
    const nickName = 'x'.repeat(200_000)
    for (const userName of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      assert.equal((await service().scim(directory, 'POST', '/Users', { userName, nickName })).status, 201)
    }
    const directoryId = directory.id
    const { data, next } = await read({ directoryId, limit: 1000 })
    assert(data.length >= 4 && data.length <= 6, `${data.length}`)
    const rest = await read({ directoryId, limit: 1000, after: next })
    assert.equal(data.length + rest.data.length, 8)
  })

  test('a cursor is valid for its scope only', async () => {
    const [mine, others] = [newTenant(), newTenant()]
    const directory = await service().createDirectory({ tenant: mine })
    const other = await service().createDirectory({ tenant: others })
    await addUsers(directory, 'a')
    await addUsers(other, 'a')
    const { next: after } = await read({ tenant: mine, product: 'crm' })
    for (const query of [
      { tenant: others, product: 'crm' },
      { directoryId: other.id },
      { directoryId: directory.id },
      { tenant: mine, product: 'crm', directoryId: directory.id },
    ]) {
      const answer = await ask({ ...query, after })
      assertApiError(answer, 400)
      assert.match(answer.body.error.message, /^after: send the cursor of a response for the same tenant/)
      assert.equal(answer.body.error.problems?.[0]?.field, 'after')
    }
  })

  for (const { query, message } of [
    { query: { after: 'nonsense' }, message: /^after: / },
    { query: { after: '' }, message: /^after: / },
    { query: { after: 'A'.repeat(9_000) }, message: /^after: / },
    { query: { after: '\u0000' }, message: /^after: / },
    { query: { after: '4:' }, message: /^after: / },
    { query: { after: 'x:01980c5e' }, message: /^after: / },
    { query: { limit: '0' }, message: /^limit: .+ 1 to 1000/ },
    { query: { limit: '1001' }, message: /^limit: / },
    { query: { limit: '1.5' }, message: /^limit: / },
    { query: { limit: 'all' }, message: /^limit: / },
  ]) {
    test(`${JSON.stringify(query).slice(0, 40)} is rejected with a message, also for a stream`, async () => {
      const { id } = await service().createDirectory()
      const path = `/feed?${new URLSearchParams({ directoryId: id, ...query })}`
      for (const accept of ['application/json', 'text/event-stream']) {
        const answer = await service().api('GET', path, undefined, { accept })
        assertApiError(answer, 400)
        assert.match(answer.body.error.message, message)
      }
    })
  }

  test('a feed without a scope is rejected, and a directory outside of the scope is not found', async () => {
    const { id } = await service().createDirectory()
    for (const accept of ['application/json', 'text/event-stream']) {
      const get = (query: string) => service().api('GET', `/feed?${query}`, undefined, { accept })
      assertApiError(await get(''), 400)
      assertApiError(await get('tenant=acme'), 400)
      assertApiError(await get('directoryId=nobody'), 404)
      assertApiError(await get('directoryId=%00'), 404)
      assertApiError(await get(`directoryId=${id}&tenant=globex`), 404)
      assertApiError(
        await service().request('GET', `/api/v1/dsync/feed?directoryId=${id}`, { headers: { accept } }),
        401,
      )
    }
  })

  test('a HEAD request for a stream ends', async () => {
    const { id } = await service().createDirectory()
    const answer = await service().api('HEAD', `/feed?directoryId=${id}`, undefined, { accept: 'text/event-stream' })
    assert.equal(answer.status, 200)
  })

  test('a reader misses nothing while others write', async () => {
    const scope = { tenant: newTenant(), product: 'crm' }
    const directories = await Promise.all([1, 2, 3].map(() => service().createDirectory(scope)))
    const names = Array.from({ length: 40 }, (_, index) => `user-${index}`)
    const written = Promise.all(
      directories.flatMap((directory) =>
        names.map((userName) => service().scim(directory, 'POST', '/Users', { userName })),
      ),
    )
    const seen = new Map(directories.map(({ id }) => [id, 0]))
    let after: string | undefined
    let isWritten = false
    written.then(() => {
      isWritten = true
    })
    for (;;) {
      const isLast = isWritten
      const { data, next } = await read({ ...scope, limit: 7, ...(after === undefined ? {} : { after }) })
      for (const { directory_id, sequence } of data) {
        assert.equal(sequence, (seen.get(directory_id) ?? 0) + 1)
        seen.set(directory_id, sequence)
      }
      after = next
      if (isLast && data.length === 0) break
    }
    assert.deepEqual([...seen.values()], [40, 40, 40])
  })
})
