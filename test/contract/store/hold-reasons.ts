import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptedReasons, Hold } from '../../../src/delivery/hold/hold-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { current, finishRun, mappedDirectory, putMapping, stepRun, writesNow } from './mapping-world.ts'
import { addGroup, addUsers, cause, committed, eventsOf, replacedBy } from './samples.ts'

/** Of 40, the 9th removal is the first that is held. */
const limit: RemovalLimit = { percent: 20, minimum: 5, windowSeconds: 3600 }

const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`)

const keeps = (group_name: string): MappingDocument => ({
  roles: {
    default: ['member'],
    keep_at_least: { admin: 1, owner: 1 },
    rules: [
      { id: 'r1', role: 'admin', when: { group_name } },
      { id: 'r2', role: 'owner', when: { group_name: 'Owners' } },
    ],
  },
})

/** 40 users: the first is the only administrator, the second the only owner, and all are in the group `everybody`. */
async function populated(store: Store, removalLimit: RemovalLimit | null = limit) {
  const directory = await mappedDirectory(store, keeps('Admins'), { removalLimit })
  const users = await addUsers(store, directory, names(40))
  const { group: admins } = await addGroup(store, directory, 'Admins', users.slice(0, 1))
  const { group: owners } = await addGroup(store, directory, 'Owners', users.slice(1, 2))
  const { group: everybody } = await addGroup(store, directory, 'Everybody', users)
  return { directory, users, admins, owners, everybody }
}

type World = Awaited<ReturnType<typeof populated>>

async function loseAdmin(store: Store, { directory, admins }: World) {
  committed(await (await writesNow(store, directory)).deleteGroup(admins))
}

async function removeUsers(store: Store, { directory }: World, users: readonly IndexedUser[]) {
  const { deleteUser } = await writesNow(store, directory)
  for (const outcome of await Promise.all(users.map((user) => deleteUser(user)))) committed(outcome)
}

const shownOf = (holds: readonly Hold[]) => holds.map(({ reason, role, removals }) => [role?.role ?? reason, removals])

/** The first events of the holds, and the number of events that may be sent. */
async function positions(store: Store, directory: Directory) {
  const holds = await store.getHolds(directory.id)
  const sendable = (await eventsOf(store, directory)).length
  assert.equal(sendable, holds.length === 0 ? sendable : (holds[0]?.firstSequence ?? 0) - 1)
  return holds.map(({ firstSequence }) => firstSequence)
}

const accept = (holds: readonly Hold[], ...reasons: readonly Hold['reason'][]): AcceptedReasons =>
  new Map(holds.flatMap(({ reason, version }) => (reasons.includes(reason) ? [[reason, version] as const] : [])))

export function holdReasonContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: each reason has its own first event and counts, and a release leaves the others`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users, everybody } = world
    await loseAdmin(store, world)
    const [lost = 0] = await positions(store, directory)
    await removeUsers(store, world, users.slice(2, 14))
    committed(await (await writesNow(store, directory)).changeMembers(everybody, replacedBy(users.slice(20))))
    const holds = await store.getHolds(directory.id)
    assert.deepEqual(shownOf(holds), [
      ['admin', 0],
      ['users', 12],
      ['memberships', 9],
    ])
    const [, ninth = 0] = await positions(store, directory)
    assert.equal(await store.releaseHold(directory.id, accept(holds, 'roles')), true)
    assert.deepEqual(shownOf(await store.getHolds(directory.id)).slice(0, 1), [['users', 12]])
    const [first] = await positions(store, directory)
    assert.equal(first, ninth)
    assert.ok(first > lost)
    await removeUsers(store, world, users.slice(14, 16))
    assert.deepEqual(shownOf(await store.getHolds(directory.id))[0], ['users', 14])
    assert.equal(await store.releaseHold(directory.id, accept(holds, 'roles')), false, 'it has ended')
    assert.equal(await store.releaseHold(directory.id, accept(holds, 'users', 'memberships')), true)
    assert.deepEqual(await store.getHolds(directory.id), [])
    await removeUsers(store, world, users.slice(16, 20))
    assert.deepEqual(await store.getHolds(directory.id), [], 'the count has started again')
  })

  test(`${engine}: a release does not end a hold that began after the accepted version`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, owners } = world
    await loseAdmin(store, world)
    const before = await store.getHolds(directory.id)
    committed(await (await writesNow(store, directory)).deleteGroup(owners))
    assert.equal(await store.releaseHold(directory.id, accept(before, 'roles')), true)
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['owner', 0]])
    await positions(store, directory)
  })

  test(`${engine}: one change that leaves too few users with two roles holds for both`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users, admins } = world
    committed(await (await writesNow(store, directory)).changeMembers(admins, replacedBy(users.slice(1, 2))))
    assert.equal(await store.releaseHold(directory.id), false, 'the role only moves')
    await removeUsers(store, world, users.slice(1, 2))
    assert.deepEqual(shownOf(await store.getHolds(directory.id)).sort(), [
      ['admin', 0],
      ['owner', 0],
    ])
  })

  test(`${engine}: removals in the middle of a mapping run are held, and only what the run began ends with it`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users } = world
    await addGroup(store, await current(store, directory), 'Bosses', users.slice(-1))
    await putMapping(store, { directoryId: directory.id }, keeps('Bosses'))
    await stepRun(store, directory, 2)
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['admin', 0]])
    await removeUsers(store, world, users.slice(2, 32))
    await finishRun(store, directory, 5)
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['users', 30]])
    const deleted = (await eventsOf(store, directory)).filter(({ eventType }) => eventType === 'user.deleted')
    assert.equal(deleted.length, 8)
    await removeUsers(store, world, users.slice(32, 34))
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['users', 32]])
  })

  test(`${engine}: a role that was lost for good during a run stays held when the run ends`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users, owners } = world
    await addGroup(store, await current(store, directory), 'Bosses', users.slice(-1))
    await putMapping(store, { directoryId: directory.id }, keeps('Bosses'))
    await stepRun(store, directory, 2)
    committed(await (await writesNow(store, directory)).deleteGroup(owners))
    await finishRun(store, directory, 5)
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['owner', 0]])
    await positions(store, directory)
  })

  test(`${engine}: a discard of one reason leaves the others, which then hold the resync`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users } = world
    await loseAdmin(store, world)
    const [lost = 0] = await positions(store, directory)
    await removeUsers(store, world, users.slice(2, 14))
    const holds = await store.getHolds(directory.id)
    const request = { directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: cause.at }
    assert.equal((await store.discardHold(request, accept(holds, 'roles')))?.syncId, 's')
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['users', 12]])
    assert.deepEqual(await positions(store, directory), [lost])
    await removeUsers(store, world, users.slice(14, 15))
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['users', 13]])
    assert.equal(await store.discardHold(request, accept(holds, 'roles')), undefined)
    assert.equal(await store.releaseHold(directory.id, accept(holds, 'users')), true)
    const [started] = await store.eventsAfter(directory.id, lost - 1, 1)
    assert.deepEqual([started?.eventType, started?.sequence], ['sync.started', lost])
  })

  test(`${engine}: a discard of the later reason leaves the events that the earlier one holds`, async () => {
    const store = await openStore()
    const world = await populated(store)
    const { directory, users } = world
    await loseAdmin(store, world)
    await removeUsers(store, world, users.slice(2, 14))
    const holds = await store.getHolds(directory.id)
    const [lost = 0, ninth = 0] = await positions(store, directory)
    const request = { directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: cause.at }
    assert.ok(await store.discardHold(request, accept(holds, 'users')))
    assert.deepEqual(await positions(store, directory), [lost])
    assert.equal(await store.releaseHold(directory.id), true)
    const sent = await store.eventsAfter(directory.id, lost - 1, 1_000)
    assert.equal(sent.findIndex(({ eventType }) => eventType === 'sync.started') + lost, ninth)
    assert.equal(sent.filter(({ eventType }) => eventType === 'user.deleted').length, 8)
  })

  test(`${engine}: a directory without a limit that is held for a role counts no removals`, async () => {
    const store = await openStore()
    const world = await populated(store, null)
    const { directory, users, everybody } = world
    await loseAdmin(store, world)
    await removeUsers(store, world, users.slice(2, 30))
    committed(await (await writesNow(store, directory)).changeMembers(everybody, replacedBy([])))
    assert.deepEqual(shownOf(await store.getHolds(directory.id)), [['admin', 0]])
    assert.deepEqual((await store.removalCounts(directory.id, limit, cause.at))?.removals, 0)
  })

  test(`${engine}: each hold is taken once, to be reported, and metrics count the directory once`, async () => {
    const store = await openStore()
    await store.takeNewHolds(1_000)
    const { directories, removals } = await store.countHolds()
    const world = await populated(store)
    const { id } = world.directory
    const taken = async () => shownOf((await store.takeNewHolds(1_000)).filter(({ directoryId }) => directoryId === id))
    await loseAdmin(store, world)
    assert.deepEqual(await taken(), [['admin', 0]])
    await removeUsers(store, world, world.users.slice(2, 14))
    assert.deepEqual(await taken(), [['users', 12]])
    assert.deepEqual(await store.countHolds(), { directories: directories + 1, removals: removals + 4 })
    const health = (await store.storedHealth([id], 0)).get(id)
    assert.deepEqual(
      health?.holds.map(({ reason }) => reason),
      ['roles', 'users'],
    )
  })
}
