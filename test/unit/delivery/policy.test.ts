import assert from 'node:assert/strict'
import test from 'node:test'
import { maxFailingMs, maxRefusals } from '../../../src/delivery/policy.ts'
import type { Batch } from '../../../src/delivery/send.ts'
import type { DeadEvent, StreamState } from '../../../src/delivery/store.ts'
import { newStream } from '../../../src/delivery/store.ts'
import { afterDelivery, afterFailure, succeeded } from '../../../src/delivery/stream-outcome.ts'
import { someEvent } from './support/samples.ts'

const hour = 3_600_000

const away = { kind: 'retry', reason: 'answered 503', retryAfter: null } as const
const refused = { kind: 'refused', reason: 'answered 400', retryAfter: null } as const
const gone = { kind: 'gone', reason: 'answered 410', retryAfter: null } as const
const busy = { kind: 'retry', reason: 'answered 429', retryAfter: '77' } as const

function parcelOf(first: number, last = first): Batch {
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
    deliver(parcel: Batch): void {
      state = afterDelivery(state, parcel)
    },
    /** Answers how long the stream waits. */
    fail(parcel: Batch, outcome: Parameters<typeof afterFailure>[2]): number {
      now = Math.max(now, state.nextAttemptAt ?? 0)
      const after = afterFailure(state, parcel, outcome, { now, random: 0.5 })
      state = after.state
      dead.push(...after.dead)
      return (state.nextAttemptAt ?? now) - now
    },
  }
}

test('each failure in a row makes the stream wait longer, and a success begins anew', () => {
  const stream = createStream()
  const waits = () => [1, 2, 3, 4, 5, 6, 7].map(() => stream.fail(parcelOf(1), away) / 1_000)
  assert.deepEqual(waits(), [5, 30, 120, 300, 600, 900, 900])
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 0, failures: 7, failingSince: 1_000, refusals: 0 })
  stream.deliver(parcelOf(1))
  assert.deepEqual(stream.state(), { ...newStream, deliveredSequence: 1 })
  assert.deepEqual(waits(), [5, 30, 120, 300, 600, 900, 900])
})

test('a target that asks to be called later is called then', () => {
  const stream = createStream()
  assert.deepEqual(
    [1, 2].map(() => stream.fail(parcelOf(1), busy)),
    [77_000, 77_000],
  )
})

test(`an event that is refused ${maxRefusals} times is set aside, and the stream goes on at once with the next`, () => {
  const stream = createStream()
  stream.deliver(parcelOf(1))
  for (let count = 1; count < maxRefusals; count += 1) {
    assert.ok(stream.fail(parcelOf(2), refused) > 0)
    assert.ok(stream.fail(parcelOf(2), away) > 0, 'an attempt that says nothing about the event does not count')
  }
  assert.deepEqual(stream.dead, [])
  assert.equal(stream.fail(parcelOf(2), refused), 0)
  assert.deepEqual(stream.dead, [{ sequence: 2, diedAt: stream.now(), reason: 'answered 400' }])
  assert.deepEqual(stream.state(), { ...newStream, deliveredSequence: 2, failingSince: 1_000 })
})

test('the refusals of one event do not count against the next', () => {
  const stream = createStream()
  for (let count = 1; count < maxRefusals; count += 1) stream.fail(parcelOf(1), refused)
  stream.deliver(parcelOf(1))
  stream.fail(parcelOf(2), refused)
  assert.deepEqual(stream.dead, [])
  assert.equal(stream.state().refusals, 1)
})

test('refusals from before a pause do not count against the event behind the one that is taken after it', () => {
  const stream = createStream({ ...newStream, refusals: maxRefusals - 1 })
  stream.deliver(parcelOf(1))
  stream.fail(parcelOf(2), refused)
  assert.deepEqual(stream.dead, [])
})

test('an endpoint that is gone pauses the stream at once', () => {
  const stream = createStream()
  stream.fail(parcelOf(1), gone)
  const pause = { reason: 'gone', at: 1_000 }
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 0, failures: 1, pause, nextAttemptAt: undefined })
})

test('five days of failures only pause the stream', () => {
  const stream = createStream()
  while (stream.state().pause === undefined) stream.fail(parcelOf(1), away)
  assert.equal(stream.state().pause?.reason, 'failing')
  const passed = stream.now() - 1_000
  assert.ok(passed >= maxFailingMs && passed < maxFailingMs + hour)
})

test('five days of failures only pause the stream though events were set aside meanwhile', () => {
  const stream = createStream()
  while (stream.state().pause === undefined) stream.fail(parcelOf(stream.state().deliveredSequence + 1), refused)
  assert.equal(stream.state().pause?.reason, 'failing')
  assert.ok(stream.dead.length > 10)
  const passed = stream.now() - 1_000
  assert.ok(passed >= maxFailingMs && passed < maxFailingMs + hour)
})

test('a success after an event was set aside ends the time of failures only', () => {
  const stream = createStream()
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(parcelOf(1), refused)
  stream.deliver(parcelOf(2))
  assert.equal(stream.state().failingSince, undefined)
  stream.pass(2 * maxFailingMs)
  stream.fail(parcelOf(3), away)
  assert.equal(stream.state().pause, undefined)
})

test('a batch keeps its end until it is taken or set aside', () => {
  const stream = createStream()
  stream.fail(parcelOf(1, 3), away)
  assert.equal(stream.state().batchEnd, 3)
  stream.deliver(parcelOf(1, 3))
  assert.deepEqual(stream.state(), { ...newStream, deliveredSequence: 3 })
  stream.fail(parcelOf(4), away)
  assert.equal(stream.state().batchEnd, 4, 'a batch of one stays that')
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(parcelOf(4), refused)
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 4, batchEnd: undefined })
})

test('a batch that is set aside is dead with all of its events', () => {
  const stream = createStream()
  for (let count = 0; count < maxRefusals; count += 1) stream.fail(parcelOf(1, 3), refused)
  assert.deepEqual(
    stream.dead.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal(stream.state().deliveredSequence, 3)
})

test('an event that is sent once more leaves place, batch and refusals of the stream alone', () => {
  const waiting = { ...newStream, deliveredSequence: 5, failures: 2, failingSince: 1, refusals: 2, batchEnd: 8 }
  const well = succeeded({ ...waiting, nextAttemptAt: 9 })
  assert.deepEqual(well, { ...waiting, failures: 0, failingSince: undefined, nextAttemptAt: undefined })
  const stream = createStream(waiting)
  stream.fail(parcelOf(3), away)
  assert.partialDeepStrictEqual(stream.state(), { deliveredSequence: 5, failures: 3, refusals: 2, batchEnd: 8 })
})
