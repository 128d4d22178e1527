import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { maxListedRawBytes } from '../../../src/directory/abridged.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

/** The length from which lists leave out a `raw` and read it separately. */
const long = '語'.repeat(maxListedRawBytes)

/** Every other user and group is large. */
const users = ['ann', 'bob', 'cem', 'dan', 'eve'].map((userName, n) => ({
  userName,
  title: `T${n}`,
  emails: [{ value: `${userName}@acme.example` }],
  ...(n % 2 === 0 ? { nickName: long } : {}),
}))
const groups = ['Guides', 'Sales', 'Staff'].map((displayName, n) => ({
  displayName,
  ...(n % 2 === 0 ? { 'urn:example:1.0:Group': { purpose: long } } : {}),
}))

type Resource = Record<string, unknown> & { readonly id: string }

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  let directory: DirectoryView
  let storedUsers: Resource[]
  let storedGroups: Resource[]

  before(async () => {
    directory = await service().createDirectory()
    const created = async (path: string, body: Record<string, unknown>) => {
      const { status, body: resource, text } = await service().scim(directory, 'POST', path, body)
      assert.equal(status, 201, text.slice(0, 200))
      return resource.id
    }
    const ids: string[] = []
    for (const user of users) ids.push(await created('/Users', user))
    const members = ids.map((value) => ({ value }))
    const groupIds: string[] = []
    for (const group of groups) groupIds.push(await created('/Groups', { ...group, members }))
    storedUsers = await Promise.all(ids.map((id) => read(`/Users/${id}`)))
    storedGroups = await Promise.all(groupIds.map((id) => read(`/Groups/${id}`)))
  })

  async function read(path: string): Promise<Resource> {
    const { status, body, text } = await service().scim(directory, 'GET', path)
    assert.equal(status, 200, text.slice(0, 200))
    return body as unknown as Resource
  }

  const list = async (path: string): Promise<Answer['body']> => (await read(path)) as unknown as Answer['body']
  const usersAt = (...indexes: number[]) => indexes.map((index) => storedUsers[index])

  test('a page contains large users and groups in their positions, equal to those read by id', async () => {
    const page = await list('/Users')
    assert.equal(page.totalResults, 5)
    assert.deepEqual(page.Resources, storedUsers)
    assert.deepEqual((await list('/Users?startIndex=2&count=3')).Resources, usersAt(1, 2, 3))
    assert.deepEqual((await list('/Groups')).Resources, storedGroups)
  })

  test('a page over both types has them in the same order', async () => {
    const { status, body } = await service().scim(directory, 'POST', '/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      startIndex: 4,
      count: 3,
    })
    assert.equal(status, 200)
    assert.deepEqual(body.Resources, [...usersAt(3, 4), storedGroups[0]])
  })

  test('filters are evaluated on large users, whether an index finds them or not', async () => {
    assert.deepEqual((await list('/Users?filter=nickName%20pr')).Resources, usersAt(0, 2, 4))
    assert.deepEqual((await list('/Users?filter=title%20gt%20%22T2%22')).Resources, usersAt(3, 4))
    assert.deepEqual((await list('/Users?filter=userName%20eq%20%22CEM%22')).Resources, usersAt(2))
    assert.deepEqual((await list('/Users?filter=active%20eq%20true%20and%20nickName%20pr')).Resources, usersAt(0, 2, 4))
    const byGroup = encodeURIComponent(`groups.value eq "${storedGroups[1]?.id}"`)
    assert.deepEqual((await list(`/Users?filter=${byGroup}`)).Resources, storedUsers)
  })

  test('large users are sorted, and reduced to the requested attributes', async () => {
    const sorted = await list('/Users?sortBy=title&sortOrder=descending&count=4')
    assert.deepEqual(sorted.Resources, usersAt(4, 3, 2, 1))
    assert.deepEqual((await list('/Users?sortBy=userName&count=2')).Resources, usersAt(0, 1))
    const projected = await list('/Users?attributes=title')
    assert.partialDeepStrictEqual(
      projected.Resources,
      ['T0', 'T1', 'T2', 'T3', 'T4'].map((title) => ({ title })),
    )
    const { Resources } = await list('/Groups?excludedAttributes=members')
    assert.deepEqual(
      Resources,
      storedGroups.map(({ members: _, ...group }) => group),
    )
  })

  test('cursors page through large users', async () => {
    const found: unknown[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = (await list(`/Users?count=2&cursor=${cursor}`)) as Answer['body'] & { nextCursor?: string }
      found.push(...page.Resources)
      cursor = page.nextCursor
    }
    assert.deepEqual(found, storedUsers)
  })

  test("the product's API lists large users, in pages and completely, and finds them", async () => {
    const scope = `directoryId=${directory.id}`
    const data = async (query: string) => (await service().api('GET', `/users?${query}`)).body
    const listed = await Promise.all(
      storedUsers.map(async ({ id }) => (await service().api('GET', `/users/${id}?${scope}`)).body.data),
    )
    assert.deepEqual((await data(scope)).data, listed)
    const first = await data(`${scope}&pageLimit=3`)
    assert.deepEqual(first.data, listed.slice(0, 3))
    assert.deepEqual((await data(`${scope}&pageLimit=3&pageToken=${first.pageToken}`)).data, listed.slice(3))
    const { tenant, product } = directory
    const ofTenant = await data(`tenant=${tenant}&product=${product}&email=ann@acme.example`)
    assert.deepEqual(ofTenant.data, listed.slice(0, 1))
    assert.deepEqual((await data(`${scope}&search=ce`)).data, listed.slice(2, 3))
  })
})
