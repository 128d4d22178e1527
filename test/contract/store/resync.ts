import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resync } from '../../../src/delivery/resync/resync.ts'
import type { ResyncStepLimits } from '../../../src/delivery/resync/resync-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import { fromJsonText, toJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addGroup, addUsers, committed, delta, eventsOf, someUser, typesOf, writesTo } from './samples.ts'

const now = 1_700_000_100_000
const two: ResyncStepLimits = { rows: 2, bytes: 1_000_000 }

function asked({ id: directoryId }: Directory, syncId = 'sync-1') {
  return { directoryId, syncId, requestId: 'request-9', traceContext: undefined, startedAt: now }
}

async function begin(store: Store, directory: Directory, syncId?: string): Promise<Resync> {
  return committed(await store.beginResync(asked(directory, syncId)))
}

async function step(store: Store, resync: Resync, limits = two): Promise<Resync> {
  return committed(await store.stepResync(resync, limits, now + 1))
}

async function complete(store: Store, resync: Resync): Promise<Resync> {
  let present = resync
  while (present.completedAt === undefined) present = await step(store, present)
  return present
}

/** The types and data of the events after a sequence number. */
async function eventsSentAfter(store: Store, directory: Directory, sequence: number) {
  const events = (await eventsOf(store, directory)).slice(sequence)
  return events.map(({ eventType, data }) => ({ eventType, data: fromJsonText(data) }))
}

export function resyncContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a resync sends everything in a directory between sync.started and sync.completed`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const other = await addDirectory(store)
    await addUsers(store, other, ['eve'])
    const users = await addUsers(store, directory, ['ann', 'bob', 'cleo'])
    const { group: sales } = await addGroup(store, directory, 'Sales', users.slice(0, 2))
    const { group: all } = await addGroup(store, directory, 'All', [...users, sales])
    const before = (await eventsOf(store, directory)).length
    const resync = await complete(store, await begin(store, directory))
    assert.deepEqual(resync.sent, { users: 3, groups: 2, members: 5 })
    assert.equal(resync.startedSequence, before + 1)
    const sent = await eventsSentAfter(store, directory, before)
    const snapshots = (type: string) => sent.filter(({ eventType }) => eventType === type).map(({ data }) => data)
    const syncId = { sync_id: 'sync-1' }
    assert.deepEqual(sent[0], { eventType: 'sync.started', data: { ...syncId, users: 3, groups: 2, members: 6 } })
    const end = { eventType: 'sync.completed', data: { ...syncId, users: 3, groups: 2, members: 5 } }
    assert.deepEqual(sent.at(-1), end)
    assert.deepEqual(
      snapshots('user.snapshot'),
      users.map((user) => ({
        ...{ id: user.id, account_id: null, first_name: '', last_name: '', email: user.email, active: true },
        ...{ raw: fromJsonText(user.raw), ...syncId },
      })),
    )
    const groups = [sales, all].map(({ id, name, raw }) => ({ id, name, raw: fromJsonText(raw) }))
    assert.deepEqual(
      snapshots('group.snapshot'),
      groups.map((group) => ({ ...group, ...syncId })),
    )
    const memberships = new Set(users.flatMap(({ id }) => [`${all.id} ${id}`]))
    for (const { id } of users.slice(0, 2)) memberships.add(`${sales.id} ${id}`)
    const members = snapshots('member.snapshot') as { id: string; group: { id: string }; sync_id: string }[]
    assert.deepEqual(new Set(members.map(({ id, group }) => `${group.id} ${id}`)), memberships)
    assert.equal(members.length, 5)
    assert.deepEqual(
      members.find(({ group }) => group.id === sales.id)?.group,
      groups[0],
      'a member is sent with its group',
    )
    assert.equal(sent.length, 1 + 3 + 2 + 5 + 1)
  })

  test(`${engine}: the events of a resync have the id of the request that started it`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['ann'])
    await complete(store, await begin(store, directory))
    const events = (await eventsOf(store, directory)).slice(1)
    assert.deepEqual(new Set(events.map(({ requestId }) => requestId)), new Set(['request-9']))
    assert.deepEqual(
      events.map(({ createdAt }) => createdAt),
      [now, now + 1, now + 1],
    )
  })

  test(`${engine}: a resync does not send resources that were created after it began`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert(ann && bob)
    const { group } = await addGroup(store, directory, 'Sales', [ann])
    const resync = await begin(store, directory)
    const [late] = await addUsers(store, directory, ['late'])
    assert(late)
    await addGroup(store, directory, 'Late', [ann])
    committed(await writesTo(store, directory).changeMembers(group, delta([bob, late])))
    committed(await writesTo(store, directory).deleteUser(bob))
    const { sent: told } = await complete(store, resync)
    assert.deepEqual(told, { users: 1, groups: 1, members: 1 })
  })

  test(`${engine}: a step is limited by rows and by bytes, but sends at least one row`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser } = writesTo(store, directory)
    for (const userName of ['a', 'b', 'c', 'd', 'e']) {
      const user = someUser({ userName })
      const raw = toJsonText({ id: user.id, userName, note: 'x'.repeat(10_000) })
      committed(await createUser({ ...user, raw }))
    }
    const first = await step(store, await begin(store, directory))
    assert.equal(first.sent.users, 2)
    const second = await step(store, first, { rows: 100, bytes: 1 })
    assert.equal(second.sent.users, 3)
    const third = await step(store, second, { rows: 100, bytes: 10_500 })
    assert.equal(third.sent.users, 5)
  })

  test(`${engine}: the same step taken twice is done once`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['ann', 'bob'])
    const resync = await begin(store, directory)
    const outcomes = await Promise.all([1, 2, 3].map(() => store.stepResync(resync, two, now)))
    assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 2)
    assert.deepEqual(typesOf((await eventsOf(store, directory)).slice(2)), [
      'sync.started',
      'user.snapshot',
      'user.snapshot',
    ])
  })

  test(`${engine}: a running resync is returned to further requests; after its end a new one begins`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    assert.equal(await store.getResync(directory.id), undefined)
    const begun = await Promise.all(['a', 'b', 'c'].map((syncId) => begin(store, directory, syncId)))
    assert.equal(new Set(begun.map(({ syncId }) => syncId)).size, 1)
    const [first] = begun
    assert(first)
    assert.deepEqual(await store.getResync(directory.id), first)
    const completed = await complete(store, first)
    assert.equal(completed.completedAt, now + 1)
    assert.deepEqual(await store.getResync(directory.id), completed)
    assert.equal(await store.stepResync(completed, two, now), 'conflict')
    const next = await begin(store, directory, 'next')
    assert.equal(next.syncId, 'next')
    assert.equal(await store.stepResync(first, two, now), 'conflict', 'a step of an earlier resync')
    assert.deepEqual(typesOf(await eventsOf(store, directory)), ['sync.started', 'sync.completed', 'sync.started'])
  })

  test(`${engine}: a resync continues when its directory changes, and is removed with it`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const resync = await begin(store, directory)
    assert.equal(await store.replaceDirectory({ ...directory, revision: 2, deactivated: true }), 'replaced')
    const stepped = await step(store, resync)
    await store.deleteDirectory(directory.id, 0)
    assert.equal(await store.stepResync(stepped, two, now), 'conflict')
    assert.equal(await store.getResync(directory.id), undefined)
    assert.equal(await store.beginResync(asked(directory)), 'directory-not-found')
    assert.equal(await store.beginResync({ ...asked(directory), directoryId: 'unknown' }), 'directory-not-found')
  })

  test(`${engine}: running resyncs are found and continued after the database was reopened`, async () => {
    await using database = await createDatabase()
    const first = await database.open()
    const directories = [await addDirectory(first), await addDirectory(first), await addDirectory(first)]
    const [one, other, done] = directories
    assert(one && other && done)
    await addUsers(first, one, ['ann', 'bob', 'cleo'])
    const stopped = await step(first, await begin(first, one))
    await begin(first, other)
    await complete(first, await begin(first, done))
    await first.close()

    const second = await database.open()
    assert.deepEqual(await runningIn(second, '', 9), [one.id, other.id])
    assert.deepEqual(await runningIn(second, '', 1), [one.id])
    assert.deepEqual(await runningIn(second, one.id, 9), [other.id])
    const found = await second.getResync(one.id)
    assert.deepEqual(found, stopped)
    await complete(second, stopped)
    assert.deepEqual(typesOf((await eventsOf(second, one)).slice(3)), [
      'sync.started',
      'user.snapshot',
      'user.snapshot',
      'user.snapshot',
      'sync.completed',
    ])
    await second.deleteDirectory(other.id, 0)
    assert.deepEqual(await runningIn(second, '', 9), [])
    await second.close()
  })
}

async function runningIn(store: Store, after: string, limit: number): Promise<string[]> {
  return (await store.listRunningResyncs(after, limit)).directories.map(({ id }) => id)
}
