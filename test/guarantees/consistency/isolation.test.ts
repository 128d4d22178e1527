import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forEachEngine } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import { forSuite } from '../../support/service.ts'
import { addMember, idpOf, memberList, names, patchBody, removeMember, replaceAttribute } from '../support/idp.ts'
import type { Connection, World } from '../support/world.ts'
import { connect, openWorld } from '../support/world.ts'

const userNames = names('user', 24)
const groupNames = names('group', 3)

/** Does the same for every tenant; only the titles of the users differ. */
async function provision({ directory, idp }: Connection): Promise<void> {
  const responses = await Promise.all(
    userNames.map((userName) => idp.expect(201, 'POST', '/Users', { userName, title: directory.tenant })),
  )
  const ids = responses.map(({ body }) => body.id)
  const groups = await Promise.all(
    groupNames.map((name, n) =>
      idp.createGroup(
        name,
        ids.filter((_, index) => index % 3 === n),
      ),
    ),
  )
  await Promise.all([
    ...ids.slice(0, 8).map((id) => idp.patch(`/Users/${id}`, replaceAttribute('nickName', directory.tenant))),
    ...groups.map((id, n) => idp.patch(`/Groups/${id}`, addMember(ids[n + 1] ?? ''), removeMember(ids[n] ?? ''))),
    ...ids.slice(20).map((id) => idp.expect(204, 'DELETE', `/Users/${id}`)),
  ])
}

/** Two tenants of one new product with a user and a group each, of the same names. */
async function openTwins(world: World) {
  const product = randomUUID()
  const twin = async (tenant: string) => {
    const connection = await world.connect({ tenant, product })
    const user = await connection.idp.createUser('bjensen')
    const group = await connection.idp.createGroup('Engineering', [user])
    return { ...connection, user, group }
  }
  return [await twin('acme'), await twin('globex')] as const
}

forEachEngine((engine) => {
  const shared = forSuite(() => openWorld(engine))

  test('two tenants with the same user and group names, provisioned concurrently, are isolated from each other', async () => {
    const { client } = shared()
    await using receiver = await startReceiver()
    await using otherReceiver = await startReceiver(`whsec_${Buffer.alloc(24, 1).toString('base64')}`)
    const tenants = [
      { ...(await connect(client, receiver, { tenant: 'acme' })), receiver },
      { ...(await connect(client, otherReceiver, { tenant: 'globex' })), receiver: otherReceiver },
    ]
    await Promise.all(tenants.map(provision))
    for (const { directory, events, receiver } of tenants) {
      const { id, tenant, product } = directory
      const read = await replicaRead(client, directory)
      assert.equal(read.users.length, 20)
      const strangers = (read.users as { raw: { title: string } }[]).filter(({ raw }) => raw.title !== tenant)
      assert.deepEqual(strangers, [])
      assert.deepEqual(replicaFrom(await events()), read)
      const addresses = receiver.attempts.map(({ event }) => [event.directory_id, event.tenant, event.product].join())
      assert.deepEqual([...new Set(addresses)], [[id, tenant, product].join()])
      assert.equal(receiver.refusedSignatures(), 0)
    }
  })

  test('SCIM lists and filters only return resources of the directory', async () => {
    const world = shared()
    const twins = await openTwins(world)
    for (const { idp, user, group } of twins) {
      const paths = [
        ['/Users', user],
        ['/Users?filter=userName eq "BJensen"', user],
        ['/Users?filter=userName eq "bjensen" and active eq true', user],
        ['/Groups', group],
        ['/Groups?filter=displayName eq "Engineering"', group],
        [`/Groups?filter=members.value eq "${user}"`, group],
      ] as const
      for (const [path, id] of paths) {
        const { body } = await idp.expect(200, 'GET', path.replaceAll(' ', '%20'))
        assert.deepEqual([body.totalResults, ...body.Resources.map((found) => found.id)], [1, id], path)
      }
    }
  })

  test("a filter for another tenant's id finds nothing", async () => {
    const world = shared()
    const [{ idp }, { user, group }] = await openTwins(world)
    for (const path of [
      `/Users?filter=id%20eq%20"${user}"`,
      `/Groups?filter=id%20eq%20"${group}"`,
      `/Groups?filter=members.value%20eq%20"${user}"`,
    ]) {
      const { body } = await idp.expect(200, 'GET', path)
      assert.equal(body.totalResults, 0, path)
    }
  })

  test("another tenant's SCIM secret is rejected", async () => {
    const world = shared()
    const [{ directory }, other] = await openTwins(world)
    const { path } = directory.scim
    const stranger = idpOf(world.client, { scim: { ...other.directory.scim, path } })
    for (const [method, resource] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['GET', '/Groups'],
      ['DELETE', `/Users/${other.user}`],
      ['GET', '/Schemas'],
    ] as const) {
      await stranger.expect(401, method, resource, method === 'POST' ? { userName: 'intruder' } : undefined)
    }
  })

  test('a member from another tenant is skipped, and the rest of the request is applied', async () => {
    const world = shared()
    const [{ idp, user, group, events }, other] = await openTwins(world)
    const colleague = await idp.createUser('colleague')
    const path = `/Groups/${group}`
    await idp.expect(204, 'PATCH', path, patchBody([addMember(other.user), addMember(colleague)]))
    assert.deepEqual((await idp.membersOf(group)).sort(), [user, colleague].sort())
    const members = memberList([colleague, other.user, other.group])
    await idp.expect(200, 'PUT', path, { displayName: 'Engineering', members })
    assert.deepEqual(await idp.membersOf(group), [colleague])
    assert.deepEqual(await idp.membersOf(await idp.createGroup('New', [other.user, other.group])), [])
    const received = JSON.stringify(await events())
    assert(!received.includes(other.user) && !received.includes(other.group), 'an event mentions another tenant')
    assert.deepEqual(await other.idp.membersOf(other.group), [other.user])
  })

  test("the id of another tenant's user or group is not found, and the resource stays unchanged", async () => {
    const world = shared()
    const [{ idp }, other] = await openTwins(world)
    const before = await replicaRead(world.client, other.directory)
    for (const path of [`/Users/${other.user}`, `/Groups/${other.group}`]) {
      const body = path.startsWith('/Users') ? { userName: 'bjensen' } : { displayName: 'Engineering', members: [] }
      await idp.expect(404, 'GET', path)
      await idp.expect(404, 'PUT', path, body)
      await idp.expect(404, 'PATCH', path, patchBody([replaceAttribute('displayName', 'stolen')]))
      await idp.expect(404, 'DELETE', path)
    }
    await idp.expect(404, 'PATCH', `/Groups/${other.group}`, patchBody([removeMember(other.user)]))
    assert.deepEqual(await replicaRead(world.client, other.directory), before)
    assert.equal((await other.events()).length, 3)
  })

  test('the API finds a user or group only within the scope of its directory, tenant and product', async () => {
    const world = shared()
    const [mine, other] = await openTwins(world)
    const { product } = mine.directory
    const wrongScopes = [
      `directoryId=${other.directory.id}`,
      `tenant=globex&product=${product}`,
      'tenant=acme&product=other',
      `tenant=globex&product=${product}&directoryId=${mine.directory.id}`,
      `tenant=acme&product=${product}&directoryId=${other.directory.id}`,
    ]
    for (const path of [`/users/${mine.user}`, `/groups/${mine.group}`, `/groups/${mine.group}/members`]) {
      const own = await world.client.api(
        'GET',
        `${path}?tenant=acme&product=${product}&directoryId=${mine.directory.id}`,
      )
      assert.equal(own.status, 200, path)
      for (const scope of wrongScopes) {
        const { status } = await world.client.api('GET', `${path}?${scope}`)
        assert.equal(status, 404, `${path}?${scope}`)
      }
    }
  })

  test('a listing of the API only contains resources of its scope', async () => {
    const world = shared()
    const [mine, other] = await openTwins(world)
    for (const { directory, user, group } of [mine, other]) {
      const tenant = `tenant=${directory.tenant}&product=${directory.product}`
      for (const scope of [`directoryId=${directory.id}`, tenant]) {
        const users = await world.client.api('GET', `/users?${scope}`)
        const groups = await world.client.api('GET', `/groups?${scope}&pageLimit=10`)
        const found = [...users.body.data, ...groups.body.data].map(({ id }) => id)
        assert.deepEqual(found, [user, group], scope)
      }
      const directories = await world.client.api('GET', `?${tenant}`)
      assert.deepEqual(
        directories.body.data.map(({ id }) => id),
        [directory.id],
      )
    }
  })

  test('deleting a directory does not affect another one', async () => {
    const world = shared()
    const [mine, other] = await openTwins(world)
    const before = await replicaRead(world.client, other.directory)
    const { status } = await world.client.api('DELETE', `/${mine.directory.id}`)
    assert.equal(status, 200)
    await mine.idp.expect(404, 'GET', `/Users/${mine.user}`)
    assert.deepEqual(await replicaRead(world.client, other.directory), before)
    assert.equal((await other.events()).length, 3)
  })
})
