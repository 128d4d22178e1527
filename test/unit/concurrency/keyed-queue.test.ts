import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedQueue } from '../../../src/concurrency/keyed-queue.ts'

test('runs the tasks of one key one at a time, concurrently with those of other keys', async () => {
  const { enqueue, idle } = createKeyedQueue()
  const log: string[] = []
  const finish: (() => void)[] = []
  const task = (name: string) => async () => {
    log.push(`${name} starts`)
    await new Promise<void>((resolve) => finish.push(resolve))
    log.push(`${name} ends`)
  }
  for (const [key, name] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['b', 'b1'],
  ] as const) {
    enqueue(key, task(name))
  }
  assert.deepEqual(log, [])
  const done = idle()
  while (log.length < 6) {
    await new Promise(setImmediate)
    finish.shift()?.()
  }
  await done
  assert.deepEqual(log, ['a1 starts', 'b1 starts', 'a1 ends', 'a2 starts', 'b1 ends', 'a2 ends'])
})

test('is idle immediately when nothing was queued', async () => {
  await createKeyedQueue().idle()
})
