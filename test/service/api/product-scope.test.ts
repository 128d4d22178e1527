import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../../src/client/index.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { forEachEngine, serviceForSuite, testApiKey } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  let products = 0
  /** Makes a product with a directory for each tenant. */
  async function newProduct(...tenants: readonly string[]) {
    const product = `product-${products++}`
    const directories = []
    for (const tenant of tenants) directories.push(await service().createDirectory({ tenant, product }))
    return { product, directories }
  }
  const addUser = async (directory: DirectoryView | undefined, userName: string, more: object = {}) => {
    const { status, body } = await service().scim(directory ?? assert.fail(), 'POST', '/Users', { userName, ...more })
    assert.equal(status, 201)
    return body
  }
  const addGroup = async (directory: DirectoryView | undefined, displayName: string, ids: readonly string[] = []) => {
    const members = ids.map((value) => ({ value }))
    const { status, body } = await service().scim(directory ?? assert.fail(), 'POST', '/Groups', {
      displayName,
      members,
    })
    assert.equal(status, 201)
    return body
  }
  const data = async (path: string) => {
    const { status, body, text } = await service().api('GET', path)
    assert.equal(status, 200, text)
    return body.data
  }
  /** Every row of a list, read in pages of a size. */
  async function pages(path: string, pageLimit: number) {
    const rows = []
    let token = ''
    do {
      const { body, status, text } = await service().api('GET', `${path}&pageLimit=${pageLimit}${token}`)
      assert.equal(status, 200, text)
      assert.ok(body.data.length <= pageLimit)
      rows.push(...body.data)
      token = body.pageToken === undefined ? '' : `&pageToken=${encodeURIComponent(body.pageToken)}`
    } while (token !== '')
    return rows
  }
  const namesIn = (rows: readonly { readonly raw: object }[]) =>
    rows.map(({ raw }) => String(Reflect.get(raw, 'userName') ?? Reflect.get(raw, 'displayName')))

  test('the users and groups of a product name their tenant and directory, in creation order, in pages and as a whole', async () => {
    const { product, directories } = await newProduct('acme', 'empty', 'globex')
    const [acme, , globex] = directories
    for (const name of ['a', 'b', 'c']) await addUser(acme, name)
    const sales = await addGroup(globex, 'Sales')
    for (const name of ['d', 'e']) await addUser(globex, name)
    await newProduct('acme')
    const whole = await data(`/users?product=${product}`)
    assert.deepEqual(namesIn(whole), ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(
      whole.map(({ tenant, directory_id }) => [tenant, directory_id]),
      [acme, acme, acme, globex, globex].map((directory) => [directory?.tenant, directory?.id]),
    )
    for (const size of [1, 2, 5]) assert.deepEqual(await pages(`/users?product=${product}`, size), whole)
    const [user, groups] = [whole[3], await data(`/groups?product=${product}`)]
    assert.deepEqual(await data(`/users/${user?.id}?product=${product}`), user)
    const { members: _, ...group } = await data(`/groups/${sales.id}?product=${product}&members=false`)
    assert.deepEqual([group.tenant, groups.length, groups[0]?.id], ['globex', 1, sales.id])
    const ofTenant = await data(`/users?tenant=acme&product=${product}`)
    assert.equal(ofTenant[0]?.tenant, undefined)
    assertApiError(await service().api('GET', `/users/${user?.id}?product=another`), 404)
    assertApiError(await service().api('GET', `/users?product=${product}&pageOffset=1`), 400)
  })

  test('one look-up finds an address, a name or an externalId over all tenants of a product', async () => {
    const { product, directories } = await newProduct('acme', 'globex', 'other')
    const [acme, globex] = directories
    await addUser(acme, 'ann', { externalId: 'X-1', emails: [{ value: 'Ann@x.example' }, { value: 'a@y.example' }] })
    await addUser(globex, 'ann', { active: false, emails: [{ value: 'a@y.example' }] })
    await addUser(globex, 'a@y.example', { name: { givenName: 'Maya', familyName: 'Chen-Ortiz' } })
    await addUser(globex, 'x-1', { externalId: 'a@y.example', displayName: 'a@y.example' })
    const found = async (query: string) =>
      (await pages(`/users?product=${product}&${query}`, 1)).map(
        ({ tenant, raw }) => `${tenant} ${Reflect.get(raw, 'userName')}`,
      )
    assert.deepEqual(await found('email=A@Y.EXAMPLE'), ['acme ann', 'globex ann', 'globex a@y.example'])
    assert.deepEqual(await found('email=a@y.example&active=true'), ['acme ann', 'globex a@y.example'])
    assert.deepEqual(await found('email=a@y.example&userName=ANN&active=false'), ['globex ann'])
    assert.deepEqual(await found('userName=ann'), ['acme ann', 'globex ann'])
    assert.deepEqual(await found('user_name=ann'), ['acme ann', 'globex ann'])
    assert.deepEqual(await found('externalId=X-1'), ['acme ann'])
    assert.deepEqual(await found('email=nobody@x.example'), [])
    assert.deepEqual(await found('search=ort'), ['globex a@y.example'])
    assert.deepEqual(await found('search=chen'), ['globex a@y.example'])
    assert.deepEqual(await found('search=ann@'), ['acme ann'])
    assert.deepEqual(await found('active=false'), ['globex ann'])
    const [acmeOnly] = await data(`/users?directoryId=${acme?.id}&externalId=X-1&search=a&active=true`)
    assert.equal(acmeOnly?.email, 'Ann@x.example')
  })

  test('the users of a group are listed, in the order in which they became members', async () => {
    const { product, directories } = await newProduct('acme', 'globex')
    const [, globex] = directories
    const users = []
    for (const name of ['a', 'b', 'c']) users.push(await addUser(globex, name, { active: name !== 'b' }))
    const { id } = await addGroup(globex, 'Sales', [users[2]?.id ?? '', users[0]?.id ?? ''])
    await service().scim(globex ?? assert.fail(), 'PATCH', `/Groups/${id}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: users[1]?.id }] }],
    })
    for (const scope of [`product=${product}`, `directoryId=${globex?.id}`, `tenant=globex&product=${product}`]) {
      const names = namesIn(await pages(`/users?${scope}&group=${id}`, 2))
      assert.deepEqual([names.slice(0, 2).toSorted(), names.slice(2)], [['a', 'c'], ['b']])
      assert.deepEqual(namesIn(await pages(`/users?${scope}&group=${id}&active=false`, 1)), ['b'])
      assert.deepEqual(namesIn(await data(`/users?${scope}&group=${id}&userName=A`)), ['a'])
      assert.deepEqual(namesIn(await data(`/users?${scope}&group=${id}&email=d`)), [])
    }
    const [user] = await data(`/users?product=${product}&group=${id}&userName=a`)
    assert.deepEqual([user?.tenant, user?.directory_id], ['globex', globex?.id])
    assertApiError(await service().api('GET', `/users?tenant=acme&product=${product}&group=${id}`), 404)
    const [member] = await data(`/groups/${id}/members?product=${product}&expand=user&pageLimit=1`)
    assert.equal(Reflect.get(member ?? {}, 'user').tenant, 'globex')
  })

  test('updated_since lists what has changed since a time, in the order of the changes', async () => {
    const { product, directories } = await newProduct('acme', 'globex')
    const [acme, globex] = directories
    const first = await addUser(acme, 'a')
    await addUser(acme, 'b')
    await addUser(globex, 'c')
    const sales = await addGroup(acme, 'Sales')
    const since = (scope: string, time: string, kind = 'users') =>
      pages(`/${kind}?${scope}&updated_since=${encodeURIComponent(time)}`, 1)
    const all = `product=${product}`
    assert.deepEqual(namesIn(await since(all, first.meta.created)).toSorted(), ['a', 'b', 'c'])
    await service().scim(acme ?? assert.fail(), 'PATCH', `/Users/${first.id}`, {
      Operations: [{ op: 'replace', path: 'title', value: 'Boss' }],
    })
    const [changed] = await data(`/users?directoryId=${acme?.id}&userName=a`)
    const time = changed?.updated_at ?? assert.fail()
    assert.ok(time >= (changed?.created_at ?? ''))
    for (const scope of [all, `directoryId=${acme?.id}`, `tenant=acme&${all}`]) {
      assert.deepEqual(namesIn(await since(scope, time)), ['a'])
      assert.deepEqual(namesIn(await since(scope, time.toLowerCase())), ['a'])
    }
    assert.deepEqual(namesIn(await since(all, '2999-01-01T00:00:00+02:00')), [])
    assert.deepEqual(namesIn(await since(all, '1999-01-01T00:00:00Z', 'groups')), ['Sales'])
    await service().scim(acme ?? assert.fail(), 'PATCH', `/Groups/${sales.id}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: first.id }] }],
    })
    const [group] = await since(all, time, 'groups')
    assert.ok(String(group?.updated_at) >= time)
    for (const wrong of ['yesterday', '2026-01-01', '2026-01-01T00:00:00'])
      assertApiError(await service().api('GET', `/users?${all}&updated_since=${wrong}`), 400)
    assertApiError(await service().api('GET', `/users?${all}&active=maybe`), 400)
  })

  test('groups are found by their name, or the beginning of one of its words, over a product', async () => {
    const { product, directories } = await newProduct('acme', 'globex')
    const [acme, globex] = directories
    await addGroup(acme, 'Sales EMEA')
    await addGroup(globex, 'sales')
    await addGroup(globex, 'Sales')
    const found = async (query: string) => namesIn(await pages(`/groups?product=${product}&${query}`, 1))
    assert.deepEqual(await found('name=SALES'), ['sales', 'Sales'])
    assert.deepEqual(await found('search=sal'), ['sales', 'Sales', 'Sales EMEA'])
    assert.deepEqual(await found('search=em&name=sales%20emea'), ['Sales EMEA'])
    assert.deepEqual(namesIn(await data(`/groups?directoryId=${acme?.id}&search=em`)), ['Sales EMEA'])
  })

  test('the feed of a product is read in pages and followed as a stream', async () => {
    const { product, directories } = await newProduct('acme', 'globex')
    const [acme, globex] = directories
    await addUser(acme, 'a')
    const read = async (after?: string) => {
      const more = after === undefined ? '' : `&after=${after}`
      const { status, body, text } = await service().api('GET', `/feed?product=${product}${more}`)
      assert.equal(status, 200, text)
      return body as unknown as { data: { tenant: string; directory_id: string; sequence: number }[]; next: string }
    }
    const first = await read()
    assert.deepEqual(
      first.data.map(({ tenant, directory_id, sequence }) => [tenant, directory_id, sequence]),
      [['acme', acme?.id, 1]],
    )
    const address = `${service().origin}${apiPrefix}/feed?product=${product}&after=${first.next}`
    await using stream = await openEventStream(address, { authorization: `Api-Key ${testApiKey}` })
    await addUser(globex, 'b')
    const [event] = await stream.first(1)
    assert.equal(event?.data.directory_id, globex?.id)
    const second = await read(first.next)
    assert.equal(second.data[0]?.directory_id, globex?.id)
    assert.deepEqual((await read(event?.id)).data, [])
    assertApiError(await service().api('GET', `/feed?product=other&after=${first.next}`), 400)
    assertApiError(await service().api('GET', `/feed?tenant=acme&product=${product}&after=${first.next}`), 400)
  })

  test('the typed client reads a product', async () => {
    const { product, directories } = await newProduct('acme', 'globex')
    for (const directory of directories) await addUser(directory, 'ann')
    const client = createClient({ baseUrl: service().origin, apiKey: testApiKey })
    const tenants: string[] = []
    for await (const { tenant, directory_id, raw } of client.users({ product, userName: 'ann' })) {
      assert.ok(directories.some(({ id }) => id === directory_id))
      assert.equal(raw.userName, 'ann')
      tenants.push(tenant)
    }
    assert.deepEqual(tenants, ['acme', 'globex'])
    const events: string[] = []
    for await (const { tenant } of client.events({ product, follow: false })) events.push(tenant)
    assert.deepEqual(events.toSorted(), tenants)
  })
})
