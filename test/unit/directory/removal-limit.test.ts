import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RemovalLimit, RemovalRun, RemovalWindow } from '../../../src/directory/removal-limit.ts'
import { countRemovals as count } from '../../../src/directory/removal-limit.ts'

const limit: RemovalLimit = { percent: 30, minimum: 20, windowSeconds: 3600 }
const hour = 3_600_000

const countRemovals = (...counted: [RemovalWindow, readonly RemovalRun[], RemovalLimit, number]) =>
  count(...counted, { discardedEvents: 0, isHeld: false })

/** One removal with an event of its own. */
const one = (sequence: number, before: number): RemovalRun => ({ sequence, removals: 1, hasEventEach: true, before })

/** Removes users one by one, all at the same time; returns the number of the first removal that exceeds the limit. */
function firstHeld(users: number, of: RemovalLimit): number | undefined {
  let window: RemovalWindow = []
  for (let n = 1; n <= users; n += 1) {
    const counted = countRemovals(window, [one(n, users - n + 1)], of, 1)
    if (counted.exceededAt !== undefined) return counted.exceededAt
    window = counted.window
  }
  return undefined
}

for (const { users, percent = 30, minimum = 20, held } of [
  { users: 60, held: 21 },
  { users: 100, held: 31 },
  { users: 101, held: 31 },
  { users: 20, held: undefined },
  { users: 21, held: 21 },
  { users: 4000, held: 1201 },
  { users: 5, percent: 0, minimum: 0, held: 1 },
  { users: 10, percent: 50, minimum: 0, held: 6 },
  { users: 10, percent: 100, minimum: 0, held: undefined },
]) {
  test(`with ${users} users and a limit of ${percent} % and ${minimum}, the first held removal is ${held}`, () => {
    assert.equal(firstHeld(users, { percent, minimum, windowSeconds: 3600 }), held)
  })
}

test('a run with an event for each removal is held within it, one with a single event as a whole', () => {
  const each = { sequence: 100, removals: 40, hasEventEach: true, before: 60 }
  assert.equal(countRemovals([], [each], limit, 1).exceededAt, 120)
  assert.equal(countRemovals([], [{ ...each, hasEventEach: false }], limit, 1).exceededAt, 100)
  assert.equal(countRemovals([], [{ ...each, removals: 20 }, one(130, 40)], limit, 1).exceededAt, 130)
})

test('users who are added raise the limit, also when they are removed again', () => {
  const runs = [one(1, 60), { ...one(2, 200), removals: 60 }]
  assert.deepEqual(countRemovals([], runs, limit, 1).exceededAt, 61)
})

test('removals older than the window do not count, and only those of its last sixtieth may be left out early', () => {
  const time = fc.integer({ min: 0, max: 3 * hour })
  const times = fc.array(time, { minLength: 1, maxLength: 200 }).map((all) => all.toSorted((a, b) => a - b))
  const property = fc.property(times, (all) => {
    let window: RemovalWindow = []
    let exceeded: number | undefined
    for (const [index, at] of all.entries()) {
      const counted = countRemovals(window, [one(index, 1000)], { ...limit, percent: 0, minimum: 30 }, at)
      const younger = all.slice(0, index + 1).filter((other) => other > at - hour).length
      const youngest = all.slice(0, index + 1).filter((other) => other > at - hour + hour / 60).length
      assert(counted.removals <= younger && counted.removals >= youngest)
      exceeded = counted.exceededAt
      assert.equal(exceeded !== undefined, counted.removals > 30)
      window = counted.window
      assert(window.length <= 61)
    }
  })
  fc.assert(property, { numRuns: 50 })
})

test('a year in which 5 % of the workforce leave every day, and are replaced, is never held', () => {
  for (const workforce of [40, 500, 5000]) {
    let window: RemovalWindow = []
    const leaving = Math.ceil(workforce * 0.05)
    for (let day = 0; day < 365; day += 1) {
      for (let n = 0; n < leaving; n += 1) {
        const at = day * 24 * hour + Math.floor((n * 24 * hour) / leaving)
        const counted = countRemovals(window, [one(n, workforce)], limit, at)
        assert.equal(counted.exceededAt, undefined, `day ${day} of ${workforce}`)
        window = counted.window
      }
    }
  }
})
