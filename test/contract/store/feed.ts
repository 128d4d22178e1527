import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PruneDue } from '../../../src/delivery/event-store.ts'
import type { RecordedAttempt } from '../../../src/delivery/log/attempt-store.ts'
import type { Directory, DirectoryScope } from '../../../src/directory/directory.ts'
import type { EventType } from '../../../src/directory/event.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, addGroup, addUsers, cause, committed, someUser, userEvent, writesTo } from './samples.ts'

export function feedContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a feed has the directories of its scope, in creation order, with their last sequence`, async () => {
    const store = await openStore()
    const scope = { tenant: 'feed-acme', product: 'crm' }
    const second = await addDirectory(store, { ...scope, createdAt: 2, deactivated: true })
    const first = await addDirectory(store, { ...scope, createdAt: 1 })
    const gone = await addDirectory(store, { ...scope, createdAt: 3 })
    await addDirectory(store, { ...scope, product: 'erp' })
    await addUsers(store, first, ['a', 'b'])
    await store.deleteDirectory(gone.id, 0)
    const feedOf = async (of: DirectoryScope, limit = 9) =>
      (await store.feedDirectories(of, limit)).map(({ id, lastSequence }) => [id, lastSequence])
    const [one, two] = [
      [first.id, 2],
      [second.id, 0],
    ]
    assert.deepEqual(await feedOf(scope), [one, two])
    assert.deepEqual(await feedOf(scope, 1), [one])
    assert.deepEqual(await feedOf({ directoryId: second.id }), [two])
    assert.deepEqual(await feedOf({ directoryId: first.id, ...scope }), [one])
    assert.deepEqual(await feedOf({ directoryId: first.id, product: 'erp' }), [])
    assert.deepEqual(await feedOf({ directoryId: first.id, tenant: 'globex' }), [])
    assert.deepEqual(await feedOf({ directoryId: gone.id }), [])
    const [found] = await store.feedDirectories({ directoryId: first.id }, 1)
    const reader = { readAt: undefined, firstDeprovisioning: undefined }
    const lastEventId = (await store.eventsAfter(first.id, 1, 1))[0]?.id
    assert.deepEqual({ ...found }, { id: first.id, ...scope, lastSequence: 2, lastEventId, isDeleted: false, reader })
  })

  test(`${engine}: the id of the event at a sequence is found as long as the event is stored`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    await addUsers(store, directory, ['a', 'b', 'c'])
    await addUsers(store, other, ['a'])
    await store.requestReplay(directory.id, 'endpoint', 2, 5)
    const [, second, third] = await store.eventsAfter(directory.id, 0, 3)
    const ids = (sequences: readonly number[]) => Promise.all(sequences.map((n) => store.eventIdAt(directory.id, n)))
    assert.deepEqual(await ids([2, 3, 4]), [second?.id, third?.id, undefined])
    const lastId = async () => (await store.feedDirectories({ directoryId: directory.id }, 1))[0]?.lastEventId
    assert.equal(await lastId(), third?.id)
    await store.removeEvents(directory.id, { before: cause.at + 1, after: 0, hasOnEvent: false, abandonedBefore: 0 })
    assert.deepEqual(await ids([0, 1, 2, 3]), [undefined, undefined, second?.id, undefined])
    assert.equal(await lastId(), undefined)
    assert.notEqual(await store.eventIdAt(other.id, 1), undefined)
    assert.equal(await store.eventIdAt('nobody', 1), undefined)
  })

  test(`${engine}: the feed finds where a running resync starts`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b'])
    assert.equal(await store.runningResyncStart(directory.id), undefined)
    const request = { directoryId: directory.id, syncId: 'sync-1', requestId: 'request-9', startedAt: cause.at }
    let resync = committed(await store.beginResync(request))
    await addUsers(store, directory, ['c'])
    assert.equal(await store.runningResyncStart(directory.id), 3)
    while (resync.completedAt === undefined) {
      resync = committed(await store.stepResync(resync, { rows: 9, bytes: 1_000_000 }, cause.at))
    }
    assert.equal(await store.runningResyncStart(directory.id), undefined)
  })

  test(`${engine}: feed events are read in order, limited by number and size, at least one at a time`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const changes = toJsonText({ note: { from: null, to: 'x'.repeat(600) } })
    for (let n = 1; n <= 6; n += 1) {
      const user = someUser({ userName: `user-${n}` })
      const event = { ...userEvent('user.created', user), changes }
      committed(await store.createUser(directory, user, event, cause))
    }
    await addUsers(store, await addDirectory(store), ['another directory'])
    const sequences = async (after: number, limit: number, maxBytes: number) =>
      (await store.feedEvents(directory.id, after, limit, maxBytes)).map(({ sequence }) => sequence)
    assert.deepEqual(await sequences(0, 2, 1_000_000), [1, 2])
    assert.deepEqual(await sequences(2, 100, 1_000_000), [3, 4, 5, 6])
    assert.deepEqual(await sequences(2, 100, 1), [3])
    assert.deepEqual((await sequences(0, 100, 1_200)).length, 2, 'changes count as well')
    assert.deepEqual(await sequences(6, 100, 1), [])
    assert.deepEqual(await store.feedEvents(directory.id, 0, 1, 9), await store.eventsAfter(directory.id, 0, 1))
  })

  test(`${engine}: events are read backwards from a sequence, limited by number and size`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b', 'c', 'd'])
    await addUsers(store, await addDirectory(store), ['another directory'])
    const sequences = async (before: number, limit: number) =>
      (await store.eventsBefore(directory.id, before, limit)).map(({ sequence }) => sequence)
    assert.deepEqual(await sequences(5, 9), [4, 3, 2, 1])
    assert.deepEqual(await sequences(Number.MAX_SAFE_INTEGER, 2), [4, 3])
    assert.deepEqual(await sequences(3, 2), [2, 1])
    assert.deepEqual(await sequences(1, 9), [])
    assert.deepEqual(
      await store.eventsBefore(directory.id, 4, 3),
      (await store.eventsAfter(directory.id, 0, 3)).toReversed(),
    )
    assert.deepEqual(await store.eventsBefore('nobody', 9, 9), [])
    await addGroup(store, directory, 'Everyone')
    const ofType = async (type: EventType, before = 9) =>
      (await store.eventsBefore(directory.id, before, 2, type)).map(({ sequence }) => sequence)
    assert.deepEqual(await Promise.all([ofType('user.created'), ofType('user.created', 3)]), [
      [4, 3],
      [2, 1],
    ])
    assert.deepEqual(await Promise.all([ofType('group.created'), ofType('user.deleted')]), [[5], []])
    const changes = toJsonText({ note: { from: null, to: 'x'.repeat(600_000) } })
    for (const userName of ['large-1', 'large-2', 'large-3']) {
      const user = someUser({ userName })
      committed(await store.createUser(directory, user, { ...userEvent('user.created', user), changes }, cause))
    }
    assert.deepEqual(await sequences(9, 9), [8, 7])
  })
}

const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }

export function retentionContract(engine: string, { openStore }: StoreUnderTest): void {
  type Store = Awaited<ReturnType<typeof openStore>>

  /** Adds a directory with one event per given time. */
  async function withEvents(store: Store, fields: Partial<Directory>, times: readonly number[]): Promise<Directory> {
    const directory = await addDirectory(store, fields)
    const write = (at: number) => {
      const user = someUser({ userName: `user-${Math.random()}` })
      return store.createUser(directory, user, userEvent('user.created', user), { ...cause, at })
    }
    for (const at of times) committed(await write(at))
    return directory
  }
  async function keptOf(store: Store, { id }: Directory): Promise<number[]> {
    return (await store.eventsAfter(id, 0, 1000)).map(({ sequence }) => sequence)
  }
  /** Records that the target has received the events up to a sequence number, some of which are dead. */
  async function take(store: Store, { id }: Directory, target: 'endpoint' | 'on-event', sequence: number, dead = [0]) {
    const leased = await store.leaseStream(id, target, 'me', 60_000)
    assert(typeof leased === 'object')
    const { lease, state } = leased
    const died = dead.filter((one) => one > 0).map((one) => ({ sequence: one, diedAt: 1, reason: 'refused' }))
    await store.recordStream(lease, { ...state, deliveredSequence: sequence }, { dead: died })
    await store.releaseLease(lease)
  }
  const all = { before: 1_000, after: 0, hasOnEvent: false, abandonedBefore: 0 }

  test(`${engine}: old events of a directory without targets are removed`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, {}, [10, 20, 30, 40])
    assert.equal(await store.removeEvents(directory.id, { ...all, before: 30 }), undefined)
    assert.deepEqual(await keptOf(store, directory), [3, 4])
    await store.removeEvents(directory.id, all)
    assert.deepEqual(await keptOf(store, directory), [])
    await addUsers(store, directory, ['next'])
    assert.deepEqual(await keptOf(store, directory), [5])
  })

  test(`${engine}: attempts are removed with the events that they delivered, when they are as old`, async () => {
    const store = await openStore()
    const [directory, other] = [await withEvents(store, {}, [10, 20, 60]), await withEvents(store, {}, [10])]
    const attempt = (sequence: number, at: number, number = 1): RecordedAttempt => ({
      ...{ firstSequence: sequence, lastSequence: sequence, target: 'endpoint', attempt: number, at },
      ...{ status: 200, error: null, durationMs: 7 },
    })
    const [recent, last] = [attempt(2, 70, 2), attempt(3, 71)]
    await store.addAttempts(directory.id, [attempt(1, 11), attempt(2, 21), recent, last])
    await store.addAttempts(other.id, [attempt(1, 11)])
    await store.removeEvents(directory.id, { ...all, before: 50 })
    assert.deepEqual(await store.attemptsOf(directory.id, { from: 1, to: 3 }, 9), [recent, last])
    assert.equal((await store.attemptsOf(other.id, { from: 1, to: 1 }, 9)).length, 1)
  })

  test(`${engine}: events that were not delivered to the endpoint are kept`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, { endpoint }, [10, 20, 30, 40])
    await store.removeEvents(directory.id, all)
    assert.deepEqual(await keptOf(store, directory), [1, 2, 3, 4])
    await take(store, directory, 'endpoint', 3)
    await store.removeEvents(directory.id, all)
    assert.deepEqual(await keptOf(store, directory), [4])
  })

  test(`${engine}: events that were not delivered to onEvent are kept, even before its first delivery`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, {}, [10, 20, 30])
    await store.removeEvents(directory.id, { ...all, hasOnEvent: true })
    assert.deepEqual(await keptOf(store, directory), [1, 2, 3])
    await take(store, directory, 'on-event', 1)
    await store.removeEvents(directory.id, { ...all, hasOnEvent: true })
    assert.deepEqual(await keptOf(store, directory), [2, 3])
  })

  test(`${engine}: a stream that is left over from an onEvent does not keep events forever`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, { endpoint }, [10, 20, 30, 40])
    await take(store, directory, 'on-event', 1)
    await take(store, directory, 'endpoint', 3)
    await store.removeEvents(directory.id, { ...all, hasOnEvent: true, abandonedBefore: 1_000 })
    assert.deepEqual(await keptOf(store, directory), [2, 3, 4])
    await store.removeEvents(directory.id, { ...all, abandonedBefore: 1_000 })
    assert.deepEqual(await keptOf(store, directory), [4], 'the endpoint has not received the last one')
  })

  test(`${engine}: after a late delivery, events are kept as if they had been committed then`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, { endpoint }, [10, 20, 30, 40])
    const leased = await store.leaseStream(directory.id, 'endpoint', 'me', 60_000)
    assert(typeof leased === 'object')
    await store.recordStream(leased.lease, { ...leased.state, deliveredSequence: 4, deliveredLateAt: 2_000 })
    await store.removeEvents(directory.id, { ...all, before: 2_000 })
    assert.deepEqual(await keptOf(store, directory), [1, 2, 3, 4])
    await store.removeEvents(directory.id, { ...all, before: 2_001 })
    assert.deepEqual(await keptOf(store, directory), [])
  })

  test(`${engine}: dead events and events to be replayed are kept`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, { endpoint }, [10, 20, 30, 40])
    await take(store, directory, 'endpoint', 4, [2])
    assert.equal(await store.requestReplay(directory.id, 'endpoint', 3, 5), true)
    await store.removeEvents(directory.id, all)
    assert.deepEqual(await keptOf(store, directory), [2, 3])
  })

  test(`${engine}: many events are removed in steps that skip kept ones, also by two processes concurrently`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: 750 }, (_, index) => `user-${index}`)
    const { createUser } = writesTo(store, directory)
    for (const outcome of await Promise.all(names.map((userName) => createUser(someUser({ userName }))))) {
      committed(outcome)
    }
    const which = { ...all, before: cause.at + 1 }
    await store.requestReplay(directory.id, 'endpoint', 1, 5)
    const first = await store.removeEvents(directory.id, which)
    assert.equal(first, 300)
    assert.deepEqual((await keptOf(store, directory)).slice(0, 2), [1, 301])
    await Promise.all([store.removeEvents(directory.id, { ...which, after: 300 }), goOn(300), goOn(300)])
    assert.deepEqual(await keptOf(store, directory), [1])

    async function goOn(from: number): Promise<void> {
      let after: number | undefined = from
      while (after !== undefined) after = await store.removeEvents(directory.id, { ...which, after })
    }
  })

  /** The directories of these that retention would examine for events from before a time. */
  async function dueOf(store: Store, before: number, ...directories: Directory[]): Promise<number[]> {
    const due: string[] = []
    for (
      let page: PruneDue[] = [{ id: '', oldestEventAt: -1 }];
      page.length > 0;
      due.push(...page.map(({ id }) => id))
    ) {
      page = await store.directoriesToPrune(before, page.at(-1), 50)
    }
    return directories.flatMap(({ id }, index) => (due.includes(id) ? [index] : []))
  }

  test(`${engine}: retention finds directories that may have old events, until it has examined them`, async () => {
    const store = await openStore()
    const empty = await withEvents(store, {}, [])
    const some = await withEvents(store, {}, [10, 20])
    assert.deepEqual(await dueOf(store, 1_000, empty, some), [1])
    await store.removeEvents(some.id, { ...all, before: 15 })
    assert.deepEqual(await dueOf(store, 20, empty, some), [])
    assert.deepEqual(await dueOf(store, 21, empty, some), [1])
    await store.removeEvents(some.id, all)
    assert.deepEqual(await dueOf(store, Number.MAX_SAFE_INTEGER, empty, some), [])
    await addUsers(store, some, ['next'])
    assert.deepEqual(await dueOf(store, 1_000, empty, some), [1])
  })

  test(`${engine}: a directory whose old events must be kept is examined again a day later`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, { endpoint }, [10, 20])
    await store.removeEvents(directory.id, all)
    const day = 24 * 3_600_000
    assert.deepEqual(await dueOf(store, all.before + day, directory), [])
    assert.deepEqual(await dueOf(store, all.before + day + 1, directory), [0])
  })

  test(`${engine}: an event committed while the last one is removed is found by retention`, async () => {
    const store = await openStore()
    const directory = await withEvents(store, {}, [10])
    const user = someUser({ userName: 'concurrent' })
    const creating = store.createUser(directory, user, userEvent('user.created', user), { ...cause, at: 30 })
    await Promise.all([creating, store.removeEvents(directory.id, { ...all, before: 15 })])
    assert.deepEqual(await dueOf(store, 31, directory), [0])
  })
}
