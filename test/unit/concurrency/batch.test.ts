import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBatch } from '../../../src/concurrency/batch.ts'

test('calls of one turn with the same key share a batch', async () => {
  const batches: [string, readonly number[]][] = []
  const double = createBatch<number, number>(
    async (key, inputs) => {
      batches.push([key, inputs])
      return inputs.map((input) => 2 * input)
    },
    { maxSize: 3, maxConcurrent: 1 },
  )
  const results = await Promise.all([double('a', 1), double('b', 2), double('a', 3), double('a', 4), double('a', 5)])
  assert.deepEqual(results, [2, 4, 6, 8, 10])
  assert.deepEqual(
    batches.filter(([key]) => key === 'a'),
    [
      ['a', [1, 3, 4]],
      ['a', [5]],
    ],
  )
  assert.deepEqual(
    batches.filter(([key]) => key === 'b'),
    [['b', [2]]],
  )
})

test('calls that are made while as many batches run as may wait for the next batch', async () => {
  const sizes: number[] = []
  const finish: (() => void)[] = []
  const count = createBatch<number, number>(
    async (_, inputs) => {
      sizes.push(inputs.length)
      await new Promise<void>((resolve) => finish.push(resolve))
      return inputs
    },
    { maxSize: 10, maxConcurrent: 2 },
  )
  const calls: Promise<number>[] = []
  for (let call = 0; call < 5; call += 1) {
    calls.push(count('a', call))
    await nextTurn()
  }
  assert.deepEqual(sizes, [1, 1])
  for (let batch = 0; batch < 3; batch += 1) {
    finish.shift()?.()
    await nextTurn()
  }
  assert.deepEqual(sizes, [1, 1, 3])
  assert.deepEqual(await Promise.all(calls), [0, 1, 2, 3, 4])
})

test('a batch that fails rejects its own calls only', async () => {
  const run = createBatch<string, string>(
    async (_, inputs) => {
      if (inputs.includes('bad')) throw new Error('broken')
      return inputs
    },
    { maxSize: 1, maxConcurrent: 1 },
  )
  const results = await Promise.allSettled([run('a', 'bad'), run('a', 'good')])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})
