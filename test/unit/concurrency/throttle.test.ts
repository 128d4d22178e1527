import assert from 'node:assert/strict'
import test from 'node:test'
import { createThrottle } from '../../../src/concurrency/throttle.ts'
import { createManualTime } from '../../support/manual-time.ts'

function setUp() {
  const time = createManualTime()
  const runs: string[] = []
  const throttle = createThrottle({ intervalMs: 100, schedule: time.schedule, run: (key) => runs.push(key) })
  return { time, runs, throttle }
}

test('calls during an interval are combined into one at its end', () => {
  const { time, runs, throttle } = setUp()
  throttle.start('d1')
  for (let count = 0; count < 5; count += 1) assert.equal(throttle.defers('d1'), true)
  time.advance(99)
  assert.deepEqual(runs, [])
  time.advance(1)
  assert.deepEqual(runs, ['d1'])
  assert.equal(throttle.defers('d1'), false)
})

test('an interval without deferred calls ends silently and does not affect other keys', () => {
  const { time, runs, throttle } = setUp()
  throttle.start('d1')
  assert.equal(throttle.defers('d2'), false)
  time.advance(100)
  assert.deepEqual(runs, [])
})

test('starting a running interval again does not extend it', () => {
  const { time, runs, throttle } = setUp()
  throttle.start('d1')
  time.advance(60)
  throttle.start('d1')
  throttle.defers('d1')
  time.advance(40)
  assert.deepEqual(runs, ['d1'])
})

test('close cancels the timers and drops deferred calls', () => {
  const { time, runs, throttle } = setUp()
  throttle.start('d1')
  throttle.defers('d1')
  throttle.close()
  assert.equal(time.countTimers(), 0)
  time.advance(100)
  assert.deepEqual(runs, [])
})
