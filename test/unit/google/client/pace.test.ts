import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import type { Attempt, FailedAttempt } from '../../../../src/google/client/pace.ts'
import { createPace } from '../../../../src/google/client/pace.ts'
import { startOfTime, timeless } from './support/timeless.ts'

const { signal } = new AbortController()
const failure = new GoogleFailure('unavailable', 'later')
const again: FailedAttempt = { kind: 'retry', failure, retryAfter: undefined, isLimit: false }
const done = <T>(value: T): Attempt<T> => ({ kind: 'done', value })

/** Scripted attempts, one after the other. */
function tries(...results: Attempt<string>[]) {
  let count = 0
  return {
    attempt: async () => results[count++] ?? done('at last'),
    count: () => count,
  }
}

test('a successful attempt does not wait', async () => {
  const time = timeless()
  assert.equal(await createPace(time).run(async () => done('yes'), signal), 'yes')
  assert.deepEqual(time.slept, [])
})

test('tries seven times with growing delays, then throws the failure', async () => {
  const time = timeless()
  const always = tries(...Array<FailedAttempt>(9).fill(again))
  await assert.rejects(createPace(time).run(always.attempt, signal), failure)
  assert.equal(always.count(), 7)
  assert.deepEqual(time.slept, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000])
})

test('a thrown error is not retried', async () => {
  let count = 0
  const refused = createPace(timeless()).run(() => {
    count += 1
    throw failure
  }, signal)
  await assert.rejects(refused, failure)
  assert.equal(count, 1)
})

for (const { retryAfter, waits, because } of [
  { retryAfter: '30', waits: 30_000, because: 'it was asked for' },
  { retryAfter: new Date(startOfTime + 45_000).toUTCString(), waits: 45_000, because: 'a date was named' },
  { retryAfter: '0', waits: 1_000, because: 'a failure is a failure' },
  { retryAfter: '86400', waits: 600_000, because: 'ten minutes are enough' },
]) {
  test(`waits ${waits} ms after Retry-After: ${retryAfter}: ${because}`, async () => {
    const time = timeless()
    await createPace(time).run(tries({ ...again, retryAfter }).attempt, signal)
    assert.deepEqual(time.slept, [waits])
  })
}

test('the number of concurrent attempts is limited', async () => {
  const pace = createPace({ ...timeless(), maxConcurrent: 2 })
  let running = 0
  let most = 0
  const attempt = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    return done(running)
  }
  await Promise.all(Array.from({ length: 9 }, () => pace.run(attempt, signal)))
  assert.equal(most, 2)
})

test('waiting requests are served in order', async () => {
  const pace = createPace({ ...timeless(), maxConcurrent: 1 })
  const order: number[] = []
  const attempt = (number: number) => async () => {
    await new Promise(setImmediate)
    return done(order.push(number))
  }
  await Promise.all([1, 2, 3, 4].map((number) => pace.run(attempt(number), signal)))
  assert.deepEqual(order, [1, 2, 3, 4])
})

test('a request that waits for its retry does not block others', async () => {
  const waiting = Promise.withResolvers<void>()
  const pace = createPace({ ...timeless(), sleep: () => waiting.promise, maxConcurrent: 1 })
  const slow = pace.run(tries(again).attempt, signal)
  assert.equal(await pace.run(async () => done('quick'), signal), 'quick')
  waiting.resolve()
  assert.equal(await slow, 'at last')
})

test('a rate limit hit by one request delays the others too', async () => {
  const time = timeless()
  const pace = createPace(time)
  const startedAt: number[] = []
  const limited = tries({ ...again, isLimit: true, retryAfter: '20' })
  const first = pace.run(limited.attempt, signal)
  await new Promise(setImmediate)
  const second = pace.run(async () => done(startedAt.push(time.now())), signal)
  await Promise.all([first, second])
  assert(Math.min(...startedAt) >= startOfTime + 20_000)
})

test('other failures do not delay other requests', async () => {
  const rest = Promise.withResolvers<void>()
  const pace = createPace({ ...timeless(), sleep: () => rest.promise })
  const first = pace.run(tries(again).attempt, signal)
  await new Promise(setImmediate)
  assert.equal(await pace.run(async () => done('quick'), signal), 'quick')
  rest.resolve()
  await first
})

test('a clock that is set back does not prolong the wait for a limit', async () => {
  const time = timeless()
  let offset = 0
  const pace = createPace({ ...time, now: () => time.now() + offset })
  await pace.run(tries({ ...again, isLimit: true, retryAfter: '60' }).attempt, signal)
  offset = -30 * 24 * 3_600_000
  await pace.run(async () => done('yes'), signal)
  assert.deepEqual(time.slept.slice(0, 3), [60_000, 600_000])
})

test('the signal aborts a delay with its reason', async () => {
  const stop = new AbortController()
  const time = timeless()
  const attempt = async () => {
    stop.abort(new Error('the service stops'))
    return again
  }
  await assert.rejects(createPace(time).run(attempt, stop.signal), { message: 'the service stops' })
})

test('the signal aborts the wait for a slot without losing the slot', async () => {
  const pace = createPace({ ...timeless(), maxConcurrent: 1 })
  const first = Promise.withResolvers<Attempt<string>>()
  const stop = new AbortController()
  const running = pace.run(() => first.promise, signal)
  const stopped = pace.run(async () => done('never'), stop.signal)
  stop.abort(new Error('the service stops'))
  await assert.rejects(stopped, { message: 'the service stops' })
  first.resolve(done('first'))
  assert.equal(await running, 'first')
  assert.equal(await pace.run(async () => done('third'), signal), 'third')
})

test('nothing is tried after the signal aborts', async () => {
  let count = 0
  const attempt = async () => done(count++)
  const run = createPace(timeless()).run(attempt, AbortSignal.abort(new Error('the service stops')))
  await assert.rejects(run, { message: 'the service stops' })
  assert.equal(count, 0)
})
