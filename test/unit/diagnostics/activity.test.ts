import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createActivity } from '../../../src/diagnostics/health/activity.ts'
import type { DirectoryActivity } from '../../../src/diagnostics/health/health-store.ts'
import { createManualTime } from '../../support/manual-time.ts'

const read = { isSuccess: true, isRead: true }

function start() {
  const time = createManualTime(1_000)
  const writes: (readonly DirectoryActivity[])[] = []
  let outage: Error | undefined
  const store = {
    async recordActivity(activities: readonly DirectoryActivity[]) {
      if (outage !== undefined) throw outage
      writes.push(structuredClone(activities))
    },
  }
  const activity = createActivity({ store, clock: time.clock, schedule: time.schedule, log: silentLogger })
  const fail = (error: Error | undefined) => {
    outage = error
  }
  return { time, writes, activity, fail }
}

test('a flood of wrong secrets is one entry, written once a second, and nothing is done without requests', async () => {
  const { time, writes, activity } = start()
  for (let count = 0; count < 100_000; count += 1) activity.rejected('a', { address: '10.0.0.1', hasSecret: true })
  assert.equal(time.countTimers(), 1)
  time.advance(1_000)
  await activity.flush()
  assert.equal(writes.length, 1)
  assert.deepEqual(writes[0]?.[0]?.failed, {
    ...{ count: 100_000, lastAt: 1_000, lastAddress: '10.0.0.1', sinceSuccess: 100_000, since: 1_000 },
    ...{ withSecret: 100_000, problem: undefined },
  })
  assert.equal(time.countTimers(), 0)
})

test('observations of more than 10,000 directories at a time are dropped, and each write has at most 200', async () => {
  const { writes, activity } = start()
  for (let n = 0; n < 10_500; n += 1) activity.requested(`directory-${n}`, read)
  await activity.flush()
  const rows = writes.map(({ length }) => length)
  assert.deepEqual([rows.length, Math.max(...rows), rows.reduce((sum, count) => sum + count)], [50, 200, 10_000])
  const ids = writes.flat().map(({ directoryId }) => directoryId)
  assert.deepEqual(ids, ids.toSorted(), 'in the order of ids')
})

test('a request with the right secret ends the series of failed ones; only successful reads test the connection', async () => {
  const { time, writes, activity } = start()
  activity.rejected('a', { address: undefined, hasSecret: true })
  activity.requested('a', { isSuccess: false, isRead: true })
  time.advance(10)
  activity.requested('a', { isSuccess: true, isRead: false })
  activity.rejected('a', { address: '10.0.0.2', hasSecret: true })
  await activity.flush()
  assert.partialDeepStrictEqual(writes[0]?.[0], {
    ...{ lastRequestAt: 1_010, lastSuccessAt: 1_010, tested: undefined, feedReadAt: undefined },
    failed: { count: 2, sinceSuccess: 1, since: 1_010, lastAddress: '10.0.0.2' },
  })
  activity.requested('a', read)
  activity.feedRead('a')
  await activity.close()
  assert.partialDeepStrictEqual(writes[1]?.[0], { tested: { firstAt: 1_010, lastAt: 1_010 }, feedReadAt: 1_010 })
  activity.requested('b', read)
  await activity.flush()
  assert.equal(writes.length, 2, 'nothing is observed after the end')
})

test('failed requests before one with the right secret are counted separately', async () => {
  const { writes, activity, fail } = start()
  const reject = () => activity.rejected('a', { address: undefined, hasSecret: true })
  reject()
  reject()
  fail(new Error('the database is away'))
  await activity.flush()
  activity.requested('a', read)
  reject()
  await activity.flush()
  activity.requested('a', read)
  reject()
  fail(undefined)
  await activity.flush()
  assert.partialDeepStrictEqual(writes[0]?.[0], { failedBefore: 3, failed: { count: 4, sinceSuccess: 1 } })
})

test('observations that could not be written are written with the next ones', async () => {
  const { time, writes, activity, fail } = start()
  fail(new Error('the database is away'))
  activity.requested('a', read)
  activity.rejected('a', { address: '10.0.0.1', hasSecret: true })
  activity.rejected('b', { address: '10.0.0.1', hasSecret: true })
  await activity.flush()
  time.advance(10)
  activity.rejected('a', { address: '10.0.0.2', hasSecret: true })
  activity.requested('b', { isSuccess: true, isRead: false })
  fail(undefined)
  await activity.flush()
  assert.partialDeepStrictEqual(writes[0], [
    {
      ...{ directoryId: 'a', lastRequestAt: 1_000, tested: { firstAt: 1_000, lastAt: 1_000 } },
      failed: { count: 2, lastAt: 1_010, lastAddress: '10.0.0.2', sinceSuccess: 2, since: 1_000 },
    },
    {
      ...{ directoryId: 'b', lastRequestAt: 1_010 },
      failed: { count: 1, lastAt: 1_000, lastAddress: '10.0.0.1', sinceSuccess: 0, since: undefined },
    },
  ])
})
