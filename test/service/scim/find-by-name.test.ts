import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const scope = 'tenant=acme&product=crm'

/** Two directories of one tenant, and one of another tenant whose users have the same names. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const [first, second, zeta] = [
    await service.createDirectory(),
    await service.createDirectory(),
    await service.createDirectory({ tenant: 'zeta' }),
  ]
  const ids = new Map<string, string>()
  const add = async (name: string, directory: typeof first, path: string, body: object) => {
    const created = await service.scim(directory, 'POST', path, body)
    assert.equal(created.status, 201, created.text)
    ids.set(created.body.id, name)
  }
  await add('ann', first, '/Users', {
    userName: 'ann',
    name: { givenName: 'Ann', familyName: 'Lee' },
    emails: [
      { value: 'Ann.Lee@acme.example', type: 'work', primary: true },
      { value: 'shared@acme.example', type: 'other' },
    ],
    active: false,
  })
  await add('bob', first, '/Users', { userName: 'Bob@acme.example' })
  await add('cid', first, '/Users', { userName: 'cid@acme.example', emails: [{ value: 'shared@acme.example' }] })
  await add('bob in second', second, '/Users', { userName: 'bob@acme.example', emails: [{ value: 'b@b.example' }] })
  await add('ann in second', second, '/Users', { userName: 'x', emails: [{ value: 'ann.lee@acme.example' }] })
  await add('sales', first, '/Groups', { displayName: 'Sales' })
  await add('sales again', first, '/Groups', { displayName: 'SALES' })
  await add('sales in second', second, '/Groups', { displayName: 'sales' })
  await add('sales emea', second, '/Groups', { displayName: 'Sales EMEA' })
  await service.scim(zeta, 'POST', '/Users', { userName: 'bob@acme.example' })
  await service.scim(zeta, 'POST', '/Users', { userName: 'ann', emails: [{ value: 'ann.lee@acme.example' }] })
  await service.scim(zeta, 'POST', '/Groups', { displayName: 'Sales' })
  return { service, first, second, ids, [Symbol.asyncDispose]: (): PromiseLike<void> => service[Symbol.asyncDispose]() }
}

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const found = async (path: string) => {
    const { service, ids } = subject()
    const response = await service.api('GET', path)
    assert.equal(response.status, 200, response.text)
    return response.body.data.map(({ id }) => ids.get(id) ?? 'somebody else')
  }

  for (const [query, expected] of [
    ['email=ann.lee@acme.example', ['ann', 'ann in second']],
    ['email=ANN.LEE@ACME.EXAMPLE', ['ann', 'ann in second']],
    ['email=shared@acme.example', ['ann', 'cid']],
    ['email=bob@acme.example', ['bob']],
    ['email=cid@acme.example', []],
    ['email=ann', []],
    ['email=ann.lee', []],
    ['email=%25', []],
    ['user_name=BOB@acme.example', ['bob', 'bob in second']],
    ['user_name=ann', ['ann']],
    ['user_name=an', []],
    ['user_name=ann&email=shared@acme.example', ['ann']],
    ['user_name=ann&email=cid@acme.example', []],
  ] as const) {
    test(`users?${query} finds ${expected.join(', ') || 'nobody'}`, async () => {
      assert.deepEqual(await found(`/users?${scope}&${query}`), expected)
    })
  }

  for (const [query, expected] of [
    ['name=sales', ['sales', 'sales again', 'sales in second']],
    ['name=Sales%20EMEA', ['sales emea']],
    ['name=emea', []],
  ] as const) {
    test(`groups?${query} finds ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await found(`/groups?${scope}&${query}`), expected)
    })
  }

  test('a found user is the same as the user in the list', async () => {
    const { service, first } = subject()
    const list = await service.api('GET', `/users?directoryId=${first.id}`)
    for (const user of list.body.data) {
      const { body } = await service.api(
        'GET',
        `/users?directoryId=${first.id}&email=${encodeURIComponent(user.email)}`,
      )
      assert.deepEqual(
        body.data.find(({ id }) => id === user.id),
        user,
      )
    }
  })

  test('the results are restricted to the directory', async () => {
    const { second } = subject()
    assert.deepEqual(await found(`/users?directoryId=${second.id}&user_name=bob@acme.example`), ['bob in second'])
    assert.deepEqual(await found(`/groups?directoryId=${second.id}&name=Sales`), ['sales in second'])
  })

  for (const [path, expected] of [
    ['/users?email=shared@acme.example', ['ann', 'cid']],
    ['/users?email=ann.lee@acme.example', ['ann', 'ann in second']],
    ['/groups?name=sales', ['sales', 'sales again', 'sales in second']],
  ] as const) {
    test(`${path} is returned in pages`, async () => {
      const { service, ids } = subject()
      const nameOf = (id: string | undefined) => ids.get(id ?? '')
      const names: (string | undefined)[] = []
      for (let next = ''; names.length < 9; ) {
        const { body } = await service.api('GET', `${path}&${scope}&pageLimit=1${next}`)
        names.push(nameOf(body.data[0]?.id))
        if (body.pageToken === undefined) break
        next = `&pageToken=${body.pageToken}`
      }
      assert.deepEqual(names, expected)
      const { body } = await service.api('GET', `${path}&${scope}&pageOffset=1&pageLimit=1`)
      assert.equal(nameOf(body.data[0]?.id), expected[1])
      const beyond = await service.api('GET', `${path}&${scope}&pageOffset=${expected.length}`)
      assert.deepEqual(beyond.body.data, [])
    })
  }

  for (const query of ['email=', `user_name=${'x'.repeat(1001)}`, 'email=a&email=b', 'user_name=a%00b']) {
    test(`rejects users?${query.slice(0, 30)}`, async () => {
      assertApiError(await subject().service.api('GET', `/users?${scope}&${query}`), 400)
    })
  }

  test('the API reference describes the parameters', async () => {
    const { body } = await subject().service.request('GET', '/openapi.json')
    const { paths } = body as unknown as { paths: Record<string, { get: { parameters: { name: string }[] } }> }
    const names = (path: string) => paths[path]?.get.parameters.map(({ name }) => name) ?? []
    assert.ok(['email', 'user_name'].every((name) => names('/api/v1/directory-sync/users').includes(name)))
    assert.ok(names('/api/v1/directory-sync/groups').includes('name'))
  })
})

forEachEngine((engine) => {
  const open = forSuite(() => openSearched(engine))

  /** The names of all rows of a search, read page by page. */
  async function search(kind: 'users' | 'groups', text: string, pageLimit = 2): Promise<string[]> {
    const { service, directory } = open()
    const query = new URLSearchParams({ directoryId: directory.id, search: text, pageLimit: String(pageLimit) })
    const names: string[] = []
    for (;;) {
      const { status, body } = await service.api('GET', `/${kind}?${query}`)
      assert.equal(status, 200)
      names.push(...body.data.map(({ raw }) => String(raw['userName'] ?? raw['displayName'])))
      if (body.pageToken === undefined) return names
      query.set('pageToken', body.pageToken)
    }
  }

  test(`${engine}: users are found by the beginning of their userName, in any letter case, in its order`, async () => {
    assert.deepEqual(await search('users', 'AN'), ['an', 'Ann', 'anna', 'anna"\\'])
    assert.deepEqual(await search('users', 'ÄN', 1), ['änne'])
    assert.deepEqual(await search('users', 'anna', 1), ['anna', 'anna"\\'])
    assert.deepEqual(await search('users', 'nn'), [])
    assert.deepEqual(await search('users', long.slice(0, 200), 1), [long, `${long}y`])
  })

  test(`${engine}: groups are found by the beginning of their name`, async () => {
    assert.deepEqual(await search('groups', 'sales', 1), ['Sales', 'sales', 'Sales EMEA'])
  })

  test(`${engine}: a group is read without its members when they are not wanted`, async () => {
    const { service, directory } = open()
    const [{ id: user }, { id }] = [
      (await service.scim(directory, 'GET', '/Users?count=1')).body.Resources[0] ?? assert.fail('no user'),
      (await service.scim(directory, 'POST', '/Groups', { displayName: 'Zeta' })).body,
    ]
    await service.scim(directory, 'PATCH', `/Groups/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: 'members', value: [{ value: user }] }],
    })
    const members = async (query: string) =>
      (await service.api('GET', `/groups/${id}?directoryId=${directory.id}${query}`)).body.data.members
    assert.deepEqual(await members(''), [{ group_id: id, user_id: user }])
    assert.deepEqual(await members('&members=true'), [{ group_id: id, user_id: user }])
    assert.deepEqual(await members('&members=false'), [])
    assertApiError(await service.api('GET', `/groups/${id}?directoryId=${directory.id}&members=no`), 400)
  })

  test(`${engine}: directories of any tenant are found by name, tenant and id, without secrets`, async () => {
    const { service, directory } = open()
    const find = async (text: string) =>
      (await service.api('GET', `/directories?search=${encodeURIComponent(text)}`)).body.data
    for (const text of ['SCIM-ac', 'acm', directory.id]) {
      assert.deepEqual(
        (await find(text)).map(({ id, scim }) => [id, scim.secret]),
        [[directory.id, '']],
      )
    }
    assert.deepEqual(await find('nobody'), [])
    const all = await service.api('GET', '/directories?pageLimit=1')
    assert.deepEqual([all.body.data.length, all.body.pageToken], [1, undefined])
  })

  for (const query of ['search=', 'search=an&pageOffset=1&pageLimit=1', 'search=an&pageToken=abc']) {
    test(`${engine}: rejects the search ${query}`, async () => {
      const { service, directory } = open()
      assertApiError(await service.api('GET', `/users?directoryId=${directory.id}&${query}`), 400)
    })
  }
})

const long = 'x'.repeat(511)

/** A directory whose users have names that begin alike. */
async function openSearched(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const directory = await service.createDirectory()
  for (const userName of ['anna', 'Ann', 'bob', 'an', 'anna"\\', 'änne', long, `${long}y`]) {
    assert.equal((await service.scim(directory, 'POST', '/Users', { userName })).status, 201)
  }
  for (const displayName of ['Sales', 'sales', 'Sales EMEA', 'Support'])
    assert.equal((await service.scim(directory, 'POST', '/Groups', { displayName })).status, 201)
  return { service, directory, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}
