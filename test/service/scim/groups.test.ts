import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const scim = (directory: DirectoryView, method: string, path: string, body?: unknown) =>
    service().scim(directory, method, path, body)

  /** A directory with three users, a group of the first two, and an empty group. */
  async function openDirectory() {
    const directory = await service().createDirectory()
    const make = async (path: string, body: unknown) => (await scim(directory, 'POST', path, body)).body.id
    const users = [
      await make('/Users', { userName: 'a', displayName: 'Anna' }),
      await make('/Users', { userName: 'b' }),
      await make('/Users', { userName: 'c' }),
    ] as const
    const members = users.slice(0, 2).map((value) => ({ value }))
    const group = await make('/Groups', { displayName: 'Guides', members })
    const empty = await make('/Groups', { displayName: 'Empty' })
    return { directory, users, group, empty }
  }

  async function memberIds(directory: DirectoryView, group: string): Promise<string[]> {
    const { body } = await scim(directory, 'GET', `/Groups/${group}`)
    return (body.members ?? []).map(({ value }) => value)
  }
  /** Users in a group as the product reads them. */
  async function userIds(directory: DirectoryView, group: string): Promise<string[]> {
    const { body } = await service().api('GET', `/groups/${group}/members?directoryId=${directory.id}`)
    return body.data.map(({ user_id }) => user_id)
  }
  const patch = (directory: DirectoryView, group: string, ...Operations: readonly unknown[]) =>
    scim(directory, 'PATCH', `/Groups/${group}`, { Operations })

  test('a group lists its members with their addresses and names', async () => {
    const { directory, users, group } = await openDirectory()
    const { body } = await scim(directory, 'GET', `/Groups/${group}`)
    const at = (id: string) => `${directory.scim.endpoint}/Users/${id}`
    assert.deepEqual(body.members, [
      { value: users[0], $ref: at(users[0]), type: 'User', display: 'Anna' },
      { value: users[1], $ref: at(users[1]), type: 'User', display: 'b' },
    ])
  })

  test('a user lists its groups', async () => {
    const { directory, users, group } = await openDirectory()
    const { body } = await scim(directory, 'GET', `/Users/${users[0]}`)
    const $ref = `${directory.scim.endpoint}/Groups/${group}`
    assert.deepEqual(body.groups, [{ value: group, $ref, display: 'Guides', type: 'direct' }])
    assert.equal((await scim(directory, 'GET', `/Users/${users[2]}`)).body.groups, undefined)
  })

  test('the listings of the API show the groups of each user in raw, as the read of one user does', async () => {
    const { directory, users } = await openDirectory()
    const large = { userName: 'large', nickName: 'x'.repeat(20_000) }
    const { id: largeId } = (await scim(directory, 'POST', '/Users', large)).body
    const both = [...users.slice(0, 2), largeId].map((value) => ({ value }))
    await scim(directory, 'POST', '/Groups', { displayName: 'Drivers', members: both })
    const { tenant, product, id } = directory
    const single = new Map<string, unknown>()
    for (const user of [...users, largeId]) {
      single.set(user, (await service().api('GET', `/users/${user}?directoryId=${id}`)).body.data)
    }
    const scope = `directoryId=${id}`
    for (const query of [
      scope,
      `${scope}&pageLimit=100`,
      `${scope}&pageOffset=0&pageLimit=1`,
      `${scope}&pageOffset=1&pageLimit=1`,
      `${scope}&pageOffset=2&pageLimit=1`,
      `${scope}&search=b`,
      `${scope}&user_name=large`,
      `${scope}&user_name=c`,
      `tenant=${tenant}&product=${product}`,
      `tenant=${tenant}&product=${product}&pageLimit=100`,
    ]) {
      const { status, body } = await service().api('GET', `/users?${query}`)
      assert.equal(status, 200, query)
      const listed = body.data.filter((user) => single.has(user.id))
      assert(listed.length > 0, query)
      for (const user of listed) assert.deepEqual(user, single.get(user.id), query)
    }
    const groupsOf = (user: string) => (single.get(user) as { raw: { groups?: unknown[] } }).raw.groups?.length
    assert.deepEqual([...users, largeId].map(groupsOf), [2, 2, undefined, 1])
  })

  test('a PUT without members keeps the members', async () => {
    const { directory, users, group } = await openDirectory()
    const { status, body } = await scim(directory, 'PUT', `/Groups/${group}`, { displayName: 'Renamed' })
    assert.deepEqual([status, body.displayName, body.members?.length], [200, 'Renamed', 2])
    assert.deepEqual(await userIds(directory, group), users.slice(0, 2))
  })

  for (const none of [[], null]) {
    test(`a PUT with members ${JSON.stringify(none)} empties the group`, async () => {
      const { directory, group } = await openDirectory()
      await scim(directory, 'PUT', `/Groups/${group}`, { displayName: 'Guides', members: none })
      assert.deepEqual(await memberIds(directory, group), [])
    })
  }

  test('a PUT with other members adds and removes the difference', async () => {
    const { directory, users, group } = await openDirectory()
    const members = [{ value: users[1] }, { value: users[2] }]
    await scim(directory, 'PUT', `/Groups/${group}`, { displayName: 'Guides', members })
    assert.deepEqual(new Set(await userIds(directory, group)), new Set(users.slice(1)))
  })

  test('a nested group is kept and listed, and its users do not become members of the outer group', async () => {
    const { directory, group, empty } = await openDirectory()
    assert.equal((await patch(directory, empty, { op: 'add', path: 'members', value: [{ value: group }] })).status, 204)
    const { body } = await scim(directory, 'GET', `/Groups/${empty}`)
    const $ref = `${directory.scim.endpoint}/Groups/${group}`
    assert.deepEqual(body.members, [{ value: group, $ref, type: 'Group', display: 'Guides' }])
    assert.deepEqual(await userIds(directory, empty), [])
    const read = await service().api('GET', `/groups/${empty}?directoryId=${directory.id}`)
    assert.deepEqual(read.body.data.members, [])
  })

  test('a nested group can be removed', async () => {
    const { directory, group, empty } = await openDirectory()
    await patch(directory, empty, { op: 'add', path: 'members', value: [{ value: group }] })
    await patch(directory, empty, { op: 'remove', path: `members[value eq "${group}"]` })
    assert.deepEqual(await memberIds(directory, empty), [])
  })

  test('a group is never a member of itself', async () => {
    const { directory, empty } = await openDirectory()
    assert.equal((await patch(directory, empty, { op: 'add', path: 'members', value: [{ value: empty }] })).status, 204)
    assert.deepEqual(await memberIds(directory, empty), [])
  })

  test('an unknown member is skipped, and the others are added', async () => {
    const { directory, users, empty } = await openDirectory()
    const value = [{ value: 'nobody' }, { value: users[2] }, { value: users[2] }]
    assert.equal((await patch(directory, empty, { op: 'add', path: 'members', value })).status, 204)
    assert.deepEqual(await memberIds(directory, empty), [users[2]])
  })

  test('skipped members are logged with the request id and counted', async () => {
    const { directory, empty } = await openDirectory()
    const value = [{ value: 'nobody-1' }, { value: 'nobody-2' }]
    const { headers } = await patch(directory, empty, { op: 'add', path: 'members', value })
    const line = service().log.find(({ count, requestId }) => count === 2 && requestId === headers['x-request-id'])
    assert.equal(line?.['directoryId'], directory.id)
    const { text } = await service().request('GET', '/metrics')
    assert.match(text, /^rollcall_members_skipped_total [1-9]/m)
  })

  test('adding a present member or removing an absent one succeeds and changes nothing', async () => {
    const { directory, users, group } = await openDirectory()
    const { headers } = await patch(directory, group, { op: 'add', path: 'members', value: [{ value: users[0] }] })
    const removed = await patch(directory, group, { op: 'remove', path: 'members', value: [{ value: users[2] }] })
    assert.deepEqual([removed.status, headers['etag'], removed.headers['etag']], [204, 'W/"1"', 'W/"1"'])
    assert.deepEqual(await memberIds(directory, group), users.slice(0, 2))
  })

  test('members can be removed by value, by filter and all together', async () => {
    const { directory, users, group } = await openDirectory()
    await patch(directory, group, { op: 'add', path: 'members', value: users.map((value) => ({ value })) })
    await patch(directory, group, { op: 'remove', path: 'members', value: [{ value: users[0] }] })
    assert.deepEqual(await memberIds(directory, group), users.slice(1))
    await patch(directory, group, { op: 'remove', path: `members[value eq "${users[1]}"]` })
    assert.deepEqual(await memberIds(directory, group), [users[2]])
    await patch(directory, group, { op: 'remove', path: 'members' })
    assert.deepEqual(await memberIds(directory, group), [])
  })

  test('a PATCH that fails half-way changes nothing', async () => {
    const { directory, users, group } = await openDirectory()
    const before = await scim(directory, 'GET', `/Groups/${group}`)
    const { status } = await patch(
      directory,
      group,
      { op: 'replace', path: 'displayName', value: 'Lost' },
      { op: 'add', path: 'members', value: [{ value: users[2] }] },
      { op: 'replace', path: 'displayName', value: null },
    )
    assert.equal(status, 400)
    assert.deepEqual((await scim(directory, 'GET', `/Groups/${group}`)).body, before.body)
  })

  test('a deleted user is removed from its groups', async () => {
    const { directory, users, group } = await openDirectory()
    assert.equal((await scim(directory, 'DELETE', `/Users/${users[0]}`)).status, 204)
    assert.deepEqual(await memberIds(directory, group), [users[1]])
    assert.deepEqual(await userIds(directory, group), [users[1]])
  })

  test('a deleted group is removed from its users and from other groups', async () => {
    const { directory, users, group, empty } = await openDirectory()
    await patch(directory, empty, { op: 'add', path: 'members', value: [{ value: group }] })
    assert.equal((await scim(directory, 'DELETE', `/Groups/${group}`)).status, 204)
    assert.equal((await scim(directory, 'GET', `/Users/${users[0]}`)).body.groups, undefined)
    assert.deepEqual(await memberIds(directory, empty), [])
  })

  test('groups may have the same displayName', async () => {
    const { directory } = await openDirectory()
    assert.equal((await scim(directory, 'POST', '/Groups', { displayName: 'Guides' })).status, 201)
    const { body } = await scim(directory, 'GET', `/Groups?filter=${encodeURIComponent('displayName eq "GUIDES"')}`)
    assert.equal(body.totalResults, 2)
  })

  test('groups can be found by member', async () => {
    const { directory, users, group } = await openDirectory()
    const filter = encodeURIComponent(`members.value eq "${users[1]}"`)
    const { body } = await scim(directory, 'GET', `/Groups?filter=${filter}&excludedAttributes=members`)
    assert.deepEqual(
      body.Resources.map(({ id }) => id),
      [group],
    )
  })
})
