import assert from 'node:assert/strict'
import test from 'node:test'
import { createProgress } from '../../../src/delivery/progress.ts'
import { createManualTime } from '../../support/manual-time.ts'

/** Progress whose writes end under the control of the test. */
function createManualProgress() {
  const time = createManualTime()
  const writes: { sequence: number; end: PromiseWithResolvers<void> }[] = []
  const errors: unknown[] = []
  let advanced = 0
  const progress = createProgress({
    write: () => {
      const end = Promise.withResolvers<void>()
      writes.push({ sequence: advanced, end })
      return end.promise
    },
    schedule: time.schedule,
    onError: (error) => errors.push(error),
  })
  const advance = () => {
    advanced += 1
    progress.advance()
  }
  return { progress, advance, time, writes, errors, sequences: () => writes.map(({ sequence }) => sequence) }
}

test('several steps within 250 ms are one write', () => {
  const { advance, time, sequences } = createManualProgress()
  for (let count = 0; count < 3; count += 1) advance()
  time.advance(249)
  assert.deepEqual(sequences(), [])
  time.advance(1)
  assert.deepEqual(sequences(), [3])
  time.advance(1_000)
  assert.deepEqual(sequences(), [3])
})

test('flush waits for a write in progress and writes newer progress', async () => {
  const { progress, advance, time, writes, sequences } = createManualProgress()
  advance()
  time.advance(250)
  advance()
  const flushed = progress.flush()
  assert.deepEqual(sequences(), [1])
  writes[0]?.end.resolve()
  await new Promise(setImmediate)
  assert.deepEqual(sequences(), [1, 2])
  writes[1]?.end.resolve()
  assert.equal(await flushed, true)
  assert.equal(time.countTimers(), 0)
})

test('a failed write is reported and repeated by the next flush', async () => {
  const { progress, advance, writes, errors, sequences } = createManualProgress()
  advance()
  const first = progress.flush()
  writes[0]?.end.reject(new Error('away'))
  assert.equal(await first, false)
  assert.equal(errors.length, 1)
  const second = progress.flush()
  writes[1]?.end.resolve()
  assert.equal(await second, true)
  assert.deepEqual(sequences(), [1, 1])
})

test('discarded progress is not written', async () => {
  const { progress, advance, time, sequences } = createManualProgress()
  advance()
  progress.discard()
  assert.equal(await progress.flush(), true)
  assert.deepEqual(sequences(), [])
  assert.equal(time.countTimers(), 0)
})
