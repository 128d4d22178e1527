import assert from 'node:assert/strict'
import test from 'node:test'
import { createFairSemaphore } from '../../../src/concurrency/fair-semaphore.ts'

const never = new AbortController().signal
const settle = () => new Promise(setImmediate)

function createTakers(places: number) {
  const semaphore = createFairSemaphore(places)
  const started: string[] = []
  const leaving = new Map<string, () => void>()
  return {
    started,
    async take(key: string, name: string, signal = never): Promise<void> {
      const leave = await semaphore.acquire(key, signal)
      started.push(name)
      leaving.set(name, leave)
    },
    async leave(name: string): Promise<void> {
      leaving.get(name)?.()
      await settle()
    },
  }
}

test('a key leaves a quarter of the places free, and another one starts at once', async () => {
  const { take, started } = createTakers(4)
  for (let n = 0; n < 9; n += 1) void take('a', `a${n}`)
  await settle()
  assert.deepEqual(started, ['a0', 'a1', 'a2'])
  void take('b', 'b0')
  await settle()
  assert.deepEqual(started, ['a0', 'a1', 'a2', 'b0'])
})

test('keys take turns, and a key with its share waits for the others', async () => {
  const { take, leave, started } = createTakers(4)
  for (let n = 0; n < 5; n += 1) void take('a', `a${n}`)
  for (const key of ['b', 'c', 'd']) for (let n = 0; n < 2; n += 1) void take(key, `${key}${n}`)
  await settle()
  for (const name of ['a0', 'a1', 'b0', 'c0', 'd0']) await leave(name)
  assert.deepEqual(started, ['a0', 'a1', 'a2', 'b0', 'c0', 'd0', 'b1', 'c1', 'd1'])
  for (const name of ['a2', 'b1', 'c1', 'd1', 'a3', 'a4']) await leave(name)
  assert.equal(started.length, 11)
})

test('a wait ends with its signal, and the next one has its place', async () => {
  const { take, leave, started } = createTakers(1)
  const stop = new AbortController()
  void take('a', 'a0')
  const given = assert.rejects(take('b', 'b0', stop.signal), /stopped/)
  void take('b', 'b1')
  stop.abort(new Error('stopped'))
  await given
  await leave('a0')
  assert.deepEqual(started, ['a0', 'b1'])
  await assert.rejects(take('b', 'b2', stop.signal), /stopped/)
})
