import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from '../../../src/concurrency/rate-limit.ts'

test('a key may use its rate at once, and then as fast as it regains it', () => {
  let now = 0
  const limit = createRateLimit({ count: 10, perMs: 1_000 }, () => now)
  const takeOften = (times: number) => Array.from({ length: times }, () => limit.take('d1')).filter((wait) => !wait)
  assert.equal(takeOften(15).length, 10)
  assert.equal(limit.take('d1'), 1)
  assert.equal(limit.take('d2'), undefined, 'another key has its own')
  now += 500
  assert.equal(takeOften(15).length, 5)
  now += 60_000
  assert.equal(takeOften(15).length, 10)
})

test('a rejection says when the next call is allowed', () => {
  let now = 0
  const limit = createRateLimit({ count: 2, perMs: 60_000 }, () => now)
  assert.deepEqual(
    [1, 2, 3].map(() => limit.take('a')),
    [undefined, undefined, 30],
  )
  now += 20_000
  assert.equal(limit.take('a'), 10)
  now += 10_000
  assert.equal(limit.take('a'), undefined)
})

test('a clock that is set back makes nobody wait longer than for one more', () => {
  let now = 60_000
  const limit = createRateLimit({ count: 2, perMs: 1_000 }, () => now)
  limit.take('a')
  now = 0
  assert.equal(limit.take('a'), 1)
  now = 500
  assert.equal(limit.take('a'), undefined)
})

test('when there are too many keys, the least recently used one is dropped', () => {
  const limit = createRateLimit({ count: 1, perMs: 1_000 }, () => 0, 2)
  for (const key of ['a', 'b', 'c']) limit.take(key)
  const isLimited = ['b', 'c', 'a'].map((key) => limit.take(key) !== undefined)
  assert.deepEqual(isLimited, [true, true, false])
})
