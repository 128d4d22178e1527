import assert from 'node:assert/strict'
import test from 'node:test'
import type { TurnResult } from '../../../src/delivery/run-queue.ts'
import { createRunQueue } from '../../../src/delivery/run-queue.ts'
import { createManualTime } from '../../support/manual-time.ts'

/** A queue whose turns end under the control of the test, and the order in which they started. */
function createManualQueue(limit: number) {
  const time = createManualTime()
  const started: string[] = []
  const running = new Map<string, (result: TurnResult) => void>()
  const queue = createRunQueue({
    limit,
    schedule: time.schedule,
    now: time.clock,
    onNeedsMore: () => {},
    runTurn: (id) => {
      started.push(id)
      const { promise, resolve } = Promise.withResolvers<TurnResult>()
      running.set(id, resolve)
      return promise
    },
  })
  async function end(id: string, result: TurnResult = 'idle'): Promise<void> {
    running.get(id)?.(result)
    await new Promise(setImmediate)
  }
  return { queue, time, started, end }
}

test('turns start in the order of the queue, up to the limit', async () => {
  const { queue, started, end } = createManualQueue(2)
  for (const id of ['a', 'b', 'c', 'd', 'c']) queue.add(id)
  assert.deepEqual(started, ['a', 'b'])
  assert.equal(queue.countWaiting(), 2)
  await end('b')
  await end('a')
  assert.deepEqual(started, ['a', 'b', 'c', 'd'])
})

test('an id that needs another turn goes to the end of the queue', async () => {
  const { queue, started, end } = createManualQueue(1)
  for (const id of ['a', 'b']) queue.add(id)
  await end('a', 'again')
  await end('b')
  assert.deepEqual(started, ['a', 'b', 'a'])
})

test('an id that is added during its turn gets one more turn, however often it is added', async () => {
  const { queue, started, end } = createManualQueue(2)
  for (const id of ['a', 'a', 'a']) queue.add(id)
  assert.deepEqual(started, ['a'])
  await end('a')
  await end('a')
  assert.deepEqual(started, ['a', 'a'])
})

test('addNow ends a delay', async () => {
  const { queue, started, end } = createManualQueue(1)
  queue.add('a')
  await end('a', { delayMs: 1_000 })
  queue.addNow('a')
  assert.deepEqual(started, ['a', 'a'])
})

test('addNow during a turn overrides the delay that the turn ends with', async () => {
  const { queue, started, end } = createManualQueue(1)
  queue.add('a')
  queue.addNow('a')
  await end('a', { delayMs: 1_000 })
  assert.deepEqual(started, ['a', 'a'])
})

test('add does not end a delay', async () => {
  const { queue, time, started, end } = createManualQueue(1)
  queue.add('a')
  await end('a', { delayMs: 1_000 })
  queue.add('a')
  time.advance(999)
  assert.deepEqual(started, ['a'])
  time.advance(1)
  assert.deepEqual(started, ['a', 'a'])
})

test('runToEnd resolves with the result of the last of several turns', async () => {
  const { queue, started, end } = createManualQueue(1)
  const ended = queue.runToEnd('a')
  await end('a', 'again')
  await end('a', { delayMs: 1_000 })
  assert.deepEqual(await ended, { delayMs: 1_000 })
  assert.deepEqual(started, ['a', 'a'])
  assert.equal(await queue.runToEnd('a'), 'idle', 'it does not wait for a delay')
})

test('close waits for the running turns and starts no others', async () => {
  const { queue, time, started, end } = createManualQueue(2)
  queue.add('a')
  await end('a', { delayMs: 1_000 })
  for (const id of ['b', 'c', 'd']) queue.add(id)
  let closed = false
  const closing = queue.close().then(() => {
    closed = true
  })
  assert.equal(time.countTimers(), 0)
  await end('b', 'again')
  assert.equal(closed, false)
  await end('c', { delayMs: 1_000 })
  await closing
  queue.add('e')
  assert.deepEqual(started, ['a', 'b', 'c'])
  assert.equal(time.countTimers(), 0)
})
