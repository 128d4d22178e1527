import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { assertScimError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory with users, in that order. */
  async function withUsers(...users: readonly Record<string, unknown>[]): Promise<DirectoryView> {
    const directory = await service().createDirectory()
    for (const user of users) {
      const { status, text } = await service().scim(directory, 'POST', '/Users', user)
      assert.equal(status, 201, text)
    }
    return directory
  }

  async function addGroup(directory: DirectoryView, displayName: string, members: readonly string[] = []) {
    const body = { displayName, members: members.map((value) => ({ value })) }
    const { status, body: group, text } = await service().scim(directory, 'POST', '/Groups', body)
    assert.equal(status, 201, text)
    return group
  }

  async function list(directory: DirectoryView, path: string): Promise<Answer['body']> {
    const { status, body, text } = await service().scim(directory, 'GET', path)
    assert.equal(status, 200, text)
    return body
  }

  const namesOf = ({ Resources }: Answer['body']) =>
    Resources.map(({ userName, displayName }) => userName ?? displayName)

  /** Follows the cursors of a query to its end; returns the pages. */
  async function pagesOf(directory: DirectoryView, path: string, query: string): Promise<Answer['body'][]> {
    const pages: Answer['body'][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await list(directory, `${path}?cursor=${cursor}&${query}`)
      pages.push(page)
      cursor = (page as { nextCursor?: string }).nextCursor
    }
    return pages
  }

  const nine = ['ivy', 'Bob', 'eve', 'dan', 'Ann', 'gus', 'Cem', 'fay', 'hal'].map((userName, n) => ({
    userName,
    ...(n % 3 === 0 ? {} : { title: `T${9 - n}`, nickName: n % 2 === 0 ? 'even' : 'odd' }),
    active: n !== 4,
  }))
  const inOrder = ['Ann', 'Bob', 'Cem', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy']

  test('sorts by an indexed attribute, in both directions and page by page', async () => {
    const directory = await withUsers(...nine)
    assert.deepEqual(namesOf(await list(directory, '/Users?sortBy=userName')), inOrder)
    assert.deepEqual(
      namesOf(await list(directory, '/Users?sortBy=userName&sortOrder=descending')),
      inOrder.toReversed(),
    )
    const page = await list(directory, '/Users?sortBy=userName&startIndex=4&count=3')
    assert.deepEqual(namesOf(page), ['dan', 'eve', 'fay'])
    assert.equal(page.totalResults, 9)
  })

  test('sorts by any other attribute, resources without it last, ties in creation order', async () => {
    const directory = await withUsers(...nine)
    const byTitle = ['hal', 'fay', 'gus', 'Ann', 'eve', 'Bob', 'ivy', 'dan', 'Cem']
    assert.deepEqual(namesOf(await list(directory, '/Users?sortBy=title')), byTitle)
    const descending = ['ivy', 'dan', 'Cem', 'Bob', 'eve', 'Ann', 'gus', 'fay', 'hal']
    assert.deepEqual(namesOf(await list(directory, '/Users?sortBy=title&sortOrder=Descending')), descending)
    assert.deepEqual(namesOf(await list(directory, '/Users?sortBy=title&startIndex=5&count=2')), ['eve', 'Bob'])
    const ties = ['eve', 'Ann', 'hal', 'Bob', 'gus', 'fay', 'ivy', 'dan', 'Cem']
    assert.deepEqual(namesOf(await list(directory, '/Users?sortBy=nickName')), ties)
  })

  test('a list of groups has all members of each, also of large groups and when it is read in parts', async () => {
    const users = Array.from({ length: 130 }, (_, n) => ({ userName: `user-${n}` }))
    const directory = await withUsers(...users)
    const { Resources } = await list(directory, '/Users?count=200')
    const ids = Resources.map(({ id }) => id)
    const sizes = Array.from({ length: 103 }, (_, n) => (n === 40 ? 130 : n === 77 ? 100 : n % 3))
    const made = await Promise.all(sizes.map((size, n) => addGroup(directory, `group-${n}`, ids.slice(0, size))))
    for (const [query, count] of [
      ['startIndex=1&count=30', 30],
      ['startIndex=1&count=103', 103],
      ['startIndex=20&count=70&attributes=members', 70],
    ] as const) {
      const page = await list(directory, `/Groups?${query}`)
      assert.equal(page.Resources.length, count)
      for (const { id, members = [] } of page.Resources) {
        const group = made.find((one) => one.id === id) ?? assert.fail()
        assert.deepEqual(members, group.members ?? [])
      }
    }
  })

  test('a search accepts a filter of 64 KB, and 300 terms next to a large user', async () => {
    const large = { userName: 'large', nickName: 'x'.repeat(200_000) }
    const directory = await withUsers({ userName: 'ann' }, large, { userName: 'bob' })
    const search = async (filter: string) => {
      const { status, body, text } = await service().scim(directory, 'POST', '/Users/.search', { filter })
      assert.equal(status, 200, text)
      return namesOf(body)
    }
    const terms = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => `userName eq "${'n'.repeat(length)}${index}"`)
    assert.deepEqual(await search([...terms(300, 1), 'userName eq "bob"'].join(' or ')), ['bob'])
    const long = [...terms(900, 49), 'userName eq "ann"'].join(' or ')
    assert(long.length > 60_000 && long.length <= 65_536)
    assert.deepEqual(await search(long), ['ann'])
  })

  test('filters a sorted list', async () => {
    const directory = await withUsers(...nine)
    const sorted = (filter: string) =>
      list(directory, `/Users?sortBy=userName&count=3&filter=${encodeURIComponent(filter)}`)
    const page = await sorted('title pr')
    assert.deepEqual(namesOf(page), ['Ann', 'Bob', 'eve'])
    assert.equal(page.totalResults, 6)
    const active = await sorted('active eq true')
    assert.deepEqual(namesOf(active), ['Bob', 'Cem', 'dan'])
    assert.equal(active.totalResults, 8)
    assert.deepEqual(namesOf(await sorted('userName eq "EVE"')), ['eve'])
  })

  for (const query of [
    'count=2',
    'count=4&sortBy=userName',
    'count=2&sortBy=userName&sortOrder=descending',
    'count=2&sortBy=title',
    'count=4&sortBy=title&sortOrder=descending',
    'count=2&filter=title%20pr',
    'count=2&filter=title%20pr&sortBy=nickName',
    'count=9',
    'count=5&filter=active%20eq%20true',
  ]) {
    test(`the cursors of ${query} return the same list as index paging`, async () => {
      const directory = await withUsers(...nine)
      const whole = await list(directory, `/Users?${query.replace(/count=\d/, 'count=100')}`)
      const pages = await pagesOf(directory, '/Users', query)
      assert.deepEqual(pages.flatMap(namesOf), namesOf(whole))
      const count = Number(/count=(\d)/.exec(query)?.[1])
      assert.equal(pages.length, Math.ceil(whole.totalResults / count))
      for (const page of pages) {
        assert.equal(page.totalResults, whole.totalResults)
        assert.equal(page.startIndex, undefined)
        assert.match((page as { nextCursor?: string }).nextCursor ?? '-', /^[\w.~-]+$/)
      }
    })
  }

  test('cursor paging over a changing list neither misses nor repeats a resource that stays', async () => {
    const directory = await withUsers(...nine)
    const first = await list(directory, '/Users?cursor&count=4')
    const [gone] = (await list(directory, '/Users?filter=userName%20eq%20%22ann%22')).Resources
    assert.equal((await service().scim(directory, 'DELETE', `/Users/${gone?.id}`)).status, 204)
    assert.equal((await service().scim(directory, 'POST', '/Users', { userName: 'new' })).status, 201)
    const { nextCursor } = first as { nextCursor?: string }
    const rest = await list(directory, `/Users?cursor=${nextCursor}&count=4`)
    assert.deepEqual([...namesOf(first), ...namesOf(rest)], ['ivy', 'Bob', 'eve', 'dan', 'gus', 'Cem', 'fay', 'hal'])
  })

  test('rejects a cursor of another query, count, list or directory', async () => {
    const directory = await withUsers(...nine)
    const { nextCursor = '' } = (await list(directory, '/Users?cursor=&count=4')) as { nextCursor?: string }
    const refuse = async (path: string, scimType: string, of = directory) =>
      assertScimError(await service().scim(of, 'GET', path), 400, scimType)
    await refuse(`/Users?cursor=${nextCursor}&count=5`, 'invalidCount')
    await refuse(`/Users?cursor=${nextCursor}&count=4&filter=active%20eq%20true`, 'invalidCursor')
    await refuse(`/Users?cursor=${nextCursor}&count=4&sortBy=title`, 'invalidCursor')
    await refuse(`/Groups?cursor=${nextCursor}&count=4`, 'invalidCursor')
    await refuse(`/Users?cursor=${nextCursor}&count=4`, 'invalidCursor', await withUsers(...nine))
    await refuse(`/Users?cursor=${nextCursor.slice(0, -1)}&count=4`, 'invalidCursor')
    await refuse(`/Users?cursor=${nextCursor.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}&count=4`, 'invalidCursor')
    await refuse('/Users?cursor=nonsense', 'invalidCursor')
    await refuse(`/Users?cursor=${nextCursor}&count=4&startIndex=1`, 'invalidValue')
  })

  test('a cursor reveals nothing about users', async () => {
    const directory = await withUsers({ userName: 'somebody-with-a-long-name' }, { userName: 'zoe' })
    const page = (await list(directory, '/Users?cursor&count=1&sortBy=userName')) as { nextCursor?: string }
    assert(page.nextCursor)
    const text = Buffer.from(page.nextCursor, 'base64url').toString('latin1')
    assert.doesNotMatch(text, /somebody|position|count/i)
  })

  test('the root searches users and groups together', async () => {
    const directory = await withUsers(...nine)
    const first = await addGroup(directory, 'Ann')
    await addGroup(directory, 'Zoo')
    const all = await list(directory, '')
    assert.equal(all.totalResults, 11)
    assert.deepEqual(namesOf(all).slice(-3), ['hal', 'Ann', 'Zoo'])
    assert.equal(all.Resources.at(-1)?.meta.resourceType, 'Group')
    const page = await list(directory, '/?startIndex=9&count=2')
    assert.deepEqual(namesOf(page), ['hal', 'Ann'])
    const search = { filter: 'displayName eq "ann" or title eq "t1"', attributes: ['displayName', 'title'] }
    const { body, status } = await service().scim(directory, 'POST', '/.search', search)
    assert.equal(status, 200)
    assert.deepEqual(
      body.Resources.map(({ id: _, schemas: __, ...shown }) => shown as unknown),
      [{ title: 'T1' }, { displayName: 'Ann' }],
    )
    const groupsOnly = await list(directory, '?filter=meta.resourceType%20eq%20%22Group%22')
    assert.deepEqual([groupsOnly.totalResults, groupsOnly.Resources[0]?.id], [2, first.id])
  })

  test('the root sorts and pages across users and groups', async () => {
    const directory = await withUsers({ userName: 'u1', displayName: 'm' }, { userName: 'u2', displayName: 'b' })
    for (const name of ['c', 'a', 'z']) await addGroup(directory, name)
    const displayNames = (pages: readonly Answer['body'][]) =>
      pages.flatMap(({ Resources }) => Resources.map(({ displayName }) => displayName))
    const sorted = await pagesOf(directory, '/', 'sortBy=displayName&count=2')
    assert.deepEqual(displayNames(sorted), ['a', 'b', 'c', 'm', 'z'])
    const unsorted = await pagesOf(directory, '/', 'count=2')
    assert.deepEqual(displayNames(unsorted), ['m', 'b', 'c', 'a', 'z'])
    assert.equal(unsorted.length, 3)
  })

  test('groups can be searched and sorted by members', async () => {
    const directory = await withUsers(...nine.slice(0, 3))
    const [ivy, bob, eve] = (await list(directory, '/Users')).Resources.map(({ id }) => id)
    await addGroup(directory, 'two', [ivy ?? '', bob ?? ''])
    await addGroup(directory, 'one', [eve ?? ''])
    await addGroup(directory, 'none')
    const found = await list(directory, `/Groups?filter=${encodeURIComponent('members.display sw "e"')}`)
    assert.deepEqual(namesOf(found), ['one'])
    assert.deepEqual(namesOf(await list(directory, '/Groups?sortBy=members.display')), ['one', 'two', 'none'])
  })

  test('the entity tag of a user changes with its groups, and If-Match accepts the version alone', async () => {
    const directory = await withUsers({ userName: 'ann' })
    const [user] = (await list(directory, '/Users')).Resources
    const path = `/Users/${user?.id}`
    await addGroup(directory, 'First', [user?.id ?? ''])
    const { headers, body } = await service().scim(directory, 'GET', path)
    const tag = String(headers['etag'])
    assert.notEqual(tag, user?.meta.version)
    assert.equal(body.meta.version, tag)
    const again = await service().scim(directory, 'GET', path, undefined, { 'if-none-match': tag })
    assert.equal(again.status, 304)
    const stale = await service().scim(directory, 'GET', path, undefined, {
      'if-none-match': String(user?.meta.version),
    })
    assert.equal(stale.status, 200)
    const title = { Operations: [{ op: 'add', path: 'title', value: 'x' }] }
    const changed = await service().scim(directory, 'PATCH', path, title, { 'if-match': tag })
    assert.equal(changed.status, 200)
    assert.equal(changed.headers['etag'], changed.body.meta.version)
    const refused = await service().scim(directory, 'PATCH', path, title, { 'if-match': tag })
    assert.equal(refused.status, 412)
  })
})
