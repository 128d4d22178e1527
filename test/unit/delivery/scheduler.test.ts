import assert from 'node:assert/strict'
import test from 'node:test'
import type { AttemptResult } from '../../../src/delivery/attempt.ts'
import { failed, response, someDirectory } from './support/samples.ts'
import { always200, oneTo, sequencesOf, settle, setUp } from './support/scheduling.ts'

test('events go one at a time, in order', async () => {
  const { memory, sendings, dispatcher } = setUp()
  memory.commit('d1', 3)
  dispatcher.wake('d1')
  for (const count of [1, 2, 3]) {
    const sent = await sendings.until(count)
    await settle()
    assert.deepEqual(sequencesOf(sent), oneTo(count))
    sent.at(-1)?.end()
  }
  await dispatcher.close()
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 3)
})

test('events that were there before the start are found, over many pages of directories', async () => {
  const { memory, sendings, dispatcher } = setUp(always200)
  for (let i = 0; i < 1_500; i += 1) memory.commit(`d${i}`, 1)
  dispatcher.start()
  const sent = await sendings.until(1_500)
  assert.equal(new Set(sent.map(({ directoryId }) => directoryId)).size, 1_500)
  await dispatcher.close()
})

test('an event whose wake was lost is found within 4 s', async () => {
  const { memory, time, sendings, dispatcher } = setUp(always200)
  dispatcher.start()
  await time.scheduled(4_000)
  memory.commit('d1', 1)
  await settle()
  assert.equal(sendings.items.length, 0)
  time.advance(5_000)
  await sendings.until(1)
  await dispatcher.close()
})

test('many wakes are one, and one during a delivery is not lost', async () => {
  const { memory, sendings, dispatcher } = setUp()
  memory.commit('d1', 1)
  for (let i = 0; i < 100; i += 1) dispatcher.wake('d1')
  const [first] = await sendings.until(1)
  memory.commit('d1', 1)
  for (let i = 0; i < 100; i += 1) dispatcher.wake('d1')
  await settle()
  assert.equal(sendings.items.length, 1)
  first?.end()
  const sent = await sendings.until(2)
  sent[1]?.end()
  await settle()
  assert.deepEqual(sequencesOf(sendings.items), [1, 2])
  await dispatcher.close()
})

test('events are read in pages of 100 at most', async () => {
  const { memory, sendings, dispatcher } = setUp(always200)
  memory.commit('d1', 450)
  dispatcher.wake('d1')
  assert.deepEqual(sequencesOf(await sendings.until(450)), oneTo(450))
  assert.ok(memory.limits.every((limit) => limit <= 100))
  await dispatcher.close()
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
  test(`an event that is ${name} holds the stream and is sent again until it is taken`, async () => {
    let works = false
    const { memory, time, sendings, dispatcher } = setUp(() => (works ? response(200) : delivery))
    memory.commit('d1', 2)
    dispatcher.wake('d1')
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
    await dispatcher.close()
  })
}

test('after a success the back-off begins anew', async () => {
  const statuses = [500, 500, 200, 500]
  const { memory, time, sendings, dispatcher } = setUp(() => response(statuses.shift() ?? 200))
  memory.commit('d1', 2)
  dispatcher.wake('d1')
  for (const delayMs of [5_000, 30_000, 5_000]) {
    await time.scheduled(delayMs)
    time.advance(delayMs)
  }
  assert.deepEqual(sequencesOf(await sendings.until(5)), [1, 1, 1, 2, 2])
  await dispatcher.close()
})

test('a wake during the back-off does not end it', async () => {
  const { memory, time, sendings, dispatcher } = setUp(() => response(500))
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  await time.scheduled(5_000)
  for (let i = 0; i < 100; i += 1) {
    memory.commit('d1', 1)
    dispatcher.wake('d1')
  }
  time.advance(4_999)
  await settle()
  assert.equal(sendings.items.length, 1)
  await dispatcher.close()
})

test('a directory that fails does not delay another', async () => {
  const { memory, time, sendings, dispatcher } = setUp(
    ({ directoryId }) => response(directoryId === 'bad' ? 500 : 200),
    {
      maxConcurrentDirectories: 1,
    },
  )
  memory.commit('bad', 1)
  memory.commit('good', 3)
  dispatcher.wake('bad')
  dispatcher.wake('good')
  await time.scheduled(5_000)
  const sent = await sendings.until(4)
  assert.deepEqual(
    sent.map(({ directoryId }) => directoryId),
    ['bad', 'good', 'good', 'good'],
  )
  await dispatcher.close()
})

test('an error that send throws is a failed delivery with its reason', async () => {
  const { memory, time, warnings, failures, open } = setUp()
  const dispatcher = open({
    send: () => {
      throw new Error('a bug')
    },
  })
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  await time.scheduled(5_000)
  assert.partialDeepStrictEqual(warnings.items, [{ directoryId: 'd1', sequence: 1, failures: 1, reason: 'a bug' }])
  assert.deepEqual(failures, ['no-answer'])
  await dispatcher.close()
})

test('so many directories at once as allowed, each with one event under way', async () => {
  const { memory, sendings, dispatcher } = setUp(undefined, { maxConcurrentDirectories: 3 })
  for (const id of ['a', 'b', 'c', 'd']) {
    memory.commit(id, 2)
    dispatcher.wake(id)
  }
  const sent = await sendings.until(3)
  await settle()
  assert.deepEqual(
    sent.map(({ directoryId, sequence }) => `${directoryId}${sequence}`),
    ['a1', 'b1', 'c1'],
  )
  for (let i = 0; i < 8; i += 1) (await sendings.until(i + 1))[i]?.end()
  await dispatcher.close()
  assert.equal(sendings.items.length, 8)
})

test('a directory with many events behind gives way after 200 to those that wait', async () => {
  const { memory, sendings, dispatcher } = setUp(always200, { maxConcurrentDirectories: 1 })
  memory.commit('long', 1_000)
  memory.commit('short', 1)
  dispatcher.wake('long')
  dispatcher.wake('short')
  const sent = await sendings.until(1_001)
  assert.equal(
    sent.findIndex(({ directoryId }) => directoryId === 'short'),
    200,
  )
  assert.deepEqual(sequencesOf(sent.filter(({ directoryId }) => directoryId === 'long')), oneTo(1_000))
  await dispatcher.close()
})

test('a slow directory gives way after 2 s to those that wait', async () => {
  const { memory, time, sendings, dispatcher } = setUp(undefined, { maxConcurrentDirectories: 1 })
  memory.commit('slow', 10)
  memory.commit('other', 1)
  dispatcher.wake('slow')
  dispatcher.wake('other')
  for (let i = 0; i < 3; i += 1) {
    const sent = await sendings.until(i + 1)
    time.advance(1_000)
    sent[i]?.end()
  }
  assert.equal(sendings.items[2]?.directoryId, 'other')
  const closed = dispatcher.close()
  sendings.items.at(-1)?.end()
  await closed
})

test('progress is written at the end of what is due, not for every event', async () => {
  const { memory, sendings, dispatcher } = setUp(always200)
  memory.commit('d1', 50)
  dispatcher.wake('d1')
  await sendings.until(50)
  await settle()
  assert.deepEqual(memory.records, [{ directoryId: 'd1', sequence: 50 }])
  await dispatcher.close()
})

test('progress is written after 250 ms while events flow, and at a failure', async () => {
  const { memory, time, sendings, dispatcher } = setUp()
  memory.commit('d1', 10)
  dispatcher.wake('d1')
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
  await dispatcher.close()
})

test('another dispatcher goes on where the first one stopped', async () => {
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

test('after a crash events may be repeated, none is skipped', async () => {
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

test('close finishes the delivery in flight, records it and sends nothing more', async () => {
  const { memory, time, sendings, dispatcher } = setUp()
  memory.commit('d1', 3)
  dispatcher.start()
  const [first] = await sendings.until(1)
  let closed = false
  const closing = dispatcher.close().then(() => {
    closed = true
  })
  await settle()
  assert.equal(closed, false)
  first?.end()
  await closing
  await dispatcher.close()
  dispatcher.wake('d1')
  time.advance(60_000)
  await settle()
  assert.deepEqual(sequencesOf(sendings.items), [1])
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 1)
  assert.equal(time.countTimers(), 0)
})

test('close during a back-off ends at once and leaves no timer', async () => {
  const { memory, time, dispatcher } = setUp(() => response(500))
  memory.commit('d1', 1)
  dispatcher.start()
  await time.scheduled(4_000)
  await dispatcher.close()
  assert.equal(time.countTimers(), 0)
})

test('close gives up what is still in flight when its grace is over', async () => {
  const { memory, time, open } = setUp()
  const started = Promise.withResolvers<void>()
  const dispatcher = open({
    closeGraceMs: 3_000,
    send: (_directory, _parcel, _attempt, signal) => {
      const { promise, resolve } = Promise.withResolvers<AttemptResult>()
      signal.addEventListener('abort', () => resolve(failed('given up')))
      started.resolve()
      return promise
    },
  })
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  await started.promise
  const closed = dispatcher.close()
  time.advance(3_000)
  await closed
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 0)
})

for (const { name, directory } of [
  { name: 'deactivated', directory: someDirectory({ deactivated: true }) },
  { name: 'without an endpoint', directory: someDirectory({ endpoint: undefined }) },
]) {
  test(`a directory that is ${name} is left alone until that changes`, async () => {
    const { memory, sendings, dispatcher } = setUp(always200)
    memory.put(directory)
    memory.commit('d1', 2)
    dispatcher.start()
    dispatcher.wake('d1')
    await settle()
    assert.equal(sendings.items.length, 0)
    memory.put(someDirectory())
    dispatcher.wake('d1')
    assert.deepEqual(sequencesOf(await sendings.until(2)), [1, 2])
    await dispatcher.close()
  })
}

test('a callback of this process gets the events of directories without an endpoint too', async () => {
  const { memory, sendings, open } = setUp(always200)
  const dispatcher = open({ target: 'on-event' })
  memory.put(someDirectory({ endpoint: undefined }))
  memory.commit('d1', 2)
  dispatcher.start()
  await sendings.until(2)
  await dispatcher.close()
  assert.equal(memory.deliveredOf('d1', 'on-event'), 2)
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 0)
})

test('a new endpoint counts from the next attempt', async () => {
  const { memory, time, sendings, dispatcher } = setUp(() => response(500))
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  await time.scheduled(5_000)
  memory.put(someDirectory({ endpoint: { url: 'https://new.example/', secret: 'new', previousSecret: undefined } }))
  time.advance(5_000)
  assert.equal((await sendings.until(2))[1]?.url, 'https://new.example/')
  await dispatcher.close()
})

test('a directory that is deactivated while its events flow stops, and keeps them', async () => {
  const { memory, time, sendings, dispatcher } = setUp()
  memory.commit('d1', 5)
  dispatcher.wake('d1')
  const [first] = await sendings.until(1)
  memory.put(someDirectory({ deactivated: true }))
  time.advance(250)
  first?.end()
  await settle()
  assert.equal(sendings.items.length, 1)
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 1)
  await dispatcher.close()
})

test('a directory that is deleted during a delivery just ends', async () => {
  const { memory, time, sendings, errors, dispatcher } = setUp()
  memory.commit('d1', 2)
  dispatcher.wake('d1')
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
  await dispatcher.close()
})

test('a store out of reach is tried again every second, and nothing is lost', async () => {
  const { memory, time, sendings, errors, dispatcher } = setUp(always200)
  memory.commit('d1', 2)
  memory.fail(new Error('the database is away'))
  dispatcher.start()
  dispatcher.wake('d1')
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
  await dispatcher.close()
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 2)
})

test('progress that could not be written is written before anything else is sent', async () => {
  const { memory, time, sendings, errors, dispatcher } = setUp()
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  const [first] = await sendings.until(1)
  memory.fail(new Error('the database is away'))
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
  await dispatcher.close()
})

test('close ends though the store is out of reach', async () => {
  const { memory, time, sendings, dispatcher } = setUp()
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  const [first] = await sendings.until(1)
  memory.fail(new Error('the database is away'))
  const closed = dispatcher.close()
  first?.end()
  await closed
  assert.equal(time.countTimers(), 0)
})

test('the age of an event and the reasons of failures are observed', async () => {
  const statuses = [503, 200]
  const { memory, time, sendings, ages, failures, dispatcher } = setUp(() => response(statuses.shift() ?? 200))
  memory.commit('d1', 1)
  dispatcher.wake('d1')
  await time.scheduled(5_000)
  time.advance(5_000)
  await sendings.until(2)
  await settle()
  assert.deepEqual(failures, ['503'])
  assert.deepEqual(ages, [5_000])
  await dispatcher.close()
})
