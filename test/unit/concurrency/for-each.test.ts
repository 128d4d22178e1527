import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunks, forEachConcurrently } from '../../../src/concurrency/for-each.ts'

const never = new AbortController().signal

test('concurrency is limited', async () => {
  let running = 0
  let most = 0
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, never, async () => {
    running += 1
    most = Math.max(most, running)
    await nextTurn()
    running -= 1
  })
  assert.equal(most, 3)
})

test('after an error, no more items are started, and those in progress are awaited', async () => {
  const done: number[] = []
  const work = async (item: number) => {
    if (item === 1) throw new Error('the first')
    await nextTurn()
    done.push(item)
  }
  await assert.rejects(forEachConcurrently([1, 2, 3, 4], 2, never, work), /the first/)
  assert.deepEqual(done, [2])
})

test('no more items are started after the signal aborts', async () => {
  const stop = new AbortController()
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    stop.abort(new Error('stop'))
  }
  await assert.rejects(forEachConcurrently([1, 2, 3], 1, stop.signal, work), /stop/)
  assert.deepEqual(begun, [1])
})

test('chunks contain all items in order', () => {
  assert.deepEqual([...chunks([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]])
  assert.deepEqual([...chunks([1, 2], 2)], [[1, 2]])
  assert.deepEqual([...chunks([], 2)], [])
})
