import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from '../../../src/concurrency/semaphore.ts'

const never = new AbortController().signal

/** Takes a place, and adds a line to `log` when it has one. */
function taker(slots: ReturnType<typeof createSemaphore>, log: string[]) {
  return async (name: string, signal: AbortSignal = never) => {
    const leave = await slots.acquire(signal)
    log.push(name)
    return leave
  }
}

test('no more callers work concurrently than there are slots, and the others follow in the order of their calls', async () => {
  const log: string[] = []
  const take = taker(createSemaphore(2), log)
  const [leaveFirst, leaveSecond] = await Promise.all([take('first'), take('second')])
  const [third, fourth] = [take('third'), take('fourth')]
  assert.deepEqual(log, ['first', 'second'])
  leaveSecond?.()
  const leaveThird = await third
  assert.deepEqual(log, ['first', 'second', 'third'])
  leaveFirst?.()
  leaveThird()
  await fourth
  assert.deepEqual(log, ['first', 'second', 'third', 'fourth'])
})

test('a caller whose signal aborts while waiting leaves the queue', async () => {
  const log: string[] = []
  const take = taker(createSemaphore(1), log)
  const leave = await take('first')
  const stop = new AbortController()
  const second = take('second', stop.signal)
  const third = take('third')
  stop.abort(new Error('stopped'))
  await assert.rejects(second, /stopped/)
  leave()
  await third
  assert.deepEqual(log, ['first', 'third'])
})

test('a caller whose signal has already aborted is rejected', async () => {
  const slots = createSemaphore(1)
  await assert.rejects(slots.acquire(AbortSignal.abort(new Error('stopped'))), /stopped/)
  await slots.acquire(never)
})
