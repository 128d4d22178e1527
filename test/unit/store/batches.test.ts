import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBatch } from '../../../src/store/write/batches.ts'
import { batchWrites } from '../../../src/store/write/batches.ts'

const directory = { id: 'd', revision: 1, product: 'p', tenant: 't', removalLimit: null }
const atOnce = (_: string, work: () => Promise<void>) => void work()

test('writes are answered when their directory has changed, before or after their inputs are taken, and so are later writes', async () => {
  for (const taken of [0, 1, 2]) {
    let runs = 0
    const run: RunBatch<number, string> = async (_, take) => {
      runs += 1
      for (let times = 0; times < taken; times += 1) take()
      return 'directory-changed'
    }
    const write = batchWrites(atOnce, run)
    const outcomes = [await Promise.all([write(directory, 1), write(directory, 2)]), await write(directory, 3)]
    assert.deepEqual(outcomes, [['directory-changed', 'directory-changed'], 'directory-changed'])
    assert.ok(runs >= 2, 'the third write has a batch of its own')
  }
})

test('a write begins another batch once the inputs of the running one are taken', async () => {
  const taken: (readonly number[])[] = []
  const running = Promise.withResolvers<void>()
  const write = batchWrites<number, string>(atOnce, async (_, take) => {
    const inputs = take()
    taken.push(inputs)
    await running.promise
    return inputs.map(String)
  })
  const writes = [1, 2, 3].map((n) => write(directory, n))
  running.resolve()
  assert.deepEqual(await Promise.all(writes), ['1', '2', '3'])
  assert.deepEqual(taken, [[1], [2], [3]])
})
