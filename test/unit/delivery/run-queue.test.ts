import assert from 'node:assert/strict'
import test from 'node:test'
import type { Next } from '../../../src/delivery/run-queue.ts'
import { createRunQueue } from '../../../src/delivery/run-queue.ts'
import { createManualTime } from '../../support/manual-time.ts'

/** Turns that end by hand, and the order in which they began. */
function createManualTurns(limit: number) {
  const time = createManualTime()
  const began: string[] = []
  const running = new Map<string, (next: Next) => void>()
  const turns = createRunQueue({
    limit,
    schedule: time.schedule,
    onTurnEnd: () => {},
    takeTurn: (id) => {
      began.push(id)
      const { promise, resolve } = Promise.withResolvers<Next>()
      running.set(id, resolve)
      return promise
    },
  })
  async function end(id: string, next: Next = 'idle'): Promise<void> {
    running.get(id)?.(next)
    await new Promise(setImmediate)
  }
  return { turns, time, began, end }
}

test('as many run as may, the others in the order in which they asked', async () => {
  const { turns, began, end } = createManualTurns(2)
  for (const id of ['a', 'b', 'c', 'd', 'c']) turns.ask(id)
  assert.deepEqual(began, ['a', 'b'])
  assert.equal(turns.countWaiting(), 2)
  await end('b')
  await end('a')
  assert.deepEqual(began, ['a', 'b', 'c', 'd'])
})

test('who wants another turn goes behind those who wait', async () => {
  const { turns, began, end } = createManualTurns(1)
  for (const id of ['a', 'b']) turns.ask(id)
  await end('a', 'again')
  await end('b')
  assert.deepEqual(began, ['a', 'b', 'a'])
})

test('asking during a turn makes one more, however often', async () => {
  const { turns, began, end } = createManualTurns(2)
  for (const id of ['a', 'a', 'a']) turns.ask(id)
  assert.deepEqual(began, ['a'])
  await end('a')
  await end('a')
  assert.deepEqual(began, ['a', 'a'])
})

test('asking for a turn now ends a pause', async () => {
  const { turns, began, end } = createManualTurns(1)
  turns.ask('a')
  await end('a', { pauseMs: 1_000 })
  turns.askNow('a')
  assert.deepEqual(began, ['a', 'a'])
})

test('asking for a turn now while one runs overrules the pause that it ends with', async () => {
  const { turns, began, end } = createManualTurns(1)
  turns.ask('a')
  turns.askNow('a')
  await end('a', { pauseMs: 1_000 })
  assert.deepEqual(began, ['a', 'a'])
})

test('a pause stands, however often one asks', async () => {
  const { turns, time, began, end } = createManualTurns(1)
  turns.ask('a')
  await end('a', { pauseMs: 1_000 })
  turns.ask('a')
  time.advance(999)
  assert.deepEqual(began, ['a'])
  time.advance(1)
  assert.deepEqual(began, ['a', 'a'])
})

test('close waits for the running turns and begins none', async () => {
  const { turns, time, began, end } = createManualTurns(2)
  turns.ask('a')
  await end('a', { pauseMs: 1_000 })
  for (const id of ['b', 'c', 'd']) turns.ask(id)
  let closed = false
  const closing = turns.close().then(() => {
    closed = true
  })
  assert.equal(time.countTimers(), 0)
  await end('b', 'again')
  assert.equal(closed, false)
  await end('c', { pauseMs: 1_000 })
  await closing
  turns.ask('e')
  assert.deepEqual(began, ['a', 'b', 'c'])
  assert.equal(time.countTimers(), 0)
})
