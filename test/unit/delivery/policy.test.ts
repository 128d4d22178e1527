import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { Batch } from '../../../src/delivery/attempt.ts'
import type { DeadEvent, StreamState } from '../../../src/delivery/event-store.ts'
import { newStream } from '../../../src/delivery/event-store.ts'
import {
  afterDelivery,
  afterFailure,
  afterReplay,
  directoryUpdated,
  failureLabel,
  maxFailingMs,
  maxRefusals,
  outcomeOf,
  pauseStream,
  replayAfter,
  resumeStream,
  retryBackOffMs,
  retryDelayMs,
  skipEvent,
  splitIntoBatches,
} from '../../../src/delivery/policy.ts'
import { failed, response, someEvent } from './support/samples.ts'

for (const status of [200, 201, 202, 204, 299]) {
  test(`a response with status ${status} means delivered`, () => {
    assert.equal(outcomeOf(response(status)), 'delivered')
  })
}

for (const { kind, statuses } of [
  { kind: 'retry', statuses: [408, 425, 429, 500, 502, 503, 504, 599] },
  { kind: 'refused', statuses: [300, 302, 304, 400, 401, 403, 404, 409, 413, 422] },
  { kind: 'gone', statuses: [410] },
] as const) {
  for (const status of statuses) {
    test(`a response with status ${status} means ${kind}`, () => {
      assert.deepEqual(outcomeOf(response(status, '7')), { kind, reason: `answered ${status}`, retryAfter: '7' })
    })
  }
}

test('an attempt without a response means retry', () => {
  const outcome = { kind: 'retry', reason: 'connection refused', retryAfter: null }
  assert.deepEqual(outcomeOf(failed('connection refused')), outcome)
})

test('the metric label of a failure is its status, or no-answer', () => {
  assert.equal(failureLabel(response(503)), '503')
  assert.equal(failureLabel(failed('connect ECONNREFUSED 127.0.0.1:9')), 'no-answer')
})

for (const { failures, seconds } of [
  { failures: 1, seconds: 5 },
  { failures: 2, seconds: 30 },
  { failures: 3, seconds: 120 },
  { failures: 4, seconds: 300 },
  { failures: 5, seconds: 600 },
  { failures: 6, seconds: 900 },
  { failures: 7, seconds: 900 },
  { failures: 1_000, seconds: 900 },
]) {
  test(`after ${failures} consecutive failures the backoff is ${seconds} s ± 20 %`, () => {
    const delays = [0, 0.5, 1].map((random) => retryBackOffMs(failures, random))
    assert.deepEqual(delays, [seconds * 800, seconds * 1_000, seconds * 1_200])
  })
}

for (const { retryAfter, delayMs } of [
  { retryAfter: null, delayMs: 30_000 },
  { retryAfter: 'soon', delayMs: 30_000 },
  { retryAfter: '2', delayMs: 2_000 },
  { retryAfter: '120', delayMs: 120_000 },
  { retryAfter: '0', delayMs: 1_000 },
  { retryAfter: '86400', delayMs: 3_600_000 },
  { retryAfter: '9'.repeat(400), delayMs: 3_600_000 },
]) {
  test(`the second failure, with Retry-After ${retryAfter?.slice(0, 40)}, is retried after ${delayMs} ms`, () => {
    assert.equal(retryDelayMs({ kind: 'retry', reason: 'answered 503', retryAfter }, 2, 0.5, 0), delayMs)
  })
}

const hourMs = 3_600_000

const unavailable = { kind: 'retry', reason: 'answered 503', retryAfter: null } as const
const refused = { kind: 'refused', reason: 'answered 400', retryAfter: null } as const
const gone = { kind: 'gone', reason: 'answered 410', retryAfter: null } as const
const busy = { kind: 'retry', reason: 'answered 429', retryAfter: '77' } as const

function batchOf(first: number, last = first): Batch {
  const others = Array.from({ length: last - first }, (_, index) => someEvent({ sequence: first + 1 + index }))
  return [someEvent({ sequence: first }), ...others]
}

/** A stream whose attempts are made when they are due. */
function createStream(state: StreamState = newStream) {
  const dead: DeadEvent[] = []
  let now = 1_000
  return {
    dead,
    state: () => state,
    now: () => now,
    pass(ms: number): void {
      now += ms
    },
    deliver(batch: Batch): void {
      state = afterDelivery(state, batch, now)
    },
    /** Returns the delay before the next attempt, in milliseconds. */
    fail(batch: Batch, failure: Parameters<typeof afterFailure>[2]): number {
      now = Math.max(now, state.nextAttemptAt ?? 0)
      const after = afterFailure(state, batch, failure, { now, random: 0.5 })
      state = after.state
      dead.push(...after.dead)
      return (state.nextAttemptAt ?? now) - now
    },
  }
}

test('a delivery a day or more after the commit is recorded, and later ones in time do not change that', () => {
  const dayMs = 86_400_000
  const batch: Batch = [someEvent({ sequence: 1, createdAt: 5 })]
  assert.equal(afterDelivery(newStream, batch, dayMs + 4).deliveredLateAt, undefined)
  const late = afterDelivery(newStream, batch, dayMs + 5)
  assert.equal(late.deliveredLateAt, dayMs + 5)
  const next: Batch = [someEvent({ sequence: 2, createdAt: dayMs + 6 })]
  assert.equal(afterDelivery(late, next, dayMs + 7).deliveredLateAt, dayMs + 5)
})

test('the delay grows with each consecutive failure, and a success resets it', () => {
  const stream = createStream()
  const delays = () => [1, 2, 3, 4, 5, 6, 7].map(() => stream.fail(batchOf(1), unavailable) / 1_000)
  assert.deepEqual(delays(), [5, 30, 120, 300, 600, 900, 900])
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 0, failures: 7, failingSince: 1_000, refusals: 0 })
  stream.deliver(batchOf(1))
  assert.deepEqual(stream.state(), { ...newStream, deliveredSequence: 1 })
  assert.deepEqual(delays(), [5, 30, 120, 300, 600, 900, 900])
})

test('Retry-After replaces the backoff', () => {
  const stream = createStream()
  assert.deepEqual(
    [1, 2].map(() => stream.fail(batchOf(1), busy)),
    [77_000, 77_000],
  )
})

test(`an event that is refused ${maxRefusals} times is dead, and the stream continues with the next one immediately`, () => {
  const stream = createStream()
  stream.deliver(batchOf(1))
  for (let count = 1; count < maxRefusals; count += 1) {
    assert.ok(stream.fail(batchOf(2), refused) > 0)
    assert.ok(stream.fail(batchOf(2), unavailable) > 0, 'other failures do not count')
  }
  assert.deepEqual(stream.dead, [])
  assert.equal(stream.fail(batchOf(2), refused), 0)
  assert.deepEqual(stream.dead, [{ sequence: 2, diedAt: stream.now(), reason: 'answered 400' }])
  assert.deepEqual(stream.state(), {
    ...newStream,
    deliveredSequence: 2,
    failingSince: 1_000,
    lastError: 'answered 400',
  })
})

test('refusals of one event do not count against the next', () => {
  const stream = createStream()
  for (let count = 1; count < maxRefusals; count += 1) stream.fail(batchOf(1), refused)
  stream.deliver(batchOf(1))
  stream.fail(batchOf(2), refused)
  assert.deepEqual(stream.dead, [])
  assert.equal(stream.state().refusals, 1)
})

test('refusals from before a pause do not count against the event after the next delivered one', () => {
  const stream = createStream({ ...newStream, refusals: maxRefusals - 1 })
  stream.deliver(batchOf(1))
  stream.fail(batchOf(2), refused)
  assert.deepEqual(stream.dead, [])
})

test('status 410 pauses the stream immediately', () => {
  const stream = createStream()
  stream.fail(batchOf(1), gone)
  const pause = { reason: 'gone', at: 1_000 }
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 0, failures: 1, pause, nextAttemptAt: undefined })
})

test('five days without a success pause the stream', () => {
  const stream = createStream()
  while (stream.state().pause === undefined) stream.fail(batchOf(1), unavailable)
  assert.equal(stream.state().pause?.reason, 'failing')
  const passedMs = stream.now() - 1_000
  assert.ok(passedMs >= maxFailingMs && passedMs < maxFailingMs + hourMs)
})

test('no time without a success pauses the stream of a deleted directory, which nobody could resume', () => {
  const state = { ...newStream, failures: 99, failingSince: 0 }
  const at = { now: 2 * maxFailingMs, random: 0.5, isLast: true }
  const retried = afterFailure(state, batchOf(1), unavailable, at).state
  assert.deepEqual([retried.pause, retried.nextAttemptAt], [undefined, at.now + 900_000])
  assert.equal(afterFailure(state, batchOf(1), gone, at).state.pause?.reason, 'gone')
})

test('five days without a success pause the stream even if events became dead in the meantime', () => {
  const stream = createStream()
  while (stream.state().pause === undefined) stream.fail(batchOf(stream.state().deliveredSequence + 1), refused)
  assert.equal(stream.state().pause?.reason, 'failing')
  assert.ok(stream.dead.length > 10)
  const passedMs = stream.now() - 1_000
  assert.ok(passedMs >= maxFailingMs && passedMs < maxFailingMs + hourMs)
})

test('a success after a dead event ends the failing period', () => {
  const stream = createStream()
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(batchOf(1), refused)
  stream.deliver(batchOf(2))
  assert.equal(stream.state().failingSince, undefined)
  stream.pass(2 * maxFailingMs)
  stream.fail(batchOf(3), unavailable)
  assert.equal(stream.state().pause, undefined)
})

test('a batch keeps its end until it is delivered or dead', () => {
  const stream = createStream()
  stream.fail(batchOf(1, 3), unavailable)
  assert.equal(stream.state().batchEnd, 3)
  stream.deliver(batchOf(1, 3))
  assert.deepEqual(stream.state(), { ...newStream, deliveredSequence: 3 })
  stream.fail(batchOf(4), unavailable)
  assert.equal(stream.state().batchEnd, 4, 'a batch of one event stays one')
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(batchOf(4), refused)
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 4, batchEnd: undefined })
})

test('all events of a batch become dead together', () => {
  const stream = createStream()
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(batchOf(1, 3), refused)
  assert.deepEqual(
    stream.dead.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal(stream.state().deliveredSequence, 3)
})

test('a replay does not change position, batch end and refusals of the stream', () => {
  const waiting = { ...newStream, deliveredSequence: 5, failures: 2, failingSince: 1, refusals: 2, batchEnd: 8 }
  const recovered = afterReplay({ ...waiting, nextAttemptAt: 9 })
  assert.deepEqual(recovered, { ...waiting, failures: 0, failingSince: undefined, nextAttemptAt: undefined })
  const stream = createStream(waiting)
  stream.fail(batchOf(3), unavailable)
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 5, failures: 3, refusals: 2, batchEnd: 8 })
})

test('a replay that is refused is dead immediately and changes nothing else', () => {
  const state = { ...newStream, deliveredSequence: 5, refusals: 2, batchEnd: 8 }
  const stream = createStream(state)
  assert.equal(stream.fail(batchOf(3), refused), 0)
  assert.deepEqual(stream.dead, [{ sequence: 3, diedAt: 1_000, reason: 'answered 400' }])
  assert.deepEqual(stream.state(), state)
})

const failing: StreamState = {
  ...newStream,
  ...{ deliveredSequence: 7, failures: 3, failingSince: 10, refusals: 2, batchEnd: 9, nextAttemptAt: 500 },
}
const pausedAsGone: StreamState = { ...failing, nextAttemptAt: undefined, pause: { reason: 'gone', at: 20 } }
const pausedByOperator: StreamState = { ...failing, pause: { reason: 'operator', at: 30 } }

test('an operator pauses a stream, which ends its lease', () => {
  assert.deepEqual(pauseStream(40).apply(failing), { ...failing, pause: { reason: 'operator', at: 40 } })
  assert.equal(pauseStream(40).endsLease, true)
})

test("an operator's pause replaces one caused by the endpoint, and is not changed by another", () => {
  assert.deepEqual(pauseStream(40).apply(pausedAsGone)?.pause, { reason: 'operator', at: 40 })
  assert.deepEqual(pauseStream(40).apply(pausedByOperator), pausedByOperator)
})

test('a resumed stream makes its next attempt immediately, without its failures', () => {
  for (const state of [pausedAsGone, pausedByOperator, failing]) {
    const { refusals, batchEnd } = state
    assert.deepEqual(resumeStream.apply(state), { ...newStream, deliveredSequence: 7, refusals, batchEnd })
  }
  assert.equal(resumeStream.endsLease, true)
})

test('a replay moves the stream back, never forward, and keeps a pause', () => {
  assert.deepEqual(replayAfter(3).apply(failing), { ...newStream, deliveredSequence: 3 })
  assert.equal(replayAfter(9).apply(failing)?.deliveredSequence, 7)
  assert.deepEqual(replayAfter(3).apply(pausedByOperator)?.pause, pausedByOperator.pause)
  assert.equal(replayAfter(3).endsLease, true)
})

test('only the event that blocks a stream is skipped, which ends a pause that the endpoint caused', () => {
  const { apply, dead, endsLease } = skipEvent(8, 'by hand', 40)
  assert.deepEqual([dead, endsLease], [{ sequence: 8, diedAt: 40, reason: 'by hand', isSkipped: true }, true])
  for (const state of [failing, pausedAsGone]) assert.deepEqual(apply(state), { ...newStream, deliveredSequence: 8 })
  const { pause } = pausedByOperator
  assert.deepEqual(apply(pausedByOperator), { ...newStream, deliveredSequence: 8, pause })
  for (const state of [
    { ...failing, failures: 0 },
    { ...failing, deliveredSequence: 6 },
    { ...failing, deliveredSequence: 8 },
  ])
    assert.equal(apply(state), undefined)
})

for (const { name, retriedAt, nextAttemptAt, becomes } of [
  {
    name: 'ends a backoff',
    retriedAt: undefined,
    nextAttemptAt: 900_000,
    becomes: { nextAttemptAt: undefined, retriedAt: 20_000 },
  },
  {
    name: 'ends it again after a second',
    retriedAt: 19_000,
    nextAttemptAt: 900_000,
    becomes: { nextAttemptAt: undefined, retriedAt: 20_000 },
  },
  {
    name: 'shortens it before',
    retriedAt: 19_500,
    nextAttemptAt: 900_000,
    becomes: { nextAttemptAt: 20_500, retriedAt: 19_500 },
  },
  {
    name: 'never extends it',
    retriedAt: 19_500,
    nextAttemptAt: 20_200,
    becomes: { nextAttemptAt: 20_200, retriedAt: 19_500 },
  },
]) {
  test(`an update of the directory ${name}`, () => {
    const state = { ...newStream, failures: 9, retriedAt, nextAttemptAt }
    assert.deepEqual(directoryUpdated(false, 20_000).apply(state), { ...state, ...becomes })
  })
}

test('an update of the directory makes the next attempt due immediately and keeps the failures', () => {
  assert.deepEqual(directoryUpdated(false, 0).apply(failing), {
    ...{ ...failing, nextAttemptAt: undefined, retriedAt: 0 },
  })
  assert.deepEqual(directoryUpdated(false, 0).apply(pausedAsGone), pausedAsGone)
  assert.equal(directoryUpdated(false, 0).endsLease, false)
})

test('a new endpoint ends a pause caused by the previous one, and the lease', () => {
  assert.equal(directoryUpdated(true, 0).apply(pausedAsGone)?.pause, undefined)
  assert.equal(
    directoryUpdated(true, 0).apply({ ...pausedAsGone, pause: { reason: 'failing', at: 1 } })?.pause,
    undefined,
  )
  assert.deepEqual(directoryUpdated(true, 0).apply(pausedByOperator)?.pause, pausedByOperator.pause)
  assert.equal(directoryUpdated(true, 0).endsLease, true)
})

/** The sequences of the batches made of `count` events after `after`. */
function split(after: number, count: number, size: number, retriedBatchEnd?: number): number[][] {
  const events = Array.from({ length: count }, (_, index) => someEvent({ sequence: after + index + 1 }))
  return splitIntoBatches(events, size, retriedBatchEnd).map((batch) => batch.map(({ sequence }) => sequence))
}

const sizes = { after: fc.nat({ max: 1_000 }), count: fc.nat({ max: 60 }), size: fc.integer({ min: 1, max: 25 }) }

test('events are split in order into full batches and a last smaller one', () => {
  assert.deepEqual(split(3, 5, 2), [[4, 5], [6, 7], [8]])
  assert.deepEqual(split(0, 0, 2), [])
  fc.assert(
    fc.property(fc.record(sizes), ({ after, count, size }) => {
      const batches = split(after, count, size)
      assert.deepEqual(
        batches.flat(),
        Array.from({ length: count }, (_, index) => after + index + 1),
      )
      for (const batch of batches.slice(0, -1)) assert.equal(batch.length, size)
      assert.ok((batches.at(-1)?.length ?? 1) <= size)
    }),
  )
})

test('a retried batch is the same as before, regardless of new events and a new batch size', () => {
  assert.deepEqual(split(3, 6, 2, 6), [[4, 5, 6], [7, 8], [9]])
  fc.assert(
    fc.property(fc.record({ ...sizes, more: fc.nat({ max: 30 }), next: fc.integer({ min: 1, max: 25 }) }), (sample) => {
      const { after, count, size, more, next } = sample
      const [before] = split(after, count, size)
      const again = split(after, count + more, next, before?.at(-1))
      if (before !== undefined) assert.deepEqual(again[0], before)
      assert.equal(again.flat().length, count + more)
    }),
  )
})

test('the end of a retried batch before the first event is ignored', () => {
  assert.deepEqual(split(3, 3, 2, 3), [[4, 5], [6]])
})
