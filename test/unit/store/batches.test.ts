import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBatch } from '../../../src/store/write/batches.ts'
import { batchWrites } from '../../../src/store/write/batches.ts'

const directory = { id: 'd', revision: 1, product: 'p', tenant: 't', removalLimit: null }
const atOnce = (_: string, work: () => Promise<void>) => void work()

test('writes that find their directory changed, before or after their inputs are taken, end, and so do those after them', async () => {
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

test('a write that is made while a batch is run, and its inputs are taken, begins another batch', async () => {
  const taken: (readonly number[])[] = []
  const running = Promise.withResolvers<void>()
  const write = batchWrites<number, string>(atOnce, async (_, take) => {
    taken.push(take())
    await running.promise
    return (taken.at(-1) ?? []).map(String)
  })
  const writes = [1, 2, 3].map((n) => write(directory, n))
  running.resolve()
  await Promise.all(writes)
  assert.deepEqual(taken.flat(), [1, 2, 3])
})
