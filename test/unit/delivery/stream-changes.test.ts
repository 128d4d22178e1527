import assert from 'node:assert/strict'
import test from 'node:test'
import type { StreamState } from '../../../src/delivery/store.ts'
import { newStream } from '../../../src/delivery/store.ts'
import { directoryUpdated, paused, resumed, rewound } from '../../../src/delivery/stream-changes.ts'

const failing: StreamState = {
  ...newStream,
  ...{ deliveredSequence: 7, failures: 3, failingSince: 10, refusals: 2, batchEnd: 9, nextAttemptAt: 500 },
}
const gone: StreamState = { ...failing, nextAttemptAt: undefined, pause: { reason: 'gone', at: 20 } }
const byOperator: StreamState = { ...failing, pause: { reason: 'operator', at: 30 } }

test('an operator pauses a stream, which takes the lease from whoever has it', () => {
  assert.deepEqual(paused(40).apply(failing), { ...failing, pause: { reason: 'operator', at: 40 } })
  assert.equal(paused(40).endsLease, true)
})

test("an operator's pause takes the place of one that came of the endpoint, and stays as it is", () => {
  assert.deepEqual(paused(40).apply(gone).pause, { reason: 'operator', at: 40 })
  assert.deepEqual(paused(40).apply(byOperator), byOperator)
})

test('a stream that is resumed tries at once, with the time of failures forgotten', () => {
  for (const state of [gone, byOperator, failing]) {
    const { refusals, batchEnd } = state
    assert.deepEqual(resumed.apply(state), { ...newStream, deliveredSequence: 7, refusals, batchEnd })
  }
  assert.equal(resumed.endsLease, true)
})

test('a stream that is rewound goes back, never ahead, and stays paused', () => {
  assert.deepEqual(rewound(3).apply(failing), { ...newStream, deliveredSequence: 3 })
  assert.equal(rewound(9).apply(failing).deliveredSequence, 7)
  assert.deepEqual(rewound(3).apply(byOperator).pause, byOperator.pause)
  assert.equal(rewound(3).endsLease, true)
})

test('a directory that was changed is tried at once, and counts on', () => {
  assert.deepEqual(directoryUpdated(false).apply(failing), { ...failing, nextAttemptAt: undefined })
  assert.deepEqual(directoryUpdated(false).apply(gone), gone)
  assert.equal(directoryUpdated(false).endsLease, false)
})

test('a new endpoint ends a pause that came of the one before, and what is under way to that', () => {
  assert.equal(directoryUpdated(true).apply(gone).pause, undefined)
  assert.equal(directoryUpdated(true).apply({ ...gone, pause: { reason: 'failing', at: 1 } }).pause, undefined)
  assert.deepEqual(directoryUpdated(true).apply(byOperator).pause, byOperator.pause)
  assert.equal(directoryUpdated(true).endsLease, true)
})
