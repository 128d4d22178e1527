import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { parcelsOf } from '../../../src/delivery/parcels.ts'
import { someEvent } from './support/samples.ts'

/** The sequence numbers of what is sent together, of events that follow `after`. */
function cut(after: number, count: number, size: number, firstEnd?: number): number[][] {
  const events = Array.from({ length: count }, (_, index) => someEvent({ sequence: after + index + 1 }))
  return parcelsOf(events, size, firstEnd).map((parcel) => parcel.map(({ sequence }) => sequence))
}

const place = { after: fc.nat({ max: 1_000 }), count: fc.nat({ max: 60 }), size: fc.integer({ min: 1, max: 25 }) }

test('events are cut in order, so many each, and what is left comes last', () => {
  assert.deepEqual(cut(3, 5, 2), [[4, 5], [6, 7], [8]])
  assert.deepEqual(cut(0, 0, 2), [])
  fc.assert(
    fc.property(fc.record(place), ({ after, count, size }) => {
      const parcels = cut(after, count, size)
      assert.deepEqual(
        parcels.flat(),
        Array.from({ length: count }, (_, index) => after + index + 1),
      )
      for (const parcel of parcels.slice(0, -1)) assert.equal(parcel.length, size)
      assert.ok((parcels.at(-1)?.length ?? 1) <= size)
    }),
  )
})

test('what is sent again is what was sent before, however many events have come and whatever the size is now', () => {
  assert.deepEqual(cut(3, 6, 2, 6), [[4, 5, 6], [7, 8], [9]])
  fc.assert(
    fc.property(fc.record({ ...place, more: fc.nat({ max: 30 }), next: fc.integer({ min: 1, max: 25 }) }), (given) => {
      const { after, count, size, more, next } = given
      const [before] = cut(after, count, size)
      const again = cut(after, count + more, next, before?.at(-1))
      if (before !== undefined) assert.deepEqual(again[0], before)
      assert.equal(again.flat().length, count + more)
    }),
  )
})

test('an end that is behind the events changes nothing', () => {
  assert.deepEqual(cut(3, 3, 2, 3), [[4, 5], [6]])
})
