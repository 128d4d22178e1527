import assert from 'node:assert/strict'
import test from 'node:test'
import type { AttemptResult } from '../../../src/delivery/attempt.ts'
import { failed, response, someDirectory } from './support/samples.ts'
import { always200, oneTo, sequencesOf, settle, setUp } from './support/scheduling.ts'

test('events are sent one at a time, in order', async () => {
  const { memory, sendings, scheduler } = setUp()
  memory.commit('d1', 3)
  scheduler.wake('d1')
  for (const count of [1, 2, 3]) {
    const sent = await sendings.until(count)
    await settle()
    assert.deepEqual(sequencesOf(sent), oneTo(count))
    sent.at(-1)?.end()
  }
  await scheduler.close()
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 3)
})

test('events from before the start are found, over many pages of directories', async () => {
  const { memory, sendings, scheduler } = setUp(always200)
  for (let i = 0; i < 1_500; i += 1) memory.commit(`d${i}`, 1)
  scheduler.start()
  const sent = await sendings.until(1_500)
  assert.equal(new Set(sent.map(({ directoryId }) => directoryId)).size, 1_500)
  await scheduler.close()
})

test('polling finds an event that no wake-up reported', async () => {
  const { memory, time, sendings, scheduler } = setUp(always200)
  scheduler.start()
  await time.scheduled(4_000)
  memory.commit('d1', 1)
  await settle()
  assert.equal(sendings.items.length, 0)
  time.advance(5_000)
  await sendings.until(1)
  await scheduler.close()
})

test('wake-ups are combined, and one during an attempt is not lost', async () => {
  const { memory, sendings, scheduler } = setUp()
  memory.commit('d1', 1)
  for (let i = 0; i < 100; i += 1) scheduler.wake('d1')
  const [first] = await sendings.until(1)
  memory.commit('d1', 1)
  for (let i = 0; i < 100; i += 1) scheduler.wake('d1')
  await settle()
  assert.equal(sendings.items.length, 1)
  first?.end()
  const sent = await sendings.until(2)
  sent[1]?.end()
  await settle()
  assert.deepEqual(sequencesOf(sendings.items), [1, 2])
  await scheduler.close()
})

test('events are read in pages of up to 100', async () => {
  const { memory, sendings, scheduler } = setUp(always200)
  memory.commit('d1', 450)
  scheduler.wake('d1')
  assert.deepEqual(sequencesOf(await sendings.until(450)), oneTo(450))
  assert.ok(memory.limits.every((limit) => limit <= 100))
  await scheduler.close()
})

for (const { name, delivery, delaysMs } of [
  {
    name: 'answered 503',
    delivery: response(503),
    delaysMs: [5_000, 30_000, 120_000, 300_000, 600_000, 900_000, 900_000],
  },
  { name: 'not answered', delivery: failed('connect ECONNREFUSED'), delaysMs: [5_000, 30_000, 120_000] },
  { name: 'answered 400', delivery: response(400), delaysMs: [5_000, 30_000] },
  { name: 'redirected', delivery: response(302), delaysMs: [5_000, 30_000] },
  { name: 'asked to wait', delivery: response(429, '77'), delaysMs: [77_000, 77_000] },
]) {
  test(`an event that is ${name} blocks the stream and is retried until it is delivered`, async () => {
    let works = false
    const { memory, time, sendings, scheduler } = setUp(() => (works ? response(200) : delivery))
    memory.commit('d1', 2)
    scheduler.wake('d1')
    for (const [index, delayMs] of delaysMs.entries()) {
      await time.scheduled(delayMs)
      time.advance(delayMs - 1)
      await settle()
      assert.deepEqual(sequencesOf(sendings.items), Array(index + 1).fill(1))
      works = index === delaysMs.length - 1
      time.advance(1)
      await sendings.until(index + 2)
    }
    const sent = await sendings.until(delaysMs.length + 2)
    assert.equal(sent.at(-1)?.sequence, 2)
    await scheduler.close()
  })
}

test('a success resets the backoff', async () => {
  const statuses = [500, 500, 200, 500]
  const { memory, time, sendings, scheduler } = setUp(() => response(statuses.shift() ?? 200))
  memory.commit('d1', 2)
  scheduler.wake('d1')
  for (const delayMs of [5_000, 30_000, 5_000]) {
    await time.scheduled(delayMs)
    time.advance(delayMs)
  }
  assert.deepEqual(sequencesOf(await sendings.until(5)), [1, 1, 1, 2, 2])
  await scheduler.close()
})

test('a wake-up does not end a backoff', async () => {
  const { memory, time, sendings, scheduler } = setUp(() => response(500))
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await time.scheduled(5_000)
  for (let i = 0; i < 100; i += 1) {
    memory.commit('d1', 1)
    scheduler.wake('d1')
  }
  time.advance(4_999)
  await settle()
  assert.equal(sendings.items.length, 1)
  await scheduler.close()
})

test('a failing directory does not delay another one', async () => {
  const { memory, time, sendings, scheduler } = setUp(
    ({ directoryId }) => response(directoryId === 'bad' ? 500 : 200),
    {
      maxConcurrentDirectories: 1,
    },
  )
  memory.commit('bad', 1)
  memory.commit('good', 3)
  scheduler.wake('bad')
  scheduler.wake('good')
  await time.scheduled(5_000)
  const sent = await sendings.until(4)
  assert.deepEqual(
    sent.map(({ directoryId }) => directoryId),
    ['bad', 'good', 'good', 'good'],
  )
  await scheduler.close()
})

test('an error thrown by send is a failed attempt', async () => {
  const { memory, time, warnings, failures, open } = setUp()
  const scheduler = open({
    send: () => {
      throw new Error('a bug')
    },
  })
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await time.scheduled(5_000)
  assert.partialDeepStrictEqual(warnings.items, [{ directoryId: 'd1', sequence: 1, failures: 1, reason: 'a bug' }])
  assert.deepEqual(failures, ['no-answer'])
  await scheduler.close()
})

test('directories are sent to concurrently up to the limit, each with one event in flight', async () => {
  const { memory, sendings, scheduler } = setUp(undefined, { maxConcurrentDirectories: 3 })
  for (const id of ['a', 'b', 'c', 'd']) {
    memory.commit(id, 2)
    scheduler.wake(id)
  }
  const sent = await sendings.until(3)
  await settle()
  assert.deepEqual(
    sent.map(({ directoryId, sequence }) => `${directoryId}${sequence}`),
    ['a1', 'b1', 'c1'],
  )
  for (let i = 0; i < 8; i += 1) (await sendings.until(i + 1))[i]?.end()
  await scheduler.close()
  assert.equal(sendings.items.length, 8)
})

test('a directory with many events gives way to waiting ones after 200 events', async () => {
  const { memory, sendings, scheduler } = setUp(always200, { maxConcurrentDirectories: 1 })
  memory.commit('long', 1_000)
  memory.commit('short', 1)
  scheduler.wake('long')
  scheduler.wake('short')
  const sent = await sendings.until(1_001)
  assert.equal(
    sent.findIndex(({ directoryId }) => directoryId === 'short'),
    200,
  )
  assert.deepEqual(sequencesOf(sent.filter(({ directoryId }) => directoryId === 'long')), oneTo(1_000))
  await scheduler.close()
})

test('a slow directory gives way to waiting ones after 2 s', async () => {
  const { memory, time, sendings, scheduler } = setUp(undefined, { maxConcurrentDirectories: 1 })
  memory.commit('slow', 10)
  memory.commit('other', 1)
  scheduler.wake('slow')
  scheduler.wake('other')
  for (let i = 0; i < 3; i += 1) {
    const sent = await sendings.until(i + 1)
    time.advance(1_000)
    sent[i]?.end()
  }
  assert.equal(sendings.items[2]?.directoryId, 'other')
  const closed = scheduler.close()
  sendings.items.at(-1)?.end()
  await closed
})

test('progress is written once everything due is sent, not for every event', async () => {
  const { memory, sendings, scheduler } = setUp(always200)
  memory.commit('d1', 50)
  scheduler.wake('d1')
  await sendings.until(50)
  await settle()
  assert.deepEqual(memory.records, [{ directoryId: 'd1', sequence: 50 }])
  await scheduler.close()
})

test('progress is written every 250 ms while events are sent, and at a failure', async () => {
  const { memory, time, sendings, scheduler } = setUp()
  memory.commit('d1', 10)
  scheduler.wake('d1')
  for (let i = 0; i < 2; i += 1) (await sendings.until(i + 1))[i]?.end()
  await sendings.until(3)
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 0)
  time.advance(250)
  await settle()
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 2)
  sendings.items[2]?.end()
  const sent = await sendings.until(4)
  sent[3]?.end(response(500))
  await time.scheduled(5_000)
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 3)
  await scheduler.close()
})

test('another scheduler continues where the first one stopped', async () => {
  const { memory, sendings, open } = setUp()
  memory.commit('d1', 5)
  const first = open()
  first.start()
  for (let i = 0; i < 2; i += 1) (await sendings.until(i + 1))[i]?.end()
  await sendings.until(3)
  const closed = first.close()
  sendings.items[2]?.end()
  await closed
  const second = open()
  second.start()
  for (let i = 3; i < 5; i += 1) (await sendings.until(i + 1))[i]?.end()
  await second.close()
  assert.deepEqual(sequencesOf(sendings.items), oneTo(5))
})

test('after a crash events may be repeated, but none is skipped', async () => {
  const { memory, time, sendings, open } = setUp()
  memory.commit('d1', 4)
  open().start()
  for (let i = 0; i < 2; i += 1) (await sendings.until(i + 1))[i]?.end()
  time.advance(250)
  await settle()
  sendings.items[2]?.end()
  await sendings.until(4)
  memory.freeLease('d1')
  const next = open()
  next.start()
  for (let i = 4; i < 6; i += 1) (await sendings.until(i + 1))[i]?.end()
  await next.close()
  assert.deepEqual(sequencesOf(sendings.items), [1, 2, 3, 4, 3, 4])
})

test('close waits for the attempt in flight, records it and sends nothing more', async () => {
  const { memory, time, sendings, scheduler } = setUp()
  memory.commit('d1', 3)
  scheduler.start()
  const [first] = await sendings.until(1)
  let closed = false
  const closing = scheduler.close().then(() => {
    closed = true
  })
  await settle()
  assert.equal(closed, false)
  first?.end()
  await closing
  await scheduler.close()
  scheduler.wake('d1')
  time.advance(60_000)
  await settle()
  assert.deepEqual(sequencesOf(sendings.items), [1])
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 1)
  assert.equal(time.countTimers(), 0)
})

test('close does not wait for a backoff and leaves no timer', async () => {
  const { memory, time, scheduler } = setUp(() => response(500))
  memory.commit('d1', 1)
  scheduler.start()
  await time.scheduled(4_000)
  await scheduler.close()
  assert.equal(time.countTimers(), 0)
})

test('close aborts an attempt that is still in flight after the grace period', async () => {
  const { memory, time, open } = setUp()
  const started = Promise.withResolvers<void>()
  const scheduler = open({
    closeGraceMs: 3_000,
    send: (_directory, _batch, _attempt, signal) => {
      const { promise, resolve } = Promise.withResolvers<AttemptResult>()
      signal.addEventListener('abort', () => resolve(failed('given up')))
      started.resolve()
      return promise
    },
  })
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await started.promise
  const closed = scheduler.close()
  time.advance(3_000)
  await closed
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 0)
})

test('nothing is sent for a directory without an endpoint until it has one', async () => {
  const { memory, sendings, scheduler } = setUp(always200)
  memory.put(someDirectory({ endpoint: undefined }))
  memory.commit('d1', 2)
  scheduler.start()
  scheduler.wake('d1')
  await settle()
  assert.equal(sendings.items.length, 0)
  memory.put(someDirectory())
  scheduler.wake('d1')
  assert.deepEqual(sequencesOf(await sendings.until(2)), [1, 2])
  await scheduler.close()
})

test('a callback also receives the events of directories without an endpoint', async () => {
  const { memory, sendings, open } = setUp(always200)
  const scheduler = open({ target: 'on-event' })
  memory.put(someDirectory({ endpoint: undefined }))
  memory.commit('d1', 2)
  scheduler.start()
  await sendings.until(2)
  await scheduler.close()
  assert.equal(memory.deliveredOf('d1', 'on-event'), 2)
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 0)
})

test('the next attempt uses a new endpoint', async () => {
  const { memory, time, sendings, scheduler } = setUp(() => response(500))
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await time.scheduled(5_000)
  memory.put(someDirectory({ endpoint: { url: 'https://new.example/', secret: 'new', previousSecret: undefined } }))
  time.advance(5_000)
  assert.equal((await sendings.until(2))[1]?.url, 'https://new.example/')
  await scheduler.close()
})

test('the replays of a deactivated directory wait until it is active, and its events do not', async () => {
  const { memory, sendings, scheduler } = setUp(always200)
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await sendings.until(1)
  memory.put(someDirectory({ deactivated: true }))
  await memory.store.requestReplay('d1', 'endpoint', 1, 1)
  memory.commit('d1', 1)
  scheduler.wake('d1')
  assert.deepEqual(sequencesOf(await sendings.until(2)), [1, 2])
  await settle()
  memory.put(someDirectory())
  scheduler.wake('d1')
  assert.deepEqual(sequencesOf(await sendings.until(3)), [1, 2, 1])
  await scheduler.close()
})

test('deleting a directory during an attempt ends its stream without errors', async () => {
  const { memory, time, sendings, errors, scheduler } = setUp()
  memory.commit('d1', 2)
  scheduler.wake('d1')
  const [first] = await sendings.until(1)
  memory.remove('d1')
  time.advance(200)
  first?.end()
  await settle()
  time.advance(50)
  sendings.items[1]?.end()
  await settle()
  time.advance(1_000)
  await settle()
  const errorsSoFar = errors.items.length
  time.advance(60_000)
  await settle()
  assert.equal(errors.items.length, errorsSoFar)
  assert.equal(time.countTimers(), 0)
  await scheduler.close()
})

test('an unavailable store is tried again every second, and nothing is lost', async () => {
  const { memory, time, sendings, errors, scheduler } = setUp(always200)
  memory.commit('d1', 2)
  memory.fail(new Error('the database is unavailable'))
  scheduler.start()
  scheduler.wake('d1')
  for (let i = 1; i <= 3; i += 1) {
    await errors.until(2 * i)
    await settle()
    assert.equal(errors.items.length, 2 * i)
    time.advance(1_000)
  }
  await errors.until(8)
  await settle()
  memory.fail(undefined)
  time.advance(1_000)
  assert.deepEqual(sequencesOf(await sendings.until(2)), [1, 2])
  await scheduler.close()
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 2)
})

test('progress that could not be written is written before more events are sent', async () => {
  const { memory, time, sendings, errors, scheduler } = setUp()
  memory.commit('d1', 1)
  scheduler.wake('d1')
  const [first] = await sendings.until(1)
  memory.fail(new Error('the database is unavailable'))
  first?.end()
  await errors.until(1)
  await time.scheduled(1_000)
  memory.fail(undefined)
  memory.commit('d1', 1)
  time.advance(1_000)
  const sent = await sendings.until(2)
  assert.deepEqual(sequencesOf(sent), [1, 2])
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 1)
  sent[1]?.end()
  await scheduler.close()
})

test('close completes when the store is unavailable', async () => {
  const { memory, time, sendings, scheduler } = setUp()
  memory.commit('d1', 1)
  scheduler.wake('d1')
  const [first] = await sendings.until(1)
  memory.fail(new Error('the database is unavailable'))
  const closed = scheduler.close()
  first?.end()
  await closed
  assert.equal(time.countTimers(), 0)
})

test('the observer receives the age of events and the reasons of failures', async () => {
  const statuses = [503, 200]
  const { memory, time, sendings, ages, failures, scheduler } = setUp(() => response(statuses.shift() ?? 200))
  memory.commit('d1', 1)
  scheduler.wake('d1')
  await time.scheduled(5_000)
  time.advance(5_000)
  await sendings.until(2)
  await settle()
  assert.deepEqual(failures, ['503'])
  assert.deepEqual(ages, [5_000])
  await scheduler.close()
})
