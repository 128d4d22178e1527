import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSyncInterval } from '../../../../src/google/sync/interval.ts'
import type { StartAll } from '../../../../src/google/sync/runs.ts'
import { createManualTime } from '../../../support/manual-time.ts'

/** Runs everything that does not wait for a timer. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

function startInterval(intervalMs: number) {
  const time = createManualTime(1_000_000)
  const asked: StartAll[] = []
  const errors: string[] = []
  let failures = 0
  const interval = createSyncInterval({
    runs: {
      async startAll(request) {
        if (failures-- > 0) throw new Error('the database is away')
        asked.push(request)
        return { started: [], skipped: [] }
      },
    },
    ...{ intervalMs, clock: time.clock, schedule: time.schedule },
    log: { error: (_details, message) => errors.push(message) },
  })
  const fail = (times: number) => {
    failures = times
  }
  const advance = async (ms: number) => {
    time.advance(ms)
    await settle()
  }
  interval.start()
  return { advance, interval, asked, errors, fail }
}

test('directories whose last run started an interval ago are started, checked ten times per interval', async () => {
  const { advance, asked, interval } = startInterval(100_000)
  await advance(10_000)
  await advance(10_000)
  assert.deepEqual(asked, [
    { trigger: 'interval', unlessSince: 910_000 },
    { trigger: 'interval', unlessSince: 920_000 },
  ])
  await interval.close()
})

test('with a long interval, directories are checked every minute', async () => {
  const { advance, asked, interval } = startInterval(86_400_000)
  await advance(59_999)
  assert.equal(asked.length, 0)
  await advance(1)
  assert.equal(asked.length, 1)
  await interval.close()
})

test('a database error does not stop the interval', async () => {
  const { advance, asked, errors, fail, interval } = startInterval(10_000)
  fail(1)
  await advance(1_000)
  await advance(1_000)
  assert.deepEqual([asked.length, errors.length], [1, 1])
  await interval.close()
})

test('no run is started after close', async () => {
  const { advance, asked, interval } = startInterval(10_000)
  await interval.close()
  await advance(60_000)
  assert.equal(asked.length, 0)
})
