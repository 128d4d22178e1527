import assert from 'node:assert/strict'
import test from 'node:test'
import type { StreamState } from '../../../src/delivery/event-store.ts'
import { newStream } from '../../../src/delivery/event-store.ts'
import { createProgress, createStreamRecord } from '../../../src/delivery/progress.ts'
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

test('a record of a stream has the state that it replaces, which is unknown after a failed write', async () => {
  const replaced: (StreamState | undefined)[] = []
  let isAway = false
  const record = createStreamRecord({
    store: {
      async recordStream(_, __, effects) {
        if (isAway) throw new Error('away')
        replaced.push(effects?.before)
        return 'recorded'
      },
    },
    leases: { update: () => {}, forget: () => {} },
    directoryId: 'directory',
    schedule: createManualTime().schedule,
    onError: () => {},
  })
  const stateWith = (failures: number): StreamState => ({ ...newStream, failures })
  const lease = { directoryId: 'directory', target: 'endpoint', token: 1 } as const
  record.load({ lease, state: newStream })
  for (const failures of [1, 2]) {
    record.update(stateWith(failures))
    await record.write()
  }
  isAway = true
  record.update(stateWith(3))
  await assert.rejects(record.write())
  isAway = false
  record.load({ lease, state: stateWith(3) })
  for (let count = 0; count < 2; count += 1) await record.write()
  assert.deepEqual(replaced, [newStream, stateWith(1), undefined, stateWith(3)])
})
