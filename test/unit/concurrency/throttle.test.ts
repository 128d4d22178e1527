import assert from 'node:assert/strict'
import test from 'node:test'
import { createThrottle } from '../../../src/concurrency/throttle.ts'
import { createManualTime } from '../../support/manual-time.ts'

function setUp() {
  const time = createManualTime()
  const asked: string[] = []
  const spells = createThrottle({ intervalMs: 100, schedule: time.schedule, run: (id) => asked.push(id) })
  return { time, asked, spells }
}

test('who asks during a spell is asked for once, at its end', () => {
  const { time, asked, spells } = setUp()
  spells.start('d1')
  for (let count = 0; count < 5; count += 1) assert.equal(spells.defers('d1'), true)
  time.advance(99)
  assert.deepEqual(asked, [])
  time.advance(1)
  assert.deepEqual(asked, ['d1'])
  assert.equal(spells.defers('d1'), false)
})

test('a spell during which nobody asked just ends, and others are not concerned', () => {
  const { time, asked, spells } = setUp()
  spells.start('d1')
  assert.equal(spells.defers('d2'), false)
  time.advance(100)
  assert.deepEqual(asked, [])
})

test('a spell that has begun is not made longer', () => {
  const { time, asked, spells } = setUp()
  spells.start('d1')
  time.advance(60)
  spells.start('d1')
  spells.defers('d1')
  time.advance(40)
  assert.deepEqual(asked, ['d1'])
})

test('close leaves no timer and asks no more', () => {
  const { time, asked, spells } = setUp()
  spells.start('d1')
  spells.defers('d1')
  spells.close()
  assert.equal(time.countTimers(), 0)
  time.advance(100)
  assert.deepEqual(asked, [])
})
