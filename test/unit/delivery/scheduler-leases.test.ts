import assert from 'node:assert/strict'
import test from 'node:test'
import { leaseMs } from '../../../src/delivery/lease.ts'
import { directoryUpdated, maxRefusals, pauseStream, replayAfter, resumeStream } from '../../../src/delivery/policy.ts'
import { response } from './support/samples.ts'
import { always200, oneTo, sequencesOf, settle, setUp } from './support/scheduling.ts'

type SetUp = ReturnType<typeof setUp>

/** Advances the clock in small steps, so that asynchronous work proceeds. */
async function pass({ time }: SetUp, ms: number): Promise<void> {
  await settle()
  const end = time.clock() + ms
  while (time.runNext(end - time.clock())) await settle()
  time.advance(end - time.clock())
  await settle()
}

/** Two processes on one store. */
function twoProcesses(all: SetUp) {
  const [one, other] = [1, 2].map(() => all.open({ store: all.memory.ofProcess() }))
  if (one === undefined || other === undefined) assert.fail()
  return { one, other }
}

test('one of two processes sends, and the other takes over when it closes', async () => {
  const all = setUp(always200)
  const { one, other } = twoProcesses(all)
  one.start()
  other.start()
  all.memory.commit('d1', 3)
  one.wake('d1')
  await all.sendings.until(3)
  await pass(all, 4_000)
  await one.close()
  all.memory.commit('d1', 3)
  other.wake('d1')
  await all.sendings.until(6)
  await other.close()
  assert.deepEqual(sequencesOf(all.sendings.items), oneTo(6))
  assert.equal(all.time.countTimers(), 0)
})

test('the process with the lease is notified within 100 ms of events committed by another one', async () => {
  const all = setUp(always200)
  const { one, other } = twoProcesses(all)
  one.start()
  other.start()
  all.memory.commit('d1', 1)
  one.wake('d1')
  await all.sendings.until(1)
  for (let count = 2; count < 6; count += 1) {
    all.memory.commit('d1', 1)
    other.wake('d1')
    await settle()
    all.time.advance(100)
    await settle()
    assert.deepEqual(sequencesOf(all.sendings.items), oneTo(count))
  }
  await Promise.all([one.close(), other.close()])
})

test('a wake-up right after a notice leads to another notice', async () => {
  const all = setUp(always200)
  all.memory.commit('d1', 1)
  all.memory.takeLease('d1')
  const store = all.memory.ofProcess()
  let isFirst = true
  const scheduler = all.open({
    store: {
      ...store,
      async publishNotice(call) {
        await store.publishNotice(call)
        if (isFirst) scheduler.wake('d1')
        isFirst = false
      },
    },
  })
  scheduler.wake('d1')
  await settle()
  await settle()
  assert.equal(all.memory.notices.length, 1, 'more than one notice in 100 ms')
  all.time.advance(100)
  await settle()
  assert.equal(all.memory.notices.length, 2)
  await scheduler.close()
})

test('another process takes over after a crash when the lease expires', async () => {
  const all = setUp(always200)
  const survivor = all.open()
  all.memory.commit('d1', 2)
  await all.memory.store.leaseStream('d1', 'endpoint', 'crashed', leaseMs)
  survivor.start()
  await pass(all, leaseMs - 1)
  assert.equal(all.sendings.items.length, 0)
  await pass(all, 4_001)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2])
  assert.equal(all.takeovers.length, 1)
  await survivor.close()
})

test('an attempt that outlives its lease is not recorded, and the next holder sends the event again', async () => {
  const all = setUp()
  const { one, other } = twoProcesses(all)
  all.memory.commit('d1', 2)
  one.wake('d1')
  const [first] = await all.sendings.until(1)
  all.memory.freeLease('d1')
  other.wake('d1')
  const [, second] = await all.sendings.until(2)
  first?.end()
  await settle()
  assert.deepEqual(all.memory.records, [])
  second?.end()
  for (const sending of (await all.sendings.until(3)).slice(2)) sending.end()
  await settle()
  assert.ok(sequencesOf(all.sendings.items).slice(1).join().startsWith('1,2'))
  const closed = Promise.all([one.close(), other.close()])
  for (const sending of all.sendings.items) sending.end()
  await closed
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 2)
  assert.deepEqual(all.errors.items, [])
})

for (const { name, end } of [
  { name: 'is taken', end: response(200) },
  { name: 'fails', end: response(503) },
  { name: 'is refused', end: response(400) },
]) {
  test(`the stream continues when its lease turns out to be lost while an event ${name}`, async () => {
    const all = setUp()
    all.memory.commit('d1', 2)
    all.scheduler.wake('d1')
    ;(await all.sendings.until(1))[0]?.end()
    const [, second] = await all.sendings.until(2)
    all.memory.freeLease('d1')
    await pass(all, 300)
    second?.end(end)
    const [, , again] = await all.sendings.until(3)
    assert.equal(again?.sequence, 1, 'unrecorded events are sent again')
    again?.end()
    ;(await all.sendings.until(4))[3]?.end()
    await settle()
    assert.deepEqual(all.errors.items, [])
    assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 2)
    await all.scheduler.close()
  })
}

test('events of a turn whose lease was lost are sent again immediately', async () => {
  const all = setUp()
  all.memory.commit('d1', 1)
  all.scheduler.wake('d1')
  const [first] = await all.sendings.until(1)
  all.memory.freeLease('d1')
  first?.end()
  const [, again] = await all.sendings.until(2)
  again?.end()
  await all.scheduler.close()
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 1)
})

test('a process that was suspended longer than its lease acquires it again before it sends', async () => {
  const stopped = { ms: 0 }
  const all = setUp()
  const scheduler = all.open({ now: () => all.time.clock() + stopped.ms })
  all.memory.commit('d1', 3)
  scheduler.wake('d1')
  const [first] = await all.sendings.until(1)
  stopped.ms = 60_000
  all.memory.takeLease('d1')
  first?.end()
  await settle()
  assert.deepEqual(sequencesOf(all.sendings.items), [1])
  assert.deepEqual(all.memory.records, [])
  await scheduler.close()
  assert.equal(all.time.countTimers(), 0)
})

test('an attempt may take longer than an unused lease is kept: its event is sent once', async () => {
  const all = setUp()
  const { one, other } = twoProcesses(all)
  one.start()
  other.start()
  all.memory.commit('d1', 2)
  one.wake('d1')
  const [first] = await all.sendings.until(1)
  await pass(all, 14_000)
  first?.end()
  const [, second] = await all.sendings.until(2)
  await pass(all, 14_000)
  second?.end()
  await settle()
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2])
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 2)
  await Promise.all([one.close(), other.close()])
})

test('a slow write does not overwrite a later one', async () => {
  const all = setUp()
  const store = all.memory.ofProcess()
  const slow = Promise.withResolvers<void>()
  let count = 0
  const scheduler = all.open({
    store: {
      ...store,
      async recordStream(...given) {
        count += 1
        if (count === 1) await slow.promise
        return store.recordStream(...given)
      },
    },
  })
  all.memory.commit('d1', 3)
  scheduler.wake('d1')
  ;(await all.sendings.until(1))[0]?.end()
  await all.sendings.until(2)
  all.time.advance(250)
  all.sendings.items[1]?.end()
  ;(await all.sendings.until(3))[2]?.end(response(503))
  await settle()
  slow.resolve()
  await all.time.scheduled(5_000)
  assert.partialDeepStrictEqual(all.memory.streamOf('d1', 'endpoint'), { deliveredSequence: 2, failures: 1 })
  await scheduler.close()
})

test(`an event that is refused ${maxRefusals} times is dead, and the next one is sent immediately`, async () => {
  const all = setUp(({ sequence }) => response(sequence === 2 ? 400 : 200))
  all.memory.commit('d1', 3)
  all.scheduler.wake('d1')
  await pass(all, 3 * 3_600_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, ...Array(maxRefusals).fill(2), 3])
  assert.partialDeepStrictEqual(all.memory.dead, [{ sequence: 2, reason: 'answered 400' }])
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 3)
  await all.scheduler.close()
})

test('status 410 pauses the stream: a wake-up sends nothing, resume continues', async () => {
  let status = 410
  const all = setUp(() => response(status))
  all.memory.commit('d1', 2)
  all.scheduler.start()
  all.scheduler.wake('d1')
  await settle()
  all.scheduler.wake('d1')
  await pass(all, 3_600_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1])
  assert.equal(all.memory.streamOf('d1', 'endpoint').pause?.reason, 'gone')
  status = 200
  await all.memory.store.changeStream('d1', 'endpoint', resumeStream)
  all.scheduler.retry('d1')
  assert.deepEqual(sequencesOf(await all.sendings.until(3)), [1, 1, 2])
  await all.scheduler.close()
})

for (const { name, of } of [
  { name: 'in this process', of: ({ one }: ReturnType<typeof twoProcesses>) => one },
  { name: 'in another process', of: ({ other }: ReturnType<typeof twoProcesses>) => other },
]) {
  test(`a pause by an operator ${name} takes effect immediately, even while the lease is held`, async () => {
    const all = setUp(always200)
    const both = twoProcesses(all)
    both.one.start()
    both.other.start()
    all.memory.commit('d1', 1)
    both.one.wake('d1')
    await all.sendings.until(1)
    await settle()
    await all.memory.store.changeStream('d1', 'endpoint', pauseStream(0))
    of(both).retry('d1')
    await settle()
    all.memory.commit('d1', 1)
    both.one.wake('d1')
    await pass(all, 20_000)
    assert.deepEqual(sequencesOf(all.sendings.items), [1])
    await Promise.all([both.one.close(), both.other.close()])
  })

  test(`a replay by an operator ${name} starts immediately, even while the lease is held`, async () => {
    const all = setUp(always200)
    const both = twoProcesses(all)
    both.one.start()
    both.other.start()
    all.memory.commit('d1', 3)
    both.one.wake('d1')
    await all.sendings.until(3)
    await settle()
    await all.memory.store.changeStream('d1', 'endpoint', replayAfter(1))
    of(both).retry('d1')
    await settle()
    await settle()
    assert.deepEqual(sequencesOf(all.sendings.items), [1, 2, 3, 2, 3])
    await Promise.all([both.one.close(), both.other.close()])
  })
}

for (const { name, hasNewEndpoint, status } of [
  { name: 'a directory that is changed', hasNewEndpoint: false, status: 503 },
  { name: 'a new endpoint', hasNewEndpoint: true, status: 503 },
  { name: 'a new endpoint after one that is gone', hasNewEndpoint: true, status: 410 },
]) {
  test(`${name} is sent to immediately, even if the attempt in flight fails afterwards`, async () => {
    const all = setUp()
    all.memory.commit('d1', 1)
    all.scheduler.start()
    const [first] = await all.sendings.until(1)
    await all.memory.store.changeStream('d1', 'endpoint', directoryUpdated(hasNewEndpoint, 0))
    all.scheduler.retry('d1')
    first?.end(response(status))
    ;(await all.sendings.until(2))[1]?.end()
    await settle()
    assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 1)
    await all.scheduler.close()
  })
}

test('replayed events are sent before the stream continues, in order and once', async () => {
  const all = setUp(always200)
  all.memory.commit('d1', 3)
  all.scheduler.start()
  await all.sendings.until(3)
  await settle()
  all.memory.commit('d1', 1)
  for (const sequence of [3, 1, 3]) await all.memory.store.requestReplay('d1', 'endpoint', sequence, 0)
  all.scheduler.retry('d1')
  await settle()
  all.scheduler.retry('d1')
  await pass(all, 10_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2, 3, 1, 3, 4])
  await all.scheduler.close()
})

test('a replayed event that is refused is dead, and the stream continues', async () => {
  let status = 200
  const all = setUp(({ sequence }) => response(sequence === 1 ? status : 200))
  all.memory.commit('d1', 2)
  all.scheduler.wake('d1')
  await all.sendings.until(2)
  status = 400
  all.memory.commit('d1', 1)
  await all.memory.store.requestReplay('d1', 'endpoint', 1, 0)
  all.scheduler.retry('d1')
  await pass(all, 10_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2, 1, 3])
  assert.partialDeepStrictEqual(all.memory.dead, [{ sequence: 1, reason: 'answered 400' }])
  assert.partialDeepStrictEqual(all.warnings.items, [{ directoryId: 'd1', sequence: 1, deadEvents: 1 }])
  assert.deepEqual(all.died, [1])
  await all.scheduler.close()
})

test('a replay of an event that the stream has not reached yet is sent in order, and nothing is skipped', async () => {
  let status = 503
  const all = setUp(() => response(status))
  all.memory.commit('d1', 4)
  await all.memory.store.requestReplay('d1', 'endpoint', 3, 0)
  all.scheduler.start()
  await all.sendings.until(1)
  status = 400
  await pass(all, 5 * 3_600_000)
  status = 200
  await pass(all, 3_600_000)
  const firsts = [...new Set(sequencesOf(all.sendings.items))]
  assert.deepEqual(firsts, [1, 2, 3, 4])
  await all.scheduler.close()
})
