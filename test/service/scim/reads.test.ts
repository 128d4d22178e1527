import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const userCount = 25

/** A service with two tenants, whose users have the same names; the first has a second directory as well. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const [first, second, zeta] = [
    await service.createDirectory(),
    await service.createDirectory(),
    await service.createDirectory({ tenant: 'zeta' }),
  ]
  const userIds: string[] = []
  for (let index = 0; index < userCount; index += 1) {
    const name = { givenName: `Given ${index}`, familyName: 'Family' }
    const { body } = await service.scim(first, 'POST', '/Users', { userName: `user-${index}@acme.example`, name })
    userIds.push(body.id)
  }
  const inSecond = await service.scim(second, 'POST', '/Users', { userName: 'user-0@acme.example' })
  const inZeta = await service.scim(zeta, 'POST', '/Users', { userName: 'user-0@acme.example' })
  const members = userIds.map((value) => ({ value }))
  const group = await service.scim(first, 'POST', '/Groups', { displayName: 'Everybody', members })
  const zetaGroup = await service.scim(zeta, 'POST', '/Groups', { displayName: 'Everybody' })
  return {
    service,
    first,
    second,
    zeta,
    userIds,
    secondUserId: inSecond.body.id,
    zetaUserId: inZeta.body.id,
    groupId: group.body.id,
    zetaGroupId: zetaGroup.body.id,
    [Symbol.asyncDispose]: (): PromiseLike<void> => service[Symbol.asyncDispose](),
  }
}

const idsOf = ({ body: { data } }: Answer) => data.map(({ id, user_id }) => id ?? user_id)

/** Reads a listing page by page with the tokens in the responses. */
async function pagesOf(service: TestService, path: string, from = ''): Promise<Answer[]> {
  const pages = [await service.api('GET', from === '' ? path : `${path}&pageToken=${from}`)]
  for (let token = pages[0]?.body.pageToken; token !== undefined; token = pages.at(-1)?.body.pageToken) {
    pages.push(await service.api('GET', `${path}&pageToken=${token}`))
    assert(pages.length < 100, 'the listing ends')
  }
  return pages
}

/** A user, a group, or a member with its user. */
interface Row {
  readonly directory_id?: string
  readonly user?: Row
}

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const get = (path: string) => subject().service.api('GET', path)

  test('lists the users of all directories of a tenant for a product, in creation order', async () => {
    const response = await get('/users?tenant=acme&product=crm')
    assert.equal(response.status, 200)
    assert.equal(response.body.error, null)
    assert.deepEqual(idsOf(response), [...subject().userIds, subject().secondUserId])
  })

  test('lists the users of one directory only', async () => {
    assert.deepEqual(idsOf(await get(`/users?directoryId=${subject().second.id}`)), [subject().secondUserId])
  })

  test('accepts a directory together with its tenant', async () => {
    const { zeta, zetaUserId } = subject()
    assert.deepEqual(idsOf(await get(`/users?directoryId=${zeta.id}&tenant=zeta&product=crm`)), [zetaUserId])
    assert.deepEqual(idsOf(await get(`/users?directoryId=${zeta.id}&tenant=zeta`)), [zetaUserId])
  })

  for (const path of ['/users', '/groups']) {
    test(`${path}: a directory of another tenant is not found`, async () => {
      const { zeta } = subject()
      assertApiError(await get(`${path}?directoryId=${zeta.id}&tenant=acme&product=crm`), 404)
      assertApiError(await get(`${path}?directoryId=${zeta.id}&product=other`), 404)
    })

    test(`${path}: a tenant without directories has an empty list`, async () => {
      const { status, body } = await get(`${path}?tenant=nobody&product=crm`)
      assert.equal(status, 200)
      assert.deepEqual(body, { data: [], error: null })
    })

    test(`${path}: an unknown directory is not found`, async () => {
      assertApiError(await get(`${path}?directoryId=01900000-0000-7000-8000-000000000000`), 404)
    })
  }

  test('a user has the fields of the API and the resource as provisioned', async () => {
    const { service, first, userIds, groupId } = subject()
    const { status, body } = await get(`/users/${userIds[3]}?directoryId=${first.id}`)
    const { meta } = (await service.scim(first, 'GET', `/Users/${userIds[3]}`)).body
    const $ref = `${first.scim.endpoint}/Groups/${groupId}`
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: {
        id: userIds[3],
        account_id: null,
        first_name: 'Given 3',
        last_name: 'Family',
        email: 'user-3@acme.example',
        active: true,
        ...timesIn(meta),
        directory_id: first.id,
        raw: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          id: userIds[3],
          userName: 'user-3@acme.example',
          name: { givenName: 'Given 3', familyName: 'Family' },
          active: true,
          groups: [{ value: groupId, $ref, display: 'Everybody', type: 'direct' }],
        },
      },
      error: null,
    })
  })

  test('a group includes its members', async () => {
    const { service, first, groupId, userIds } = subject()
    const { status, body } = await get(`/groups/${groupId}?tenant=acme&product=crm`)
    const { meta } = (await service.scim(first, 'GET', `/Groups/${groupId}`)).body
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: {
        id: groupId,
        name: 'Everybody',
        ...timesIn(meta),
        directory_id: first.id,
        raw: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
          id: groupId,
          displayName: 'Everybody',
          members: userIds.map((value, index) => ({ value, display: `user-${index}@acme.example` })),
        },
        members: userIds.map((user_id) => ({ group_id: groupId, user_id })),
      },
      error: null,
    })
  })

  test('the raw of a single user and group is what SCIM returns, without meta and the addresses of members', async () => {
    const { service, first, zeta, groupId, zetaGroupId, userIds, zetaUserId } = subject()
    const { meta: _, ...user } = { ...(await service.scim(first, 'GET', `/Users/${userIds[3]}`)).body }
    assert.deepEqual((await get(`/users/${userIds[3]}?directoryId=${first.id}`)).body.data.raw, user)
    const { meta: __, ...group } = { ...(await service.scim(first, 'GET', `/Groups/${groupId}`)).body }
    const members = group.members?.map(({ value, display }) => ({ value, display }))
    assert.deepEqual((await get(`/groups/${groupId}?directoryId=${first.id}`)).body.data.raw, { ...group, members })
    const alone = (await get(`/users/${zetaUserId}?directoryId=${zeta.id}`)).body.data.raw
    const empty = (await get(`/groups/${zetaGroupId}?directoryId=${zeta.id}`)).body.data.raw
    assert.deepEqual([alone['groups'], empty['members']], [undefined, []])
  })

  test('the groups of a directory are listed without their members', async () => {
    const { service, first, groupId } = subject()
    const { body } = await get(`/groups?directoryId=${first.id}`)
    const { meta } = (await service.scim(first, 'GET', `/Groups/${groupId}`)).body
    const raw = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], id: groupId, displayName: 'Everybody' }
    const group = { id: groupId, name: 'Everybody', ...timesIn(meta), directory_id: first.id, raw }
    assert.deepEqual(body, { data: [group], error: null })
  })

  test('every user and group names its directory, in every read', async () => {
    const { first, second, groupId, userIds, secondUserId } = subject()
    const tenant = 'tenant=acme&product=crm'
    const directoriesIn = async (path: string) => {
      const { body } = await get(path)
      const rows: Row[] = [body.data].flat() as unknown as Row[]
      assert.notEqual(rows.length, 0, path)
      return [...new Set(rows.map(({ user, directory_id }) => user?.directory_id ?? directory_id))]
    }
    assert.deepEqual(await directoriesIn(`/users?${tenant}`), [first.id, second.id])
    for (const path of [
      ...[`/users?${tenant}&pageLimit=1`, `/users?directoryId=${first.id}`, `/users/${userIds[0]}?${tenant}`],
      ...[`/users?${tenant}&group=${groupId}`, `/users?${tenant}&userName=user-1@acme.example`],
      ...[
        `/users?directoryId=${first.id}&updated_since=2020-01-01T00:00:00Z`,
        `/users?directoryId=${first.id}&search=user-1`,
      ],
      ...[`/groups?${tenant}`, `/groups?${tenant}&name=Everybody`, `/groups/${groupId}?${tenant}`],
      ...[`/groups/${groupId}?${tenant}&members=false`, `/groups/${groupId}/members?${tenant}&expand=user`],
      `/groups/${groupId}/members?${tenant}&expand=user&pageLimit=2`,
    ]) {
      assert.deepEqual(await directoriesIn(path), [first.id], path)
    }
    assert.deepEqual(await directoriesIn(`/users/${secondUserId}?${tenant}`), [second.id])
  })

  test('the members of a group are listed as user_id only, in the order they were added', async () => {
    const { groupId, userIds } = subject()
    const { status, body } = await get(`/groups/${groupId}/members?tenant=acme&product=crm`)
    assert.equal(status, 200)
    assert.deepEqual(body, { data: userIds.map((user_id) => ({ user_id })) })
  })

  test('with expand=user, each member of a group has its user beside its id, without the groups of the user', async () => {
    const { groupId, userIds } = subject()
    const path = `/groups/${groupId}/members?tenant=acme&product=crm&expand=user`
    const users = (await get('/users?tenant=acme&product=crm')).body.data
    const expected = userIds.map((user_id) => {
      const { raw, ...user } = users.find(({ id }) => id === user_id) ?? assert.fail()
      const { groups: _, ...rest } = raw
      return { user_id, user: { ...user, raw: rest } }
    })
    assert.deepEqual((await get(path)).body, { data: expected })
    const { data, pageToken } = (await get(`${path}&pageOffset=20&pageLimit=3`)).body
    assert.deepEqual([data, typeof pageToken], [expected.slice(20, 23), 'string'])
    assertApiError(await get(`${path}s`), 400)
  })

  test('resources of another tenant are not found, whatever the scope', async () => {
    const { first, zeta, zetaUserId, zetaGroupId } = subject()
    for (const scope of ['tenant=acme&product=crm', `directoryId=${first.id}`, `directoryId=${first.id}&tenant=acme`]) {
      assertApiError(await get(`/users/${zetaUserId}?${scope}`), 404)
      assertApiError(await get(`/groups/${zetaGroupId}?${scope}`), 404)
      assertApiError(await get(`/groups/${zetaGroupId}/members?${scope}`), 404)
    }
    assertApiError(await get(`/users/${zetaUserId}?directoryId=${zeta.id}&tenant=acme`), 404)
  })

  test('a user is not found in another directory of its tenant', async () => {
    const { first, secondUserId } = subject()
    assertApiError(await get(`/users/${secondUserId}?directoryId=${first.id}`), 404)
    assert.equal((await get(`/users/${secondUserId}?tenant=acme&product=crm`)).status, 200)
  })

  test('a group is not found as a user, nor a user as a group', async () => {
    const { groupId, userIds } = subject()
    assertApiError(await get(`/users/${groupId}?tenant=acme&product=crm`), 404)
    assertApiError(await get(`/groups/${userIds[0]}?tenant=acme&product=crm`), 404)
  })

  test('offset pages cover a listing over several directories, each user once', async () => {
    const { service, userIds, secondUserId } = subject()
    const ids: string[] = []
    for (let offset = 0; offset <= userCount; offset += 4) {
      const path = `/users?tenant=acme&product=crm&pageOffset=${offset}&pageLimit=4`
      ids.push(...idsOf(await service.api('GET', path)))
    }
    assert.deepEqual(ids, [...userIds, secondUserId])
  })

  test('token pages cover a listing over several directories, each user once', async () => {
    const { service, userIds, secondUserId } = subject()
    for (const limit of [1, 7, userCount, userCount + 1]) {
      const pages = await pagesOf(service, `/users?tenant=acme&product=crm&pageLimit=${limit}`)
      assert.deepEqual(pages.flatMap(idsOf), [...userIds, secondUserId])
      assert.equal(pages.length, Math.ceil((userCount + 1) / limit))
    }
  })

  test('the pages of a tenant with one directory are those of the directory', async () => {
    const { service } = subject()
    const directory = await service.createDirectory({ tenant: 'alone' })
    const { tenant, product, id } = directory
    for (const userName of ['a', 'b', 'c', 'd', 'e']) await service.scim(directory, 'POST', '/Users', { userName })
    for (const displayName of ['a', 'b', 'c']) await service.scim(directory, 'POST', '/Groups', { displayName })
    for (const path of ['/users', '/groups']) {
      for (const paging of ['pageLimit=2', 'pageLimit=3', 'pageLimit=5', 'pageOffset=2', 'pageOffset=9']) {
        const [ofTenant, ofDirectory] = await Promise.all(
          [`tenant=${tenant}&product=${product}`, `directoryId=${id}`].map((scope) =>
            pagesOf(service, `${path}?${scope}&${paging}`),
          ),
        )
        assert.deepEqual(
          ofTenant?.map(({ body: { pageToken: _, ...rest } }) => rest),
          ofDirectory?.map(({ body: { pageToken: _, ...rest } }) => rest),
        )
      }
    }
  })

  test('a page of a directory is continued in the list of its tenant, and the other way round', async () => {
    const { service, first: directory, userIds, secondUserId } = subject()
    const { tenant, product, id } = directory
    const [ofTenant, ofDirectory] = [`/users?tenant=${tenant}&product=${product}`, `/users?directoryId=${id}`]
    const first = await get(`${ofDirectory}&pageLimit=3`)
    const rest = await pagesOf(service, `${ofTenant}&pageLimit=100`, first.body.pageToken)
    assert.deepEqual([first, ...rest].flatMap(idsOf), [...userIds, secondUserId])
    const firstOfTenant = await get(`${ofTenant}&pageLimit=3`)
    const restOfDirectory = await pagesOf(service, `${ofDirectory}&pageLimit=100`, firstOfTenant.body.pageToken)
    assert.deepEqual([firstOfTenant, ...restOfDirectory].flatMap(idsOf), userIds)
  })

  test('the members of a group can be paged by offset and by token', async () => {
    const { service, groupId, userIds } = subject()
    const path = `/groups/${groupId}/members?tenant=acme&product=crm`
    assert.deepEqual((await pagesOf(service, `${path}&pageLimit=10`)).flatMap(idsOf), userIds)
    assert.deepEqual(idsOf(await get(`${path}&pageOffset=20&pageLimit=10`)), userIds.slice(20))
  })

  test('a page beyond the end is empty', async () => {
    const { body } = await get('/users?tenant=acme&product=crm&pageOffset=1000000&pageLimit=10')
    assert.deepEqual(body, { data: [], error: null })
  })

  test('the last page has no token', async () => {
    assert.equal((await get('/users?tenant=acme&product=crm&pageLimit=1000')).body.pageToken, undefined)
  })

  test('a token is useless outside its scope', async () => {
    const { zeta, zetaUserId } = subject()
    const { pageToken } = (await get('/users?tenant=acme&product=crm&pageLimit=5')).body
    const response = await get(`/users?directoryId=${zeta.id}&pageToken=${pageToken}`)
    assert.equal(response.status, 200)
    assert(idsOf(response).every((id) => id === zetaUserId))
  })

  test('token pages neither skip nor repeat users while others are created and deleted', async () => {
    const { service } = subject()
    const directory = await service.createDirectory({ tenant: 'moving' })
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const ids = []
    for (const userName of names) ids.push((await service.scim(directory, 'POST', '/Users', { userName })).body.id)
    const path = `/users?directoryId=${directory.id}&pageLimit=2`
    const first = await service.api('GET', path)
    await service.scim(directory, 'DELETE', `/Users/${ids[0]}`)
    await service.scim(directory, 'DELETE', `/Users/${ids[1]}`)
    const { body: added } = await service.scim(directory, 'POST', '/Users', { userName: 'g' })
    const rest = await pagesOf(service, path, first.body.pageToken)
    assert.deepEqual([first, ...rest].flatMap(idsOf), [...ids, added.id])
  })

  test('a listing without paging parameters is complete', async () => {
    const { service } = subject()
    const directory = await service.createDirectory({ tenant: 'large' })
    const count = 1_203
    const numbers = Array.from({ length: count }, (_, index) => index)
    const made = await Promise.all(
      numbers.map((number) => service.scim(directory, 'POST', '/Users', { userName: `user-${number}` })),
    )
    const members = made.map(({ body }) => ({ value: body.id }))
    const group = await service.scim(directory, 'POST', '/Groups', { displayName: 'All', members })
    const scope = `directoryId=${directory.id}`
    const listed = idsOf(await service.api('GET', `/users?${scope}`))
    assert.deepEqual(new Set(listed), new Set(made.map(({ body }) => body.id)))
    assert.equal(listed.length, count)
    const { body } = await service.api('GET', `/groups/${group.body.id}?${scope}`)
    const inRaw = (body.data.raw['members'] as { value: string }[]).map(({ value }) => value)
    assert.deepEqual(
      inRaw,
      body.data.members.map(({ user_id }) => user_id),
    )
    assert.equal(body.data.members.length, count)
    assert.equal(idsOf(await service.api('GET', `/groups/${group.body.id}/members?${scope}`)).length, count)
    assert.deepEqual(idsOf(await service.api('GET', `/users?${scope}&pageOffset=1100`)), listed.slice(1100))
    assert.deepEqual((await pagesOf(service, `/users?${scope}&pageLimit=500`)).flatMap(idsOf), listed)
  })
})

/** The times that SCIM returns, as the API shows them. */
function timesIn({ created, lastModified }: { readonly created: string; readonly lastModified: string }) {
  return { created_at: created, updated_at: lastModified }
}
