import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from './random.ts'

const draws = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw)

test('between includes both bounds and nothing beyond', () => {
  const random = seededRandom(1)
  const drawn = new Set(draws(200, () => random.between(2, 5)))
  assert.deepEqual([...drawn].sort(), [2, 3, 4, 5])
})

test('the same seed generates the same numbers', () => {
  const [one, same] = [seededRandom(3), seededRandom(3)]
  assert.deepEqual(
    draws(20, () => one.between(0, 999)),
    draws(20, () => same.between(0, 999)),
  )
})

test('picking from an empty list returns undefined', () => assert.equal(seededRandom(1).pick([]), undefined))

test('an item with triple weight is picked about three times as often', () => {
  const random = seededRandom(1)
  const items = [
    { name: 'light', weight: 1 },
    { name: 'heavy', weight: 3 },
  ]
  const heavy = draws(4000, () => random.pickByWeight(items)).filter((item) => item?.name === 'heavy').length
  assert(heavy > 2850 && heavy < 3150, `${heavy} of 4000`)
})

test('an item without weight is never picked', () => {
  assert.equal(seededRandom(1).pickByWeight([{ weight: 0 }]), undefined)
})
