import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedMap } from '../../../src/concurrency/bounded-map.ts'

test('a full map drops the entry that was set first', () => {
  const map = createBoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['c', 4],
    ],
  )
  assert.deepEqual([map.has('a'), map.has('b'), map.get('b')], [true, false, undefined])
})

test('a deleted entry makes space for another', () => {
  const map = createBoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.delete('b')
  map.set('c', 3)
  assert.deepEqual(
    [...map],
    [
      ['a', 1],
      ['c', 3],
    ],
  )
})
