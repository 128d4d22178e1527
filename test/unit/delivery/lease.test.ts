import assert from 'node:assert/strict'
import test from 'node:test'
import { createLeases, leaseMs } from '../../../src/delivery/lease.ts'
import type { StreamStore } from '../../../src/delivery/stream-context.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { createMemoryStore } from './support/memory-store.ts'
import { settle } from './support/scheduling.ts'

/** The leases of a process, and a store that counts calls. */
function setUp(replaced: Partial<StreamStore> = {}) {
  const time = createManualTime()
  const memory = createMemoryStore(time.clock)
  const asked = { leaseStream: 0, renewLeases: 0, releaseLease: 0 }
  const errors: unknown[] = []
  const store: StreamStore = {
    ...memory.store,
    leaseStream(...given) {
      asked.leaseStream += 1
      return memory.store.leaseStream(...given)
    },
    renewLeases(...given) {
      asked.renewLeases += 1
      return memory.store.renewLeases(...given)
    },
    releaseLease(...given) {
      asked.releaseLease += 1
      return memory.store.releaseLease(...given)
    },
    ...replaced,
  }
  const open = (holder: string) => {
    const { schedule, clock: now } = time
    const observers = { onTakeover: () => {}, onError: (error: unknown) => errors.push(error) }
    return createLeases({ store, target: 'endpoint', holder, schedule, now, ...observers })
  }
  /** Advances the clock in small steps, so that asynchronous work proceeds. */
  const pass = async (ms: number) => {
    const end = time.clock() + ms
    while (time.runNext(end - time.clock())) await settle()
    time.advance(end - time.clock())
  }
  memory.commit('d1', 1)
  const ofOther = () => memory.store.leaseStream('d1', 'endpoint', 'other', leaseMs)
  return { time, memory, asked, errors, leases: open('me'), pass, ofOther }
}

test('a lease in use is renewed for any length of time, and no other process gets it', async () => {
  const { leases, asked, pass, ofOther } = setUp()
  await leases.acquire('d1')
  for (let count = 0; count < 30; count += 1) {
    await pass(1_000)
    assert.equal(leases.isValid('d1'), true)
    assert.equal(await ofOther(), 'held')
  }
  assert.equal(asked.leaseStream, 1)
  assert.ok(asked.renewLeases >= 10)
  await leases.close()
})

test('a lease whose stream is locked is kept until it ends', async () => {
  const { leases, pass } = setUp({ renewLeases: async () => ({ renewed: [], locked: ['d1'] }) })
  await leases.acquire('d1')
  await pass(4_500)
  assert.equal(leases.isValid('d1'), true)
  await pass(1_000)
  assert.equal(leases.isValid('d1'), false)
  await leases.close()
})

test('an unused lease is kept for some seconds, then another process can acquire it', async () => {
  const { time, leases, asked, pass, ofOther } = setUp()
  await leases.acquire('d1')
  leases.markUnused('d1')
  await pass(5_000)
  await leases.acquire('d1')
  leases.markUnused('d1')
  assert.equal(asked.leaseStream, 1)
  await pass(5_000)
  assert.equal(await ofOther(), 'held')
  await pass(4_000)
  assert.equal(leases.isValid('d1'), false)
  assert.equal(typeof (await ofOther()), 'object')
  assert.equal(time.countTimers(), 0, 'without leases nothing is renewed')
})

test('acquire returns the last updated state', async () => {
  const { leases } = setUp()
  const taken = await leases.acquire('d1')
  assert.ok(typeof taken === 'object')
  const further = { ...taken, state: { ...taken.state, deliveredSequence: 1 } }
  leases.update(further)
  leases.markUnused('d1')
  assert.deepEqual(await leases.acquire('d1'), further)
  await leases.close()
})

test('a lease that cannot be renewed is not used in its last second', async () => {
  const { memory, leases, errors, pass } = setUp()
  await leases.acquire('d1')
  memory.fail(new Error('the database is unavailable'))
  await pass(leaseMs - 1_001)
  assert.equal(leases.isValid('d1'), true)
  await pass(1)
  assert.equal(leases.isValid('d1'), false)
  assert.equal(errors.length, 2)
  memory.fail(undefined)
  assert.equal(typeof (await leases.acquire('d1')), 'object')
  await leases.close()
})

test('a process that was suspended longer than its lease acquires it again', async () => {
  const { time, leases, asked, ofOther } = setUp()
  await leases.acquire('d1')
  time.advance(60_000)
  assert.equal(leases.isValid('d1'), false)
  await ofOther()
  assert.equal(await leases.acquire('d1'), 'held')
  assert.ok(asked.leaseStream >= 2)
  await leases.close()
})

test('the next renewal notices that another process has the lease', async () => {
  const { memory, leases, pass } = setUp()
  await leases.acquire('d1')
  memory.takeLease('d1')
  await pass(2_000)
  assert.equal(leases.isValid('d1'), false)
  assert.equal(await leases.acquire('d1'), 'held')
  await leases.close()
})

test('an invalidated lease is acquired again, also when it is invalidated while being acquired', async () => {
  const { leases, asked } = setUp()
  await leases.acquire('d1')
  leases.invalidate('d1')
  assert.equal(leases.isValid('d1'), false)
  const taking = leases.acquire('d1')
  await Promise.resolve()
  leases.invalidate('d1')
  await taking
  assert.equal(leases.isValid('d1'), false)
  await leases.acquire('d1')
  assert.equal(leases.isValid('d1'), true)
  assert.equal(asked.leaseStream, 3)
  await leases.close()
})

test('release returns a lease to the store, forget does not', async () => {
  const { leases, asked, ofOther } = setUp()
  await leases.acquire('d1')
  leases.forget('d1')
  assert.equal(leases.isValid('d1'), false)
  assert.equal(asked.releaseLease, 0)
  assert.equal(await ofOther(), 'held')
  await leases.acquire('d1')
  await leases.release('d1')
  await leases.release('d1')
  assert.equal(asked.releaseLease, 1)
  assert.equal(typeof (await ofOther()), 'object')
})

test('acquire waits for a release in progress', async () => {
  const released = Promise.withResolvers<void>()
  const { leases, asked } = setUp({ releaseLease: () => released.promise })
  await leases.acquire('d1')
  const releasing = leases.release('d1')
  const taking = leases.acquire('d1')
  await settle()
  assert.equal(asked.leaseStream, 1)
  released.resolve()
  await Promise.all([releasing, taking])
  assert.equal(asked.leaseStream, 2)
  await leases.close()
})

test('close returns all leases and leaves no timer, even when the store is unavailable', async () => {
  const { time, memory, leases, asked, errors, ofOther } = setUp()
  memory.commit('d2', 1)
  await Promise.all([leases.acquire('d1'), leases.acquire('d2')])
  await leases.close()
  assert.equal(asked.releaseLease, 2)
  assert.equal(time.countTimers(), 0)
  assert.equal(typeof (await ofOther()), 'object')
  const away = setUp()
  await away.leases.acquire('d1')
  away.memory.fail(new Error('the database is unavailable'))
  await away.leases.close()
  assert.equal(away.errors.length, 1)
  assert.deepEqual(errors, [])
})
