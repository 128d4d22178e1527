import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import { forSuite, startTestService } from '../../support/service.ts'
import { countByType } from '../support/deliveries.ts'
import type { Idp } from '../support/idp.ts'
import { addMember, idpOf, memberList, names, patchBody, removeMember, replaceAttribute } from '../support/idp.ts'
import { openStoreOf } from '../support/store.ts'
import { openConnections, openWorld } from '../support/world.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** 32 independent attributes of a user. */
const attributes = [
  ...['displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'externalId'],
  ...['givenName', 'familyName', 'middleName', 'formatted', 'honorificPrefix', 'honorificSuffix'].map(inName),
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map(inEnterprise),
  ...['work', 'home', 'mobile', 'fax', 'pager', 'other'].map((type) => `phoneNumbers[type eq "${type}"].value`),
  ...['work', 'home', 'other'].map((type) => `emails[type eq "${type}"].value`),
  ...['streetAddress', 'locality', 'region', 'postalCode'].map((part) => `addresses[type eq "work"].${part}`),
]

/** 16 independent attributes of a group. */
const extras = names('urn:example:params:scim:schemas:extra:2.0:Group:attribute', 16)

function inName(part: string): string {
  return `name.${part}`
}

function inEnterprise(attribute: string): string {
  return `${enterprise}:${attribute}`
}

/** The number of responses with each status. */
function statuses(responses: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** `bjensen` with the letters in upper case whose bit is set in `n`: a different spelling for each number. */
function spelling(n: number): string {
  return [...'bjensen'].map((letter, index) => ((n >> index) & 1 ? letter.toUpperCase() : letter)).join('')
}

/** Calls a function with 0, 1, 2 … concurrently. */
function atOnce<T>(times: number, act: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => act(n)))
}

forEachEngine((engine) => {
  const shared = forSuite(() => openWorld(engine))

  test('32 concurrent creates of the same userName in different cases create one user', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const responses = await atOnce(32, (n) => idp.send('POST', '/Users', { userName: spelling(n) }))
    assert.deepEqual(statuses(responses), { 201: 1, 409: 31 })
    assert.deepEqual(countByType(await events()), { 'user.created': 1 })
  })

  test('when 32 users are renamed to the same userName concurrently, one rename succeeds', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 32))
    const responses = await Promise.all(
      ids.map((id, n) => idp.patch(`/Users/${id}`, replaceAttribute('userName', spelling(n)))),
    )
    assert.deepEqual(statuses(responses), { 200: 1, 409: 31 })
    assert.deepEqual(countByType(await events()), { 'user.created': 32, 'user.updated': 1 })
  })

  test('32 concurrent PATCHes of different attributes of a user are all kept, with one event each', async () => {
    const world = shared()
    const { directory, idp, events } = await world.connect()
    const id = await idp.createUser('bjensen')
    const responses = await Promise.all(
      attributes.map((path, n) => idp.patch(`/Users/${id}`, replaceAttribute(path, `value of number ${n}.`))),
    )
    assert.deepEqual(statuses(responses), { 200: 32 })
    const { body, text } = await idp.expect(200, 'GET', `/Users/${id}`)
    const lost = attributes.filter((_, n) => !text.includes(`value of number ${n}.`))
    assert.deepEqual(lost, [])
    assert.equal(body.meta.version, 'W/"33"')
    const received = await events()
    assert.deepEqual(countByType(received), { 'user.created': 1, 'user.updated': 32 })
    assert.deepEqual(replicaFrom(received).users, (await replicaRead(world.client, directory)).users.slice(0, 1))
  })

  test('16 concurrent PATCHes of different attributes of a group are all kept, with one event each', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const id = await idp.createGroup('Engineering')
    const responses = await Promise.all(
      extras.map((path) => idp.patch(`/Groups/${id}`, replaceAttribute(path, 'kept'))),
    )
    assert.deepEqual(statuses(responses), { 204: 16 })
    const { body, text } = await idp.expect(200, 'GET', `/Groups/${id}`)
    assert.equal(text.match(/"kept"/g)?.length, 16)
    assert.equal(body.meta.version, 'W/"17"')
    assert.deepEqual(countByType(await events()), { 'group.created': 1, 'group.updated': 16 })
  })

  test('64 members added to a group concurrently are all in it, with one event each', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 64))
    const group = await idp.createGroup('Engineering')
    const responses = await Promise.all(ids.map((id) => idp.patch(`/Groups/${group}`, addMember(id))))
    assert.deepEqual(statuses(responses), { 204: 64 })
    assert.deepEqual((await idp.membersOf(group)).sort(), ids.sort())
    const added = (await events()).filter(({ event }) => event === 'group.user_added')
    assert.deepEqual(added.map(({ data }) => data.id).sort(), ids)
  })

  test('adding the same member 32 times concurrently creates one event', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const id = await idp.createUser('bjensen')
    const group = await idp.createGroup('Engineering')
    const responses = await atOnce(32, () => idp.patch(`/Groups/${group}`, addMember(id)))
    assert.deepEqual(statuses(responses), { 204: 32 })
    assert.deepEqual(await idp.membersOf(group), [id])
    assert.deepEqual(countByType(await events()), { 'user.created': 1, 'group.created': 1, 'group.user_added': 1 })
  })

  test('renaming a group while members are added and removed loses no change', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 48))
    const [leaving, coming] = [ids.slice(0, 16), ids.slice(16)]
    const group = await idp.createGroup('Engineering', leaving)
    const path = `/Groups/${group}`
    const responses = await Promise.all([
      ...coming.map((id) => idp.patch(path, addMember(id))),
      ...leaving.map((id) => idp.patch(path, removeMember(id))),
      ...names('by PATCH', 8).map((name) => idp.patch(path, replaceAttribute('displayName', name))),
      ...names('by PUT', 8).map((displayName) => idp.send('PUT', path, { displayName })),
    ])
    assert.deepEqual(statuses(responses), { 200: 8, 204: 56 })
    assert.deepEqual((await idp.membersOf(group)).sort(), coming.sort())
    const received = await events()
    assert.equal(countByType(received)['group.updated'], 16)
    const { body } = await idp.expect(200, 'GET', path)
    const lastRename = received.findLast(({ event }) => event === 'group.updated')
    assert.equal(body.displayName, lastRename?.data.name)
  })

  test('16 concurrent deletes of a user: one succeeds, the others return 404, and there is one event', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const id = await idp.createUser('bjensen')
    const responses = await atOnce(16, () => idp.send('DELETE', `/Users/${id}`))
    assert.deepEqual(statuses(responses), { 204: 1, 404: 15 })
    assert.deepEqual(countByType(await events()), { 'user.created': 1, 'user.deleted': 1 })
  })

  test('users who are deleted while being added to a group do not remain members', async () => {
    const world = shared()
    const { directory, idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 32))
    const group = await idp.createGroup('Engineering')
    await Promise.all(
      ids.flatMap((id) => [
        idp.expect(204, 'PATCH', `/Groups/${group}`, patchBody([addMember(id)])),
        idp.expect(204, 'DELETE', `/Users/${id}`),
      ]),
    )
    assert.deepEqual(await idp.membersOf(group), [])
    const { groups, members } = replicaFrom(await events())
    const read = await replicaRead(world.client, directory)
    assert.deepEqual({ groups, members }, { groups: read.groups, members: read.members })
  })

  test('16 concurrent PUTs of a group leave one of their member lists, and the events lead to the same list', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 20))
    const lists = Array.from({ length: 16 }, (_, n) => ids.filter((_, index) => (index * 7 + n) % 5 < 2 || index === n))
    const group = await idp.createGroup('Engineering', ids.slice(0, 10))
    const responses = await Promise.all(
      lists.map((list) =>
        idp.send('PUT', `/Groups/${group}`, { displayName: 'Engineering', members: memberList(list) }),
      ),
    )
    assert.deepEqual(statuses(responses), { 200: 16 })
    const members = (await idp.membersOf(group)).sort()
    const isOneOfTheLists = lists.some((list) => list.toSorted().join() === members.join())
    assert(isOneOfTheLists, 'the members are none of the lists')
    assert.deepEqual(replicaFrom(await events()).members[group], members)
  })

  for (const [resource, status] of [
    ['Users', 200],
    ['Groups', 204],
  ] as const) {
    test(`of 16 concurrent PATCHes in /${resource} with the same If-Match, one succeeds`, async () => {
      const world = shared()
      const { idp, events } = await world.connect()
      const id = resource === 'Users' ? await idp.createUser('bjensen') : await idp.createGroup('Engineering')
      const responses = await atOnce(16, (n) =>
        idp.send('PATCH', `/${resource}/${id}`, patchBody([replaceAttribute('displayName', `name ${n}`)]), {
          'if-match': 'W/"1"',
        }),
      )
      assert.deepEqual(statuses(responses), { [status]: 1, 412: 15 })
      assert.equal((await events()).length, 2)
    })
  }

  test('of 16 members added concurrently with the same If-Match, one is added', async () => {
    const world = shared()
    const { idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 16))
    const group = await idp.createGroup('Engineering')
    const responses = await Promise.all(
      ids.map((id) => idp.send('PATCH', `/Groups/${group}`, patchBody([addMember(id)]), { 'if-match': 'W/"1"' })),
    )
    assert.deepEqual(statuses(responses), { 204: 1, 412: 15 })
    assert.equal((await idp.membersOf(group)).length, 1)
    assert.equal(countByType(await events())['group.user_added'], 1)
  })

  test('the events of concurrent PATCHes and deletes of users lead to the final state', async () => {
    const world = shared()
    const { directory, idp, events } = await world.connect()
    const ids = await idp.createUsers(names('user', 32))
    await Promise.all(
      ids.flatMap((id) => [
        idp.patch(`/Users/${id}`, replaceAttribute('title', 'Guide')),
        idp.expect(204, 'DELETE', `/Users/${id}`),
      ]),
    )
    assert.deepEqual((await replicaRead(world.client, directory)).users, [])
    assert.deepEqual(replicaFrom(await events()).users, [])
  })

  if (engine === 'postgres') describe('two processes', defineForTwoProcesses)
})

/** Two services on one database, like two processes. */
async function openTwo() {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase('postgres'))
  const one = opening.use(await startTestService(database))
  const two = opening.use(await startTestService(database))
  await Promise.all([one, two].map(openConnections))
  const closing = opening.move()
  return { database, one, two, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** A new directory, with an identity provider of each process. */
async function openPair({ database, one, two }: Awaited<ReturnType<typeof openTwo>>) {
  const directory = await one.createDirectory()
  return {
    idps: [idpOf(one, directory), idpOf(two, directory)] as const,
    /** The stored events. */
    async stored() {
      await using store = await openStoreOf(database)
      return store.eventsAfter(directory.id, 0, 1000)
    },
  }
}

function defineForTwoProcesses(): void {
  const shared = forSuite(openTwo)

  test('32 concurrent creates of the same userName in two processes create one user', async () => {
    const pair = await openPair(shared())
    const responses = await atOnce(32, (n) => idpAt(pair, n).send('POST', '/Users', { userName: spelling(n) }))
    assert.deepEqual(statuses(responses), { 201: 1, 409: 31 })
    assert.equal((await pair.stored()).length, 1)
  })

  test('users created concurrently in two processes all exist, and their events are numbered without gaps', async () => {
    const pair = await openPair(shared())
    const userNames = names('user', 512)
    const responses = await Promise.all(
      userNames.map((userName, n) => idpAt(pair, n).send('POST', '/Users', { userName })),
    )
    assert.deepEqual(statuses(responses), { 201: 512 })
    assert.deepEqual(sequencesOf(await pair.stored()), upTo(512))
  })

  test('concurrent changes of a user and a group in two processes are all kept, and their events are numbered without gaps', async () => {
    const pair = await openPair(shared())
    const [idp] = pair.idps
    const ids = await idp.createUsers(names('user', 32))
    const [first = ''] = ids
    const group = await idp.createGroup('Engineering')
    const patched = attributes.map((path, n) =>
      idpAt(pair, n).patch(`/Users/${first}`, replaceAttribute(path, `value of number ${n}.`)),
    )
    const added = ids.map((id, n) => idpAt(pair, n).patch(`/Groups/${group}`, addMember(id)))
    const extended = extras.map((path, n) => idpAt(pair, n).patch(`/Groups/${group}`, replaceAttribute(path, 'kept')))
    const responses = await Promise.all([...patched, ...added, ...extended])
    assert.deepEqual(statuses(responses), { 200: 32, 204: 48 })
    const { text } = await idp.expect(200, 'GET', `/Users/${first}`)
    assert.deepEqual(
      attributes.filter((_, n) => !text.includes(`value of number ${n}.`)),
      [],
    )
    assert.deepEqual((await idp.membersOf(group)).sort(), ids.sort())
    const shown = await idp.expect(200, 'GET', `/Groups/${group}`)
    assert.equal(shown.text.match(/"kept"/g)?.length, 16)
    assert.deepEqual(sequencesOf(await pair.stored()), upTo(33 + 32 + 32 + 16))
  })

  test('of 16 concurrent deletes of a user in two processes, one succeeds', async () => {
    const pair = await openPair(shared())
    const id = await pair.idps[0].createUser('bjensen')
    const responses = await atOnce(16, (n) => idpAt(pair, n).send('DELETE', `/Users/${id}`))
    assert.deepEqual(statuses(responses), { 204: 1, 404: 15 })
    assert.equal((await pair.stored()).length, 2)
  })
}

const sequencesOf = (events: readonly { readonly sequence: number }[]) => events.map(({ sequence }) => sequence)
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

/** Requests alternate between the two processes. */
function idpAt({ idps }: { readonly idps: readonly [Idp, Idp] }, n: number): Idp {
  return idps[n % 2 === 0 ? 0 : 1]
}
