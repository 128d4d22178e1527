import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { silentLogger } from '../../../src/delivery/observer.ts'
import type { OverdueDeprovisioning } from '../../../src/diagnostics/deprovisioning/deprovisioning-store.ts'
import { percentilesOf } from '../../../src/diagnostics/deprovisioning/percentiles.ts'
import { createOverdueWatch } from '../../../src/diagnostics/deprovisioning/watch.ts'
import type { NoticeDraft } from '../../../src/directory/operator-notice.ts'
import { bucketOf, bucketStarts, middleOf } from '../../../src/store/deprovisionings.ts'
import { someDirectory } from '../../contract/store/samples.ts'
import { createManualTime } from '../../support/manual-time.ts'

test('percentiles are those of the counted durations', () => {
  assert.deepEqual(percentilesOf([]), { count: 0, p50_ms: null, p95_ms: null, p99_ms: null })
  assert.deepEqual(percentilesOf([{ ms: 7, count: 1 }]), { count: 1, p50_ms: 7, p95_ms: 7, p99_ms: 7 })
  const durations = [
    { ms: 10, count: 94 },
    { ms: 20, count: 4 },
    { ms: 30, count: 2 },
  ]
  assert.deepEqual(percentilesOf(durations), { count: 100, p50_ms: 10, p95_ms: 20, p99_ms: 30 })
})

test('a duration is known to 2.5 %, or to the millisecond if it is short', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 * 24 * 3_600_000 }), (ms) => {
      const bucket = bucketOf(ms)
      assert.ok((bucketStarts[bucket - 1] ?? 0) <= ms && ms < (bucketStarts[bucket] ?? Number.POSITIVE_INFINITY))
      assert.ok(Math.abs(middleOf(bucket) - ms) <= ms * 0.026 + 0.5, `${ms}: ${middleOf(bucket)}`)
    }),
  )
})

test('an overdue deprovisioning is logged and reported once, without a name, and the check runs less than once a second', async () => {
  const time = createManualTime(100_000)
  const directory = someDirectory()
  const logged: object[] = []
  const notices: NoticeDraft[] = []
  const questions: number[] = []
  let overdue: OverdueDeprovisioning[] = [1, 2].map((sequence) => ({
    ...{
      directoryId: directory.id,
      userId: `user-${sequence}`,
      subject: 'ann@acme.example',
      receivedAt: 90_000,
      sequence,
    },
  }))
  const watch = createOverdueWatch({
    ...{ targetMs: 8_000, clock: time.clock, schedule: time.schedule },
    store: {
      async takeOverdue(until) {
        questions.push(until)
        const taken = overdue
        overdue = []
        return taken
      },
      getDirectory: async () => directory,
    },
    log: { ...silentLogger, warn: (details) => logged.push(details) },
    notices: {
      async notify(notice) {
        notices.push(notice)
      },
    },
  })
  watch.start()
  time.advance(2_000)
  await time.scheduled(2_000)
  await watch.close()
  assert.deepEqual(questions, [102_000 - 8_000])
  const since = new Date(90_000).toISOString()
  assert.deepEqual(
    logged,
    [1, 2].map((sequence) => ({ directoryId: directory.id, userId: `user-${sequence}`, sequence, since })),
  )
  const details = { user_id: 'user-1', sequence: 1, since, overdue: 2 }
  assert.partialDeepStrictEqual(notices, [{ type: 'deprovision.overdue', directory, details }])
  assert.match(notices[0]?.message ?? '', /^2 users have lost access.* within 8 s/)
})

test('with a target of 0 nothing is overdue', () => {
  const time = createManualTime()
  const store = { takeOverdue: async () => [], getDirectory: async () => undefined }
  const parts = {
    store,
    clock: time.clock,
    schedule: time.schedule,
    log: silentLogger,
    notices: { notify: async () => {} },
  }
  createOverdueWatch({ ...parts, targetMs: 0 }).start()
  assert.equal(time.countTimers(), 0)
})
