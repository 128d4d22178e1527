import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'

test('slices are granted one per turn of the event loop, and keys take turns', async () => {
  const slices = createTimeSlices()
  const granted: string[] = []
  const work = async (name: string): Promise<void> => {
    await slices.next(name.slice(0, 1))
    granted.push(name)
  }
  const all = Promise.all(['a1', 'a2', 'a3', 'b1'].map(work))
  for (const expected of [['a1'], ['a1', 'b1'], ['a1', 'b1', 'a2']]) {
    await new Promise(setImmediate)
    assert.deepEqual(granted, expected)
  }
  await all
  assert.deepEqual(granted, ['a1', 'b1', 'a2', 'a3'])
})

test('work without a key waits its turn as well', async () => {
  const slices = createTimeSlices()
  const granted: string[] = []
  await Promise.all([
    slices.next().then(() => granted.push('first')),
    slices.next().then(() => granted.push('second')),
    slices.next('a').then(() => granted.push('a')),
  ])
  assert.deepEqual(granted, ['first', 'a', 'second'])
})
