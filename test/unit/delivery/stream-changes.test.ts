import assert from 'node:assert/strict'
import test from 'node:test'
import type { StreamState } from '../../../src/delivery/store.ts'
import { newStream } from '../../../src/delivery/store.ts'
import { hastened, paused, resumed, rewound } from '../../../src/delivery/stream-changes.ts'

const failing: StreamState = {
  ...newStream,
  ...{ deliveredSequence: 7, failures: 3, failingSince: 10, refusals: 2, batchEnd: 9, nextAttemptAt: 500 },
}
const gone: StreamState = { ...failing, nextAttemptAt: undefined, pause: { reason: 'gone', at: 20 } }
const byOperator: StreamState = { ...failing, pause: { reason: 'operator', at: 30 } }

test('an operator pauses a stream, which takes the lease from whoever has it', () => {
  assert.deepEqual(paused(40).changed(failing), { ...failing, pause: { reason: 'operator', at: 40 } })
  assert.equal(paused(40).endsLease, true)
})

test("an operator's pause takes the place of one that came of the endpoint, and stays as it is", () => {
  assert.deepEqual(paused(40).changed(gone).pause, { reason: 'operator', at: 40 })
  assert.deepEqual(paused(40).changed(byOperator), byOperator)
})

test('a stream that is resumed tries at once, with the time of failures forgotten', () => {
  for (const state of [gone, byOperator, failing]) {
    const { refusals, batchEnd } = state
    assert.deepEqual(resumed.changed(state), { ...newStream, deliveredSequence: 7, refusals, batchEnd })
  }
  assert.equal(resumed.endsLease, true)
})

test('a stream that is rewound goes back, never ahead, and stays paused', () => {
  assert.deepEqual(rewound(3).changed(failing), { ...newStream, deliveredSequence: 3 })
  assert.equal(rewound(9).changed(failing).deliveredSequence, 7)
  assert.deepEqual(rewound(3).changed(byOperator).pause, byOperator.pause)
  assert.equal(rewound(3).endsLease, true)
})

test('a directory that was changed is tried at once, and counts on', () => {
  assert.deepEqual(hastened(false).changed(failing), { ...failing, nextAttemptAt: undefined })
  assert.deepEqual(hastened(false).changed(gone), gone)
  assert.equal(hastened(false).endsLease, false)
})

test('a new endpoint ends a pause that came of the one before, and what is under way to that', () => {
  assert.equal(hastened(true).changed(gone).pause, undefined)
  assert.equal(hastened(true).changed({ ...gone, pause: { reason: 'failing', at: 1 } }).pause, undefined)
  assert.deepEqual(hastened(true).changed(byOperator).pause, byOperator.pause)
  assert.equal(hastened(true).endsLease, true)
})
