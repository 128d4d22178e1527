import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../../src/delivery/observer.ts'
import type { FailedRequests, StoredHealth } from '../../../src/diagnostics/health/health-store.ts'
import { createRejectionWatch } from '../../../src/diagnostics/health/rejections.ts'
import type { NoticeDraft } from '../../../src/directory/operator-notice.ts'
import { someDirectory } from '../../contract/store/samples.ts'
import { createManualTime } from '../../support/manual-time.ts'

const failed = (sinceSuccess: number, lastAt: number): FailedRequests => ({
  ...{ count: 50, lastAt, lastAddress: undefined, sinceSuccess, withSecret: sinceSuccess },
  since: sinceSuccess === 0 ? undefined : 1,
})

test('rejected requests are checked together, and the operator is notified of wrong secrets only', async () => {
  const time = createManualTime()
  const notices: NoticeDraft[] = []
  const checks: (readonly string[])[] = []
  const found: Record<string, Partial<StoredHealth>> = {
    worked: { failed: failed(5, 9), lastRequestAt: 1 },
    new: { failed: failed(5, 9) },
    'for long': { failed: failed(5, 600_001) },
    few: { failed: failed(4, 600_001), lastRequestAt: 1 },
    'beside successes': { failed: failed(5, 9), lastRequestAt: 1, failedBeside: { count: 5, at: 1 } },
    repaired: { failed: failed(0, 9), lastRequestAt: 10 },
  }
  const watch = createRejectionWatch({
    ...{ schedule: time.schedule, log: silentLogger },
    store: {
      async storedHealth(ids) {
        checks.push(ids)
        return new Map(ids.flatMap((id) => (id in found ? [[id, found[id] as StoredHealth] as const] : [])))
      },
      getDirectory: async (id) => someDirectory({ id }),
    },
    notices: {
      async notify(notice) {
        notices.push(notice)
      },
    },
  })
  for (let second = 0; second < 2; second += 1) watch.noticed(Object.keys(found))
  watch.noticed(Array.from({ length: 1_000 }, (_, n) => `other-${n}`))
  time.advance(2_000)
  await watch.close()
  assert.deepEqual(
    notices.map(({ type, directory }) => [type, directory.id]),
    [
      ['directory.unauthorized', 'worked'],
      ['directory.unauthorized', 'for long'],
    ],
  )
  assert.deepEqual([checks.length, checks[0]?.length], [1, 200], 'a flood over many directories stays bounded')
  watch.noticed(['worked'])
  assert.equal(time.countTimers(), 0)
})
