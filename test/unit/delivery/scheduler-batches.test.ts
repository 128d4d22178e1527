import assert from 'node:assert/strict'
import test from 'node:test'
import { directoryUpdated } from '../../../src/delivery/policy.ts'
import type { Sending } from './support/manual-send.ts'
import { response } from './support/samples.ts'
import type { Answer } from './support/scheduling.ts'
import { always200, settle, setUp } from './support/scheduling.ts'

const inBatches = (size: number, answer: Answer | undefined = always200, intervalMs?: number) =>
  setUp(answer, { batch: { size, intervalMs } })
const batchesOf = (sendings: readonly Sending[]) => sendings.map(({ sequences }) => sequences)
const lengthsOf = (sendings: readonly Sending[]) => sendings.map(({ sequences }) => sequences.length)

test('events wait for a run and are sent in batches', async () => {
  const { memory, time, sendings, scheduler } = inBatches(2)
  memory.commit('d1', 5)
  memory.commit('d2', 1)
  scheduler.start()
  scheduler.wake('d1')
  scheduler.retry('d1')
  time.advance(60_000)
  await settle()
  assert.deepEqual(sendings.items, [])
  const report = await scheduler.processDue()
  assert.deepEqual(report, { directories: 2, delivered: 6, failed: 0, remaining: 0 })
  const ofFirst = sendings.items.filter(({ directoryId }) => directoryId === 'd1')
  assert.deepEqual(batchesOf(ofFirst), [[1, 2], [3, 4], [5]])
  assert.equal(memory.deliveredOf('d1', 'endpoint'), 5)
  assert.deepEqual(await scheduler.processDue(), { directories: 0, delivered: 0, failed: 0, remaining: 0 })
  await scheduler.close()
  assert.equal(time.countTimers(), 0)
})

for (const { size, count, lengths } of [
  { size: 30, count: 200, lengths: [30, 30, 30, 30, 30, 30, 20] },
  { size: 100, count: 250, lengths: [100, 100, 50] },
  { size: 150, count: 301, lengths: [150, 150, 1] },
]) {
  test(`${count} events in batches of ${size} use as few batches as possible`, async () => {
    const { memory, sendings, scheduler } = inBatches(size)
    memory.commit('d1', count)
    await scheduler.processDue()
    assert.deepEqual(lengthsOf(sendings.items), lengths)
    await scheduler.close()
  })
}

for (const { name, count, failedBatch } of [
  { name: 'full', count: 3, failedBatch: [1, 2, 3] },
  { name: 'not full', count: 2, failedBatch: [1, 2] },
  { name: 'of one event', count: 1, failedBatch: [1] },
]) {
  test(`a failed batch (${name}) is retried unchanged after more events were committed`, async () => {
    let status = 503
    const { memory, time, sendings, scheduler } = inBatches(3, () => response(status))
    memory.commit('d1', count)
    const report = await scheduler.processDue()
    assert.deepEqual(report, { directories: 1, delivered: 0, failed: 1, remaining: count })
    memory.commit('d1', 2)
    const early = await scheduler.processDue()
    assert.deepEqual(early, { directories: 0, delivered: 0, failed: 0, remaining: count + 2 })
    status = 200
    time.advance(5_000)
    const sent = await sendings.until(3)
    assert.deepEqual(batchesOf(sent), [failedBatch, failedBatch, [count + 1, count + 2]])
    await scheduler.close()
  })
}

test('a failed batch is retried unchanged by another process', async () => {
  let status = 503
  const { memory, time, sendings, scheduler, open } = inBatches(3, () => response(status))
  memory.commit('d1', 2)
  await scheduler.processDue()
  await scheduler.close()
  memory.commit('d1', 1)
  status = 200
  time.advance(5_000)
  const next = open()
  assert.deepEqual(await next.processDue(), { directories: 1, delivered: 3, failed: 0, remaining: 0 })
  assert.deepEqual(batchesOf(sendings.items), [[1, 2], [1, 2], [3]])
  await next.close()
})

test('after an update of the directory the next run sends without the rest of the backoff', async () => {
  let status = 503
  const { memory, sendings, scheduler } = inBatches(3, () => response(status))
  memory.commit('d1', 2)
  await scheduler.processDue()
  status = 200
  await memory.store.changeStream('d1', 'endpoint', directoryUpdated(false, 0))
  scheduler.retry('d1')
  await settle()
  assert.equal(sendings.items.length, 1)
  assert.deepEqual(await scheduler.processDue(), { directories: 1, delivered: 2, failed: 0, remaining: 0 })
  await scheduler.close()
})

test('no event is lost when batch mode is turned off during a retry', async () => {
  let status = 503
  const { memory, time, sendings, scheduler, open } = inBatches(3, () => response(status))
  memory.commit('d1', 3)
  await scheduler.processDue()
  await scheduler.close()
  status = 200
  time.advance(5_000)
  const next = open({ batch: undefined })
  next.wake('d1')
  await sendings.until(4)
  assert.deepEqual(batchesOf(sendings.items), [[1, 2, 3], [1], [2], [3]])
  await next.close()
})

test('no second run starts while one is in progress', async () => {
  const { memory, sendings, scheduler } = setUp(undefined, { batch: { size: 2, intervalMs: undefined } })
  memory.commit('d1', 1)
  const first = scheduler.processDue()
  const [sending] = await sendings.until(1)
  assert.equal(await scheduler.processDue(), undefined)
  sending?.end()
  assert.partialDeepStrictEqual(await first, { delivered: 1 })
  assert.partialDeepStrictEqual(await scheduler.processDue(), { delivered: 0 })
  await scheduler.close()
})

test('a run rejects when the store fails, and the next one continues', async () => {
  const { memory, scheduler } = inBatches(2)
  memory.commit('d1', 1)
  memory.fail(new Error('the database is unavailable'))
  await assert.rejects(scheduler.processDue(), /unavailable/)
  memory.fail(undefined)
  assert.partialDeepStrictEqual(await scheduler.processDue(), { delivered: 1 })
  await scheduler.close()
})

test('runs start at the interval, also after one that failed', async () => {
  const { memory, time, sendings, errors, scheduler } = inBatches(2, always200, 10_000)
  memory.commit('d1', 3)
  scheduler.start()
  time.advance(9_999)
  await settle()
  assert.deepEqual(sendings.items, [])
  time.advance(1)
  await sendings.until(2)
  await settle()
  memory.commit('d1', 1)
  memory.fail(new Error('the database is unavailable'))
  time.advance(10_000)
  await errors.until(1)
  await settle()
  memory.fail(undefined)
  await time.scheduled(10_000)
  time.advance(10_000)
  await sendings.until(3)
  await scheduler.close()
  assert.equal(time.countTimers(), 0)
})

test('a run that waits for a hanging endpoint does not delay the events of other directories', async () => {
  const isHanging = ({ directoryId }: Sending) => directoryId === 'hanging'
  const { memory, time, sendings, scheduler } = inBatches(
    2,
    (sending) => (isHanging(sending) ? undefined : response(200)),
    10_000,
  )
  memory.commit('hanging', 2)
  scheduler.start()
  time.advance(10_000)
  await settle()
  for (const committed of [1, 2]) {
    memory.commit('good', 1)
    time.advance(10_000)
    await settle()
    assert.equal(memory.deliveredOf('good', 'endpoint'), committed)
  }
  assert.equal(await scheduler.processDue(), undefined)
  assert.equal(sendings.items.filter(isHanging).length, 1)
  for (const hanging of sendings.items.filter(isHanging)) hanging.end(response(200))
  await scheduler.close()
})

test('hanging endpoints leave their places to the other directories of the run', async () => {
  const options = { batch: { size: 2, intervalMs: undefined }, maxConcurrentDirectories: 4 }
  const answer: Answer = ({ directoryId }) => (directoryId.startsWith('a-hanging') ? undefined : response(200))
  const { memory, time, sendings, scheduler } = setUp(answer, options)
  for (let n = 0; n < 4; n += 1) memory.commit(`a-hanging-${n}`, 1, 'same tenant')
  memory.commit('good', 1, 'same tenant')
  const run = scheduler.processDue()
  await settle()
  assert.equal(memory.deliveredOf('good', 'endpoint'), 0)
  for (let passedMs = 0; passedMs < 1_000; passedMs += 100) {
    time.advance(100)
    await settle()
  }
  assert.equal(memory.deliveredOf('good', 'endpoint'), 1)
  for (const sending of sendings.items) sending.end(response(200))
  assert.deepEqual(await run, { directories: 5, delivered: 5, failed: 0, remaining: 0 })
  await scheduler.close()
})

test('close waits for the run in progress, which starts no more attempts', async () => {
  const { memory, sendings, scheduler } = setUp(undefined, {
    ...{ batch: { size: 1, intervalMs: undefined }, maxConcurrentDirectories: 1 },
  })
  memory.commit('d1', 2)
  memory.commit('d2', 1)
  const run = scheduler.processDue()
  const [sending] = await sendings.until(1)
  const closed = scheduler.close()
  sending?.end()
  await closed
  assert.deepEqual(await run, { directories: 2, delivered: 1, failed: 0, remaining: 2 })
  assert.equal(await scheduler.processDue(), undefined)
  assert.equal(sendings.items.length, 1)
})

test('without batch mode a run sends due events, and its report includes events committed in the meantime', async () => {
  const { memory, sendings, scheduler } = setUp()
  memory.commit('d1', 1)
  scheduler.wake('d1')
  const [first] = await sendings.until(1)
  memory.commit('d1', 1)
  const run = scheduler.processDue()
  await settle()
  first?.end()
  const [, second] = await sendings.until(2)
  second?.end()
  assert.deepEqual(await run, { directories: 1, delivered: 2, failed: 0, remaining: 0 })
  await scheduler.close()
})
