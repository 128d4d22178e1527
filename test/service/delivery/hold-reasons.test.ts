import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import { openTestDatabase } from '../../support/database.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'

/** Of 40 users, the 9th removal is the first that is held. */
const limit = { percent: 20, minimum: 5, window_seconds: 3600 }
const users = 40
const allowed = 8

const mapping = (group_name: string) => ({
  roles: {
    default: ['member'],
    keep_at_least: { admin: 1, owner: 1 },
    rules: [
      { id: 'admins', role: 'admin', when: { group_name } },
      { id: 'owners', role: 'owner', when: { group_name: 'Owners' } },
    ],
  },
})

type Service = Client & { createDirectory(fields?: object): Promise<DirectoryView> }
type Directory = DirectoryView

async function create(service: Client, directory: Directory, path: string, body: object): Promise<string> {
  const answer = await service.scim(directory, 'POST', path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** A directory of 40 users, whose first is its only administrator and whose second is its only owner, by a group each. */
async function createWorld(service: Service, count = users) {
  const directory = await service.createDirectory({ removal_limit: limit })
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await create(service, directory, '/Users', { userName: `user-${n}` }))
  const [admin = '', owner = '', ...others] = ids
  const groupOf = (displayName: string, value: string) =>
    create(service, directory, '/Groups', { displayName, members: [{ value }] })
  const [admins, owners] = [await groupOf('Admins', admin), await groupOf('Owners', owner)]
  await putMapping(service, directory, 'Admins')
  return { directory, admin, owner, others, admins, owners, sent: (await feed(service, directory)).length }
}

type World = Awaited<ReturnType<typeof createWorld>>

/** Puts a mapping and waits for its run to end. */
async function putMapping(service: Client, { id }: Directory, adminGroup: string): Promise<void> {
  const put = await service.api('PUT', `/${id}/mapping`, { mapping: mapping(adminGroup) })
  assert.equal(put.status, 200, put.text)
  await eventually('the run to end', async () => {
    const { body } = await service.api('GET', `/${id}/mapping`)
    return (body.data as { run?: { completed_at?: unknown } }).run?.completed_at != null
  })
}

async function remove(service: Client, { directory }: World, ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal((await service.scim(directory, 'DELETE', `/Users/${id}`)).status, 204)
}

const loseAdmin = (service: Client, { directory, admins }: World) =>
  service.scim(directory, 'DELETE', `/Groups/${admins}`)
const loseOwner = (service: Client, { directory, owners }: World) =>
  service.scim(directory, 'DELETE', `/Groups/${owners}`)

interface FedEvent {
  readonly event: string
  readonly data: { readonly id: string; readonly roles?: readonly string[] }
}

async function feed(service: Client, { id }: Directory): Promise<readonly FedEvent[]> {
  const { body } = await service.api('GET', `/feed?directoryId=${id}&limit=1000`)
  return body.data as unknown as FedEvent[]
}

/** The deletions, and the users who lost all roles but the default one, that the feed shows. */
async function shown(service: Client, { directory, sent }: World) {
  const events = (await feed(service, directory)).slice(sent)
  const lost = events.filter(({ event, data }) => event === 'user.updated' && String(data.roles) === 'member')
  return {
    deleted: events.filter(({ event }) => event === 'user.deleted').length,
    lost: lost.map(({ data }) => data.id),
  }
}

async function holdOf(service: Client, { directory }: World, query = ''): Promise<HoldView> {
  const { status, body, text } = await service.api('GET', `/${directory.id}/hold${query}`)
  assert.equal(status, 200, text)
  return body.data as unknown as HoldView
}

async function end(service: Client, { directory }: World, how: 'release' | 'discard', body?: object) {
  return service.api('POST', `/${directory.id}/hold/${how}`, body)
}

async function ended(service: Client, world: World, how: 'release' | 'discard', body?: object): Promise<HoldView> {
  const answer = await end(service, world, how, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data as unknown as HoldView
}

const namesOf = ({ reasons }: HoldView) => reasons.map(({ reason }) => reason)

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('the loss of the last administrator and a mass deletion after it are held side by side, over a restart', async () => {
    await using database = await openTestDatabase(engine)
    await using before = await startTestService(database)
    const world = await createWorld(before)
    await loseAdmin(before, world)
    await remove(before, world, world.others.slice(0, 6))
    await before.close()
    await using after = await startTestService(database)
    await remove(after, world, world.others.slice(6, 12))
    const hold = await holdOf(after, world)
    assert.partialDeepStrictEqual(hold, { held: true, reason: 'roles', role: 'admin', role_users: 0, keep_at_least: 1 })
    assert.deepEqual(namesOf(hold), ['roles', 'users'])
    const [roles, removed] = hold.reasons
    assert.partialDeepStrictEqual(roles, { removals: 0, limit: null, first_sequence: hold.first_sequence, users: [] })
    assert.partialDeepStrictEqual(roles?.roles, [{ role: 'admin', users: 0, keep_at_least: 1 }])
    assert.partialDeepStrictEqual(removed, { removals: 12, highest: users, limit })
    assert.equal(removed?.users.length, 12)
    assert.deepEqual(await shown(after, world), { deleted: 0, lost: [] })
    const left = await ended(after, world, 'release', { reasons: ['roles'], version: hold.version })
    assert.deepEqual(
      [left.held, namesOf(left), left.removals, left.first_sequence],
      [...([true, ['users'], 12, removed?.first_sequence] as const)],
    )
    assert.deepEqual(await shown(after, world), { deleted: allowed, lost: [world.admin] })
    assert.equal((await ended(after, world, 'release', { version: left.version ?? '' })).held, false)
    assert.deepEqual(await shown(after, world), { deleted: 12, lost: [world.admin] })
  })

  test('the loss of the last administrator after a mass deletion is not released unseen', async () => {
    await using database = await openTestDatabase(engine)
    await using before = await startTestService(database)
    const world = await createWorld(before)
    await remove(before, world, world.others.slice(0, 12))
    const seen = await holdOf(before, world)
    await before.close()
    await using after = await startTestService(database)
    await loseAdmin(after, world)
    const { version } = seen
    assert.ok(version)
    for (const how of ['release', 'discard'] as const) {
      const refused = await end(after, world, how, { version })
      assertApiError(refused, 409)
      assert.match(refused.body.error.message, /roles/)
    }
    assert.deepEqual(await shown(after, world), { deleted: allowed, lost: [] })
    const hold = await holdOf(after, world)
    assert.deepEqual([namesOf(hold), hold.reason], [['users', 'roles'], 'users'])
    const left = await ended(after, world, 'release', { version, reasons: ['users'] })
    assert.deepEqual(namesOf(left), ['roles'])
    assert.deepEqual(await shown(after, world), { deleted: 12, lost: [] })
    assert.equal((await ended(after, world, 'release', { version: left.version ?? '' })).held, false)
    assert.deepEqual(await shown(after, world), { deleted: 12, lost: [world.admin] })
  })

  test('a second role that too few users have is a version of its own', async () => {
    const world = await createWorld(service())
    await loseAdmin(service(), world)
    const { version } = await holdOf(service(), world)
    await loseOwner(service(), world)
    assertApiError(await end(service(), world, 'release', { version, reasons: ['roles'] }), 409)
    const hold = await holdOf(service(), world)
    assert.deepEqual(
      hold.reasons.map(({ reason, roles }) => [reason, roles.map(({ role }) => role)]),
      [['roles', ['admin', 'owner']]],
    )
    assert.equal((await ended(service(), world, 'release', { version: hold.version })).held, false)
    assert.deepEqual((await shown(service(), world)).lost, [world.admin, world.owner])
  })

  test('a release without a body ends every reason that there is', async () => {
    const world = await createWorld(service())
    await loseAdmin(service(), world)
    await remove(service(), world, world.others.slice(0, 12))
    assert.deepEqual(namesOf(await ended(service(), world, 'release')), [])
    assert.deepEqual(await shown(service(), world), { deleted: 12, lost: [world.admin] })
  })

  test('a discard of one reason releases nothing that another one holds', async () => {
    const world = await createWorld(service())
    await loseAdmin(service(), world)
    await remove(service(), world, world.others.slice(0, 12))
    const before = await holdOf(service(), world)
    const hold = await ended(service(), world, 'discard', { reasons: ['roles'] })
    assert.deepEqual([namesOf(hold), hold.first_sequence], [['users'], before.first_sequence], 'the resync is held')
    assert.deepEqual(await shown(service(), world), { deleted: 0, lost: [] })
    assert.equal((await ended(service(), world, 'release', { reasons: ['users'] })).held, false)
    await eventually('the resync', async () =>
      (await feed(service(), world.directory)).some(({ event }) => event === 'sync.completed'),
    )
    const snapshots = (await feed(service(), world.directory)).filter(({ event }) => event === 'user.snapshot')
    assert.equal(snapshots.length, users - 12)
  })

  test('unknown reasons and versions are refused, and those that are not held have no effect', async () => {
    const world = await createWorld(service(), 3)
    for (const body of [{ reasons: ['other'] }, { reasons: [] }, { version: 'x' }, { version: 3 }, { all: true }])
      assertApiError(await end(service(), world, 'release', body), 400)
    await loseAdmin(service(), world)
    assert.equal((await ended(service(), world, 'release', { reasons: ['users', 'sync'] })).held, true)
    assertApiError(await service().api('GET', `/${world.directory.id}/hold?reason=other`), 400)
    assert.equal((await holdOf(service(), world, '?reason=users')).reason, 'roles', 'it is not held for that reason')
  })

  test('a mass deletion during a mapping run stays held when the run ends', async () => {
    await using database = await openTestDatabase(engine)
    await using before = await startTestService(database)
    const world = await createWorld(before, 160)
    const { directory } = world
    await create(before, directory, '/Groups', { displayName: 'Bosses', members: [{ value: world.others.at(-1) }] })
    const put = before.api('PUT', `/${directory.id}/mapping`, { mapping: mapping('Bosses') })
    const removing = remove(before, world, world.others.slice(0, 140))
    await put
    await removing
    await before.close()
    await using after = await startTestService(database)
    await eventually('the run to end', async () => {
      const { body } = await after.api('GET', `/${directory.id}/mapping`)
      return (body.data as { run?: { completed_at?: unknown } }).run?.completed_at != null
    })
    const hold = await holdOf(after, world)
    assert.deepEqual(namesOf(hold), ['users'])
    assert.equal(hold.removals, 140)
    assert.equal((await shown(after, world)).deleted, 32)
  })

  test('a mass deletion during a resync is held, and so is the rest of the resync', async () => {
    await using database = await openTestDatabase(engine)
    await using before = await startTestService(database)
    const world = await createWorld(before)
    const begun = before.api('POST', `/${world.directory.id}/resync`)
    await remove(before, world, world.others.slice(0, 12))
    assert.ok((await begun).status < 300)
    await before.close()
    await using after = await startTestService(database)
    const hold = await holdOf(after, world)
    assert.deepEqual([namesOf(hold), hold.removals], [['users'], 12])
    assert.equal((await shown(after, world)).deleted, allowed)
    await remove(after, world, world.others.slice(12, 15))
    assert.equal((await holdOf(after, world)).removals, 15)
  })

  test('the operator is notified of each reason, and health and explain name all', async () => {
    await using operator = await startReceiver()
    await using watched = await startTestService(engine, {
      OPERATOR_WEBHOOK_URL: operator.endpoint.webhook_url,
      OPERATOR_WEBHOOK_SECRET: testSecret,
    })
    const world = await createWorld(watched)
    await loseAdmin(watched, world)
    await operator.until(() => operator.attempts.length === 1, 'the notice of the role')
    await remove(watched, world, world.others.slice(0, 12))
    await operator.until(() => operator.attempts.length === 2, 'the notice of the removals')
    const notices = operator.attempts.map(({ body }) => (JSON.parse(body) as { data: { reason: string } }).data.reason)
    assert.deepEqual(notices, ['roles', 'users'])
    const { body } = await watched.api('GET', `/${world.directory.id}/health`)
    const { reasons, hold } = body.data as unknown as { reasons: { code: string; message: string }[]; hold: HoldView }
    const held = reasons.filter(({ code }) => code === 'held')
    assert.equal(held.length, 1)
    assert.match(held[0]?.message ?? '', /0 users with the role admin.* and .*12 users were removed/)
    assert.deepEqual(namesOf(hold), ['roles', 'users'])
    const explain = async (subject: string) => {
      const answer = await watched.api('GET', `/explain?directoryId=${world.directory.id}&subject=${subject}`)
      return (answer.body.data as unknown as { sentence: string }).sentence
    }
    assert.match(await explain('user-13'), /role admin.* and .*removed too many users/)
    assert.doesNotMatch(await explain('user-0'), /too many users/)
  })
})
