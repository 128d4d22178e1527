import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { AcquiredStream, DuePage, StreamState } from '../../../src/delivery/event-store.ts'
import { newStream } from '../../../src/delivery/event-store.ts'
import { pauseStream, replayAfter, resumeStream, skipEvent } from '../../../src/delivery/policy.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventually } from '../../support/eventually.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory, addUsers, someDirectory } from './samples.ts'

const target = 'endpoint'
const longMs = 60_000
const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }

const everything: StreamState = {
  ...{ deliveredSequence: 2, failures: 3, failingSince: 1_700_000_000_001, refusals: 4, batchEnd: 5_000_000_000 },
  ...{
    nextAttemptAt: 1_700_000_000_002,
    retriedAt: 1_700_000_000_004,
    deliveredLateAt: 1_700_000_000_005,
    lastError: 'answered 500',
    pause: { reason: 'operator', at: 1_700_000_000_003 },
  },
}

export function streamContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: the first lease of a stream creates its state, and the same holder can renew it`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const first = await leased(store, directory)
    assert.deepEqual(first.state, newStream)
    assert.partialDeepStrictEqual(first.lease, { directoryId: directory.id, target })
    assert.deepEqual(await leased(store, directory), first)
    const callback = await store.leaseStream(directory.id, 'on-event', 'other', longMs)
    assert.ok(typeof callback === 'object', 'each target has a stream of its own')
  })

  test(`${engine}: a lease excludes other holders until it ends, and the next one has a higher token`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { lease } = await leased(store, directory, 'me', 30)
    const other = await until(async () => {
      const taken = await store.leaseStream(directory.id, target, 'other', longMs)
      return typeof taken === 'object' ? taken : undefined
    })
    assert.ok(other.lease.token > lease.token)
    assert.equal(other.isTakeover, true)
    assert.equal(await store.leaseStream(directory.id, target, 'me', longMs), 'held')
    await store.releaseLease(other.lease)
    const afterRelease = await leased(store, directory)
    assert.ok(afterRelease.lease.token > other.lease.token)
    assert.equal(afterRelease.isTakeover, false)
  })

  test(`${engine}: after a lease has expired the same holder gets a new token, too`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { lease } = await leased(store, directory, 'me', 1)
    await until(async () => (await store.recordStream(lease, newStream)) === 'lost')
    assert.ok((await leased(store, directory)).lease.token > lease.token)
  })

  test(`${engine}: a directory that is unknown or deleted has no stream`, async () => {
    const store = await openStore()
    const gone = await addDirectory(store)
    await store.deleteDirectory(gone.id, 0)
    for (const id of [gone.id, uuidv7(), 'with \0 NUL']) {
      assert.equal(await store.leaseStream(id, target, 'me', longMs), 'none')
      assert.equal(await store.streamStatus(id, target), undefined)
      assert.deepEqual(await store.requestedReplays(id, target, 9), [])
      assert.deepEqual(await store.deadEvents(id, target, 0, 9), [])
    }
    for (const id of [gone.id, uuidv7()]) {
      assert.equal(await store.changeStream(id, target, resumeStream), false)
      assert.equal(await store.requestReplay(id, target, 1, 1), false)
    }
  })

  test(`${engine}: a holder renews all its leases together, and gets those that it still has`, async () => {
    const store = await openStore()
    const holder = uuidv7()
    const [kept, lost, released] = [await addDirectory(store), await addDirectory(store), await addDirectory(store)]
    const { lease } = await leased(store, kept, holder)
    await leased(store, lost, holder)
    await store.releaseLease((await leased(store, released, holder)).lease)
    await store.leaseStream(kept.id, 'on-event', holder, longMs)
    await store.changeStream(lost.id, target, resumeStream)
    assert.deepEqual(await store.renewLeases(target, holder, longMs), { renewed: [kept.id], locked: [] })
    assert.deepEqual((await leased(store, kept, holder)).lease, lease)
    assert.deepEqual((await store.renewLeases(target, holder, 1)).renewed, [kept.id])
    await until(async () => (await store.renewLeases(target, holder, 1)).renewed.length === 0)
    assert.deepEqual(await store.renewLeases(target, uuidv7(), longMs), { renewed: [], locked: [] })
  })

  test(`${engine}: another process may be sending a directory while it has leased a stream of it`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    assert.equal(await store.isSentByOthers(id, 'me'), false)
    await store.leaseStream(id, 'endpoint', 'me', longMs)
    assert.equal(await store.isSentByOthers(id, 'me'), false)
    const leased = await store.leaseStream(id, 'on-event', 'other', longMs)
    assert.equal(await store.isSentByOthers(id, 'me'), true)
    if (typeof leased === 'object') await store.releaseLease(leased.lease)
    assert.equal(await store.isSentByOthers(id, 'me'), false)
  })

  test(`${engine}: releasing an expired lease does not end the lease of the current holder`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const old = await leased(store, directory)
    await store.changeStream(directory.id, target, resumeStream)
    const present = await leased(store, directory, 'other')
    await store.releaseLease(old.lease)
    assert.equal(await store.leaseStream(directory.id, target, 'me', longMs), 'held')
    await store.releaseLease(present.lease)
    await store.releaseLease(present.lease)
    await leased(store, directory)
  })

  test(`${engine}: a recorded stream state is read back unchanged`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { lease } = await leased(store, directory)
    for (const state of [everything, { ...newStream, deliveredSequence: 7 }, everything]) {
      assert.equal(await store.recordStream(lease, state), 'recorded')
      assert.deepEqual((await leased(store, directory)).state, state)
      const status = { ...state, lastSequence: 0, isHeld: false, deadEvents: 0 }
      assert.deepEqual(await store.streamStatus(directory.id, target), status)
    }
  })

  test(`${engine}: nothing is recorded under a lease that was taken over or has expired`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b', 'c'])
    const { lease } = await leased(store, directory)
    assert.equal(await store.recordStream(lease, { ...newStream, deliveredSequence: 1 }), 'recorded')
    await store.requestReplay(directory.id, target, 1, 1)
    await store.releaseLease(lease)
    const effects = { dead: [{ sequence: 3, diedAt: 1, reason: 'answered 400' }], replayed: [1] }
    const lost = async () => (await store.recordStream(lease, everything, effects)) === 'lost'
    assert.ok(await lost())
    const short = await leased(store, directory, 'other', 1)
    assert.ok(await lost())
    await until(async () => (await store.recordStream(short.lease, short.state)) === 'lost')
    assert.equal(await store.recordStream(short.lease, everything, effects), 'lost')
    const { state } = await leased(store, directory)
    assert.deepEqual(state, { ...newStream, deliveredSequence: 1 })
    assert.deepEqual(await store.deadEvents(directory.id, target, 0, 9), [])
    assert.equal((await store.requestedReplays(directory.id, target, 9)).length, 1)
  })

  test(`${engine}: dead events are listed in order, page by page, with their data`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    await addUsers(store, directory, ['a', 'b', 'c', 'd'])
    await addUsers(store, other, ['a'])
    const { lease, state } = await leased(store, directory)
    const dead = [3, 1, 2].map((sequence) => ({ sequence, diedAt: sequence * 10, reason: `answered ${sequence}` }))
    await store.recordStream(lease, { ...state, deliveredSequence: 3 }, { dead })
    await store.recordStream(lease, { ...state, deliveredSequence: 3 }, { dead: [{ ...dead[0], diedAt: 99 } as never] })
    const events = await store.eventsAfter(directory.id, 0, 9)
    const listed = await store.deadEvents(directory.id, target, 1, 9)
    assert.deepEqual(listed, [
      { sequence: 2, diedAt: 20, reason: 'answered 2', event: events[1] },
      { sequence: 3, diedAt: 99, reason: 'answered 3', event: events[2] },
    ])
    assert.deepEqual(
      (await store.deadEvents(directory.id, target, 0, 2)).map(({ sequence }) => sequence),
      [1, 2],
    )
    assert.deepEqual(await store.deadEvents(directory.id, 'on-event', 0, 9), [])
    assert.deepEqual(await store.deadEvents(other.id, target, 0, 9), [])
    assert.partialDeepStrictEqual(await store.streamStatus(directory.id, target), { deadEvents: 3, lastSequence: 4 })
  })

  test(`${engine}: an event has at most one replay, which ends when it is delivered or dies again`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b', 'c'])
    const { lease, state } = await leased(store, directory)
    const further = { ...state, deliveredSequence: 3 }
    await store.recordStream(lease, further, { dead: [{ sequence: 2, diedAt: 1, reason: 'answered 400' }] })
    const ask = (sequence: number) => store.requestReplay(directory.id, target, sequence, 5)
    const asked = async () => (await store.requestedReplays(directory.id, target, 9)).map(({ sequence }) => sequence)
    assert.deepEqual(
      [await ask(3), await ask(2), await ask(2), await ask(4), await ask(0)],
      [true, true, true, false, false],
    )
    assert.deepEqual(await asked(), [2, 3])
    assert.deepEqual(await store.requestedReplays(directory.id, target, 1), await store.eventsAfter(directory.id, 1, 1))
    assert.deepEqual(await store.requestedReplays(directory.id, 'on-event', 9), [])
    await store.recordStream(lease, further, { dead: [{ sequence: 3, diedAt: 2, reason: 'answered 404' }] })
    assert.deepEqual(await asked(), [2], 'the replay has died again')
    await store.recordStream(lease, further, { replayed: [2] })
    assert.deepEqual(await asked(), [])
    const dead = await store.deadEvents(directory.id, target, 0, 9)
    assert.deepEqual(
      dead.map(({ sequence }) => sequence),
      [3],
      'a delivered event is no longer dead',
    )
  })

  test(`${engine}: a change of a stream takes effect immediately, and optionally ends the lease`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    assert.equal(await store.changeStream(directory.id, target, pauseStream(9)), true)
    assert.deepEqual((await store.streamStatus(directory.id, target))?.pause, { reason: 'operator', at: 9 })
    const { lease, state } = await leased(store, directory)
    const further = { ...state, failures: 1 }
    const change = { apply: (before: StreamState) => ({ ...before, refusals: 5 }), endsLease: false }
    assert.equal(await store.changeStream(directory.id, target, change), true)
    assert.equal((await leased(store, directory)).state.refusals, 5)
    assert.equal(await store.recordStream(lease, further), 'recorded')
    assert.equal(await store.changeStream(directory.id, target, resumeStream), true)
    assert.equal(await store.recordStream(lease, further), 'lost')
    const next = await leased(store, directory, 'other')
    assert.ok(next.lease.token > lease.token)
    assert.deepEqual(next.state, newStream)
  })

  test(`${engine}: events that a rewound stream sends again are no longer dead`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b', 'c'])
    const { lease, state } = await leased(store, directory)
    const dead = [1, 3].map((sequence) => ({ sequence, diedAt: 1, reason: 'answered 400' }))
    await store.recordStream(lease, { ...state, deliveredSequence: 3 }, { dead })
    await store.changeStream(directory.id, target, replayAfter(1))
    assert.partialDeepStrictEqual(await store.streamStatus(directory.id, target), {
      deliveredSequence: 1,
      deadEvents: 1,
    })
  })

  test(`${engine}: the event that blocks a stream is skipped and becomes dead, with its replay ended`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['a', 'b', 'c'])
    const { lease, state } = await leased(store, directory)
    await store.recordStream(lease, { ...state, deliveredSequence: 1, failures: 2 })
    await store.requestReplay(directory.id, target, 2, 5)
    const skip = (sequence: number) => store.changeStream(directory.id, target, skipEvent(sequence, 'by hand', 9))
    assert.deepEqual([await skip(3), await skip(1), await skip(2), await skip(2)], [false, false, true, false])
    assert.equal(await store.recordStream(lease, state), 'lost')
    assert.partialDeepStrictEqual(await store.streamStatus(directory.id, target), { deliveredSequence: 2, failures: 0 })
    const [dead, ...others] = await store.deadEvents(directory.id, target, 0, 9)
    assert.partialDeepStrictEqual(dead, { sequence: 2, diedAt: 9, reason: 'by hand', isSkipped: true })
    assert.deepEqual([others, await store.requestedReplays(directory.id, target, 9)], [[], []])
    const again = await leased(store, directory)
    await store.recordStream(again.lease, again.state, { dead: [{ sequence: 2, diedAt: 10, reason: 'answered 400' }] })
    const [refused] = await store.deadEvents(directory.id, target, 0, 9)
    assert.deepEqual([refused?.reason, refused?.isSkipped], ['answered 400', undefined])
  })

  test(`${engine}: dead events of many directories are listed newest first, without those of deleted ones`, async () => {
    const store = await openStore()
    const [tenant, product] = ['dead-acme', 'crm']
    const [one, other, gone, foreign] = [
      await addDirectory(store, { tenant, product }),
      await addDirectory(store, { tenant, product: 'erp' }),
      await addDirectory(store, { tenant, product }),
      await addDirectory(store, { tenant: 'dead-globex', product }),
    ]
    for (const [directory, diedAt] of [
      [one, 10],
      [other, 40],
      [gone, 30],
      [foreign, 20],
    ] as const) {
      await addUsers(store, directory, ['a', 'b'])
      const { lease, state } = await leased(store, directory)
      const dead = [1, 2].map((sequence) => ({ sequence, diedAt, reason: 'answered 400' }))
      await store.recordStream(lease, { ...state, deliveredSequence: 2 }, { dead })
    }
    await store.deleteDirectory(gone.id, 0)
    const list = async (scope: { tenant?: string; product?: string }) => {
      const { rows } = await store.deadEventsIn(scope, undefined, 90)
      return rows.map(({ directory: { id }, event: { sequence } }) => [id, sequence])
    }
    const ofOne = [2, 1].map((sequence) => [one.id, sequence])
    const ofOther = [2, 1].map((sequence) => [other.id, sequence])
    assert.deepEqual(await list({ tenant }), [...ofOther, ...ofOne])
    assert.deepEqual(await list({ tenant, product }), ofOne)
    assert.deepEqual(await list({ tenant: 'nobody' }), [])
    const { rows, last } = await store.deadEventsIn({ tenant }, undefined, 1)
    assert.partialDeepStrictEqual(rows, [{ diedAt: 40, reason: 'answered 400', isSkipped: false }])
    const following = await store.deadEventsIn({ tenant }, last, 1)
    assert.deepEqual(
      following.rows.map(({ event }) => event.sequence),
      [1],
    )
  })

  test(`${engine}: concurrent changes of one stream are all applied`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const change = { apply: (one: StreamState) => ({ ...one, refusals: one.refusals + 1 }), endsLease: false }
    await Promise.all(Array.from({ length: 12 }, () => store.changeStream(directory.id, 'on-event', change)))
    assert.equal((await store.streamStatus(directory.id, 'on-event'))?.refusals, 12)
  })

  test(`${engine}: directories are due when something can be sent to their target now`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const add = (fields: Partial<Directory> = {}) => addWithEvents(store, { endpoint, ...fields })
    const plain = await add()
    const [off, without] = [await add({ deactivated: true }), await add({ endpoint: undefined })]
    const [stopped, waiting, busy, done] = [await add(), await add(), await add(), await add()]
    await store.changeStream(stopped.id, target, pauseStream(1))
    await record(store, waiting, { ...newStream, nextAttemptAt: 100 })
    await leased(store, busy, 'other')
    await record(store, done, { ...newStream, deliveredSequence: 1 })
    await record(store, off, { ...newStream, deliveredSequence: 1 })
    await store.requestReplay(off.id, target, 1, 1)
    const deleted = await add()
    await store.deleteDirectory(deleted.id, 0)
    const due = async (now: number, holder = 'me') => idsOf(await store.directoriesDue(target, holder, now, '', 99))
    assert.deepEqual(await due(99), [plain.id])
    assert.deepEqual(await due(100), [plain.id, waiting.id])
    assert.deepEqual(await due(99, 'other'), [plain.id, busy.id])
    assert.equal(await store.countUndelivered(target), 4)
    await store.requestReplay(done.id, target, 1, 1)
    assert.deepEqual(await due(99), [plain.id, done.id], 'a replay was requested')
    const others = idsOf(await store.directoriesDue('on-event', 'me', 99, '', 99))
    const all = [plain, off, without, stopped, waiting, busy, done].map(({ id }) => id)
    assert.deepEqual(others, all, 'a callback needs no endpoint')
    assert.equal(await store.countUndelivered('on-event'), 7)
  })

  test(`${engine}: a scan finds all due directories except those that other holders lease`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const ids: string[] = []
    for (let count = 0; count < 9; count += 1) ids.push((await addWithEvents(store, { endpoint })).id)
    for (const id of ids.slice(1, 4)) await store.leaseStream(id, target, 'other', longMs)
    const free = [ids[0], ...ids.slice(4)]
    const found: string[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: DuePage = await store.directoriesDue(target, 'me', 0, after, 4)
      found.push(...idsOf(page))
      after = page.next
    }
    assert.deepEqual(found, free)
  })

  test(`${engine}: directories without anything to send are examined once, until they change`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const add = (fields: Partial<Directory> = {}) => addWithEvents(store, { endpoint, ...fields })
    const directories = [await add(), await add(), await add({ endpoint: undefined }), await add()]
    const [plain, replayed, without, last] = directories as [Directory, Directory, Directory, Directory]
    for (const one of [plain, replayed, last]) await record(store, one, { ...newStream, deliveredSequence: 1 })
    const nothing = { directories: [], next: undefined }
    assert.deepEqual(await store.directoriesDue(target, 'me', 0, '', 99), nothing)
    const examineOne = () => store.directoriesDue(target, 'me', 0, '', 1)
    const becomesDue = async (one: Directory, name: string) => {
      const { id, tenant } = one
      assert.deepEqual(await examineOne(), { directories: [{ id, tenant }], next: id }, name)
      await record(store, one, { ...newStream, deliveredSequence: 9 })
      assert.deepEqual(await examineOne(), { directories: [], next: id }, `${name}: delivered`)
      assert.deepEqual(await examineOne(), nothing, `${name}: not examined again`)
    }
    assert.deepEqual(await examineOne(), nothing)
    await addUsers(store, last, ['another'])
    await becomesDue(last, 'a new event')
    await store.requestReplay(replayed.id, target, 1, 1)
    assert.deepEqual((await examineOne()).next, replayed.id)
    const { lease, state } = await leased(store, replayed)
    await store.recordStream(lease, state, { replayed: [1] })
    assert.deepEqual([(await examineOne()).directories, await examineOne()], [[], nothing])
    await store.changeStream(plain.id, target, replayAfter(0))
    await becomesDue(plain, 'a replay of all events')
    assert.equal(await store.replaceDirectory({ ...without, endpoint, revision: 2 }), 'replaced')
    await addUsers(store, { ...without, revision: 2 }, ['another'])
    await becomesDue(without, 'a new endpoint')
    const off = { ...plain, deactivated: true, revision: 2 }
    assert.equal(await store.replaceDirectory(off), 'replaced')
    await addUsers(store, off, ['late'])
    assert.deepEqual([(await examineOne()).directories, await examineOne()], [[], nothing])
    assert.equal(await store.replaceDirectory({ ...off, deactivated: false, revision: 3 }), 'replaced')
    await store.changeStream(plain.id, target, replayAfter(0))
    await becomesDue(plain, 'a directory that is active again')
    assert.deepEqual(await store.countStreams(target, 0), [])
    assert.equal(await store.countUndelivered(target), 0)
  })

  test(`${engine}: an event that is committed while polling looks keeps its directory examined`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const directory = await addWithEvents(store, { endpoint })
    for (let round = 1; round <= 20; round += 1) {
      await record(store, directory, { ...newStream, deliveredSequence: round })
      await Promise.all([
        store.directoriesDue(target, 'me', 0, '', 9),
        addUsers(store, directory, [`more-${round}`]),
        store.directoriesDue(target, 'me', 0, '', 9),
      ])
      const { directories } = await store.directoriesDue(target, 'me', 0, '', 9)
      assert.equal(directories.length, 1, `round ${round}`)
    }
  })

  test(`${engine}: streams are counted by state, with the time of their oldest event`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    assert.deepEqual(await store.countStreams(target, 0), [])
    const [first, failing, stopped, done] = [
      await addWithEvents(store, { endpoint }, 3),
      await addWithEvents(store, { endpoint }, 2),
      await addWithEvents(store, { endpoint }, 4),
      await addWithEvents(store, { endpoint }),
    ]
    await addWithEvents(store, { endpoint })
    await addWithEvents(store, { endpoint: undefined })
    await record(store, first, { ...newStream, deliveredSequence: 1 })
    await record(store, failing, { ...newStream, nextAttemptAt: 100 })
    await store.changeStream(stopped.id, target, pauseStream(1))
    await record(store, done, { ...newStream, deliveredSequence: 1 })
    const [{ createdAt: oldestAt } = assert.fail()] = await store.eventsAfter(first.id, 1, 1)
    const counts = async (now: number) =>
      (await store.countStreams(target, now)).sort((one, other) => (one.state < other.state ? -1 : 1))
    assert.deepEqual(await counts(99), [
      { state: 'failing', events: 2, streams: 1, oldestAt },
      { state: 'paused', events: 4, streams: 1, oldestAt },
      { state: 'queued', events: 3, streams: 2, oldestAt },
    ])
    assert.partialDeepStrictEqual(await counts(100), [{ state: 'paused' }, { state: 'queued', events: 5, streams: 3 }])
  })

  test(`${engine}: a process does not receive its own notices`, async () => {
    const store = await openStore()
    const received: unknown[] = []
    const stop = store.onNotice((notice) => received.push(notice))
    await store.publishNotice({ directoryId: uuidv7(), target, isUrgent: true, tenant: 'acme' })
    stop()
    stop()
    assert.deepEqual(received, [], 'own notices are not received')
  })
}

const idsOf = ({ directories }: DuePage) => directories.map(({ id }) => id)

/** The stream of a directory, with its lease, which must be free. */
async function leased(store: Store, { id }: Directory, holder = 'me', ttlMs = longMs): Promise<AcquiredStream> {
  const stream = await store.leaseStream(id, target, holder, ttlMs)
  if (typeof stream === 'string') assert.fail(`the lease is not free: ${stream}`)
  return stream
}

async function record(store: Store, directory: Directory, state: StreamState): Promise<void> {
  const { lease } = await leased(store, directory)
  assert.equal(await store.recordStream(lease, state), 'recorded')
  await store.releaseLease(lease)
}

/** Adds a directory with undelivered events. */
async function addWithEvents(store: Store, fields: Partial<Directory>, events = 1): Promise<Directory> {
  const { deactivated = false, ...others } = fields
  const directory = someDirectory(others)
  await store.createDirectory(directory)
  await addUsers(
    store,
    directory,
    Array.from({ length: events }, (_, n) => `user-${n}`),
  )
  const changed = { ...directory, deactivated, revision: 2 }
  if (deactivated) assert.equal(await store.replaceDirectory(changed), 'replaced')
  return directory
}

/** Polls for a value: the clock of the database decides when a lease ends. */
async function until<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  let value: T | undefined | false
  await eventually('a lease to end', async () => {
    value = await read()
    return value !== undefined && value !== false
  })
  return value as T
}
