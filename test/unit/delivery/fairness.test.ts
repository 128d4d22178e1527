import assert from 'node:assert/strict'
import test from 'node:test'
import { fairShare, loneShare, mayTake } from '../../../src/concurrency/fair-share.ts'
import type { Pool } from '../../../src/delivery/fairness.ts'
import { maxQueued, maxQueuedOfTenant, mayQueue, mayStart, movesToSlow } from '../../../src/delivery/fairness.ts'

for (const { places, fair, lone } of [
  { places: 1, fair: 1, lone: 1 },
  { places: 3, fair: 1, lone: 3 },
  { places: 4, fair: 1, lone: 3 },
  { places: 128, fair: 32, lone: 96 },
]) {
  test(`a key may take ${lone} of ${places} places, or ${fair} while others wait`, () => {
    assert.deepEqual([fairShare(places), loneShare(places)], [fair, lone])
    for (const [othersWait, share] of [[true, fair] as const, [false, lone] as const]) {
      assert.equal(mayTake(places, { taken: share - 1, takenByKey: share - 1, othersWait }), true)
      assert.equal(mayTake(places, { taken: share, takenByKey: share, othersWait }), false)
    }
    assert.equal(mayTake(places, { taken: places, takenByKey: 0, othersWait: false }), false)
  })
}

const none = { taken: 0, takenByKey: 0, slowOfTenant: 0, othersWait: true }

const cases: { name: string; pool: Pool; usage: Partial<typeof none>; may: boolean }[] = [
  { name: 'a tenant without turns may start one', pool: 'fast', usage: {}, may: true },
  { name: 'the slow pool has a quarter of the places', pool: 'slow', usage: { taken: 32 }, may: false },
  { name: 'a tenant has a share of the slow pool', pool: 'slow', usage: { takenByKey: 8 }, may: false },
  { name: 'too many slow turns stop the fast ones', pool: 'fast', usage: { slowOfTenant: 16 }, may: false },
  { name: 'unless nobody waits', pool: 'fast', usage: { slowOfTenant: 16, othersWait: false }, may: true },
]

for (const { name, pool, usage, may } of cases) {
  test(`places: ${name}`, () => assert.equal(mayStart(pool, 128, { ...none, ...usage }), may))
}

test('a turn moves to the slow pool when its attempt takes long and the pool is not overfull', () => {
  assert.equal(movesToSlow(399, 128, 0), false)
  assert.equal(movesToSlow(400, 128, 127), true)
  assert.equal(movesToSlow(400, 128, 128), false)
})

test('polling queues a bounded number of directories, and at least one per tenant', () => {
  assert.equal(mayQueue(maxQueuedOfTenant - 1, maxQueuedOfTenant - 1), true)
  assert.equal(mayQueue(maxQueuedOfTenant, maxQueuedOfTenant), false)
  assert.equal(mayQueue(maxQueued, 1), false)
  assert.equal(mayQueue(maxQueued, 0), true)
})
