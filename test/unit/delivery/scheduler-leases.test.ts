import assert from 'node:assert/strict'
import test from 'node:test'
import { leaseMs } from '../../../src/delivery/lease.ts'
import { directoryUpdated, maxRefusals, pauseStream, replayAfter, resumeStream } from '../../../src/delivery/policy.ts'
import { response } from './support/samples.ts'
import { always200, oneTo, sequencesOf, settle, setUp } from './support/scheduling.ts'

type SetUp = ReturnType<typeof setUp>

/** Lets so much time pass, with what happens in it. */
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

test('of two processes one sends; when it closes the other goes on', async () => {
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

test('what one process commits the other sends within a tenth of a second when it has the lease', async () => {
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

test('a wake that comes just when another process was told is told as well', async () => {
  const all = setUp(always200)
  all.memory.commit('d1', 1)
  all.memory.takeLease('d1')
  const store = all.memory.ofProcess()
  let isFirst = true
  const dispatcher = all.open({
    store: {
      ...store,
      async publishNotice(call) {
        await store.publishNotice(call)
        if (isFirst) dispatcher.wake('d1')
        isFirst = false
      },
    },
  })
  dispatcher.wake('d1')
  await settle()
  await settle()
  assert.equal(all.memory.calls.length, 1, 'more than one call in a tenth of a second')
  all.time.advance(100)
  await settle()
  assert.equal(all.memory.calls.length, 2)
  await dispatcher.close()
})

test('the other process goes on after a crash once the lease is over', async () => {
  const all = setUp(always200)
  const survivor = all.open()
  all.memory.commit('d1', 2)
  await all.memory.store.leaseStream('d1', 'endpoint', 'crashed', leaseMs)
  survivor.start()
  await pass(all, leaseMs - 1)
  assert.equal(all.sendings.items.length, 0)
  await pass(all, 4_001)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2])
  await survivor.close()
})

test('a delivery during which the lease is lost is not recorded, and whoever has it sends the event again', async () => {
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
  test(`a lease that is found to be lost while an event ${name} upsets nothing, and the stream goes on`, async () => {
    const all = setUp()
    all.memory.commit('d1', 2)
    all.dispatcher.wake('d1')
    ;(await all.sendings.until(1))[0]?.end()
    const [, second] = await all.sendings.until(2)
    all.memory.freeLease('d1')
    await pass(all, 300)
    second?.end(end)
    const [, , again] = await all.sendings.until(3)
    assert.equal(again?.sequence, 1, 'what was not recorded comes again')
    again?.end()
    ;(await all.sendings.until(4))[3]?.end()
    await settle()
    assert.deepEqual(all.errors.items, [])
    assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 2)
    await all.dispatcher.close()
  })
}

test('what was sent under a lease that is found to be lost at the end of a turn is sent again at once', async () => {
  const all = setUp()
  all.memory.commit('d1', 1)
  all.dispatcher.wake('d1')
  const [first] = await all.sendings.until(1)
  all.memory.freeLease('d1')
  first?.end()
  const [, again] = await all.sendings.until(2)
  again?.end()
  await all.dispatcher.close()
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 1)
})

test('a process that was stopped beyond its lease sends nothing before it has another', async () => {
  const stopped = { ms: 0 }
  const all = setUp()
  const dispatcher = all.open({ now: () => all.time.clock() + stopped.ms })
  all.memory.commit('d1', 3)
  dispatcher.wake('d1')
  const [first] = await all.sendings.until(1)
  stopped.ms = 60_000
  all.memory.takeLease('d1')
  first?.end()
  await settle()
  assert.deepEqual(sequencesOf(all.sendings.items), [1])
  assert.deepEqual(all.memory.records, [])
  await dispatcher.close()
  assert.equal(all.time.countTimers(), 0)
})

test('a delivery may take longer than a lease lingers: its event is sent once', async () => {
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

test('a record that is slow does not undo a later one', async () => {
  const all = setUp()
  const store = all.memory.ofProcess()
  const slow = Promise.withResolvers<void>()
  let count = 0
  const dispatcher = all.open({
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
  dispatcher.wake('d1')
  ;(await all.sendings.until(1))[0]?.end()
  await all.sendings.until(2)
  all.time.advance(250)
  all.sendings.items[1]?.end()
  ;(await all.sendings.until(3))[2]?.end(response(503))
  await settle()
  slow.resolve()
  await all.time.scheduled(5_000)
  assert.partialDeepStrictEqual(all.memory.streamOf('d1', 'endpoint'), { deliveredSequence: 2, failures: 1 })
  await dispatcher.close()
})

test(`an event that is refused ${maxRefusals} times is set aside, and the next one goes out at once`, async () => {
  const all = setUp(({ sequence }) => response(sequence === 2 ? 400 : 200))
  all.memory.commit('d1', 3)
  all.dispatcher.wake('d1')
  await pass(all, 3 * 3_600_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, ...Array(maxRefusals).fill(2), 3])
  assert.partialDeepStrictEqual(all.memory.dead, [{ sequence: 2, reason: 'answered 400' }])
  assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 3)
  await all.dispatcher.close()
})

test('410 pauses the stream, a wake does not send, and resuming goes on', async () => {
  let status = 410
  const all = setUp(() => response(status))
  all.memory.commit('d1', 2)
  all.dispatcher.start()
  all.dispatcher.wake('d1')
  await settle()
  all.dispatcher.wake('d1')
  await pass(all, 3_600_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1])
  assert.equal(all.memory.streamOf('d1', 'endpoint').pause?.reason, 'gone')
  status = 200
  await all.memory.store.changeStream('d1', 'endpoint', resumeStream)
  all.dispatcher.retry('d1')
  assert.deepEqual(sequencesOf(await all.sendings.until(3)), [1, 1, 2])
  await all.dispatcher.close()
})

for (const { name, of } of [
  { name: 'in this process', of: ({ one }: ReturnType<typeof twoProcesses>) => one },
  { name: 'in another process', of: ({ other }: ReturnType<typeof twoProcesses>) => other },
]) {
  test(`a pause that an operator makes ${name} counts at once, though the lease lingers`, async () => {
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

  test(`a stream that an operator rewinds ${name} goes out again at once, though the lease lingers`, async () => {
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
  test(`${name} is tried at once, also when the attempt under way fails afterwards`, async () => {
    const all = setUp()
    all.memory.commit('d1', 1)
    all.dispatcher.start()
    const [first] = await all.sendings.until(1)
    await all.memory.store.changeStream('d1', 'endpoint', directoryUpdated(hasNewEndpoint))
    all.dispatcher.retry('d1')
    first?.end(response(status))
    ;(await all.sendings.until(2))[1]?.end()
    await settle()
    assert.equal(all.memory.deliveredOf('d1', 'endpoint'), 1)
    await all.dispatcher.close()
  })
}

test('what is to be sent once more goes out before the stream, in order and once', async () => {
  const all = setUp(always200)
  all.memory.commit('d1', 3)
  all.dispatcher.start()
  await all.sendings.until(3)
  await settle()
  all.memory.commit('d1', 1)
  for (const sequence of [3, 1, 3]) await all.memory.store.requestReplay('d1', 'endpoint', sequence, 0)
  all.dispatcher.retry('d1')
  await settle()
  all.dispatcher.retry('d1')
  await pass(all, 10_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2, 3, 1, 3, 4])
  await all.dispatcher.close()
})

test('an event that is refused when it is sent once more is dead, and the stream goes on', async () => {
  let status = 200
  const all = setUp(({ sequence }) => response(sequence === 1 ? status : 200))
  all.memory.commit('d1', 2)
  all.dispatcher.wake('d1')
  await all.sendings.until(2)
  status = 400
  all.memory.commit('d1', 1)
  await all.memory.store.requestReplay('d1', 'endpoint', 1, 0)
  all.dispatcher.retry('d1')
  await pass(all, 10_000)
  assert.deepEqual(sequencesOf(all.sendings.items), [1, 2, 1, 3])
  assert.partialDeepStrictEqual(all.memory.dead, [{ sequence: 1, reason: 'answered 400' }])
  await all.dispatcher.close()
})

test('an event that is asked for once more before its turn has come is sent in its place, and nothing is skipped', async () => {
  let status = 503
  const all = setUp(() => response(status))
  all.memory.commit('d1', 4)
  await all.memory.store.requestReplay('d1', 'endpoint', 3, 0)
  all.dispatcher.start()
  await all.sendings.until(1)
  status = 400
  await pass(all, 5 * 3_600_000)
  status = 200
  await pass(all, 3_600_000)
  const firsts = [...new Set(sequencesOf(all.sendings.items))]
  assert.deepEqual(firsts, [1, 2, 3, 4])
  await all.dispatcher.close()
})
