import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ForgottenDirectory, RetentionStore } from '../../../src/delivery/event-store.ts'
import type { DeliveryLogger } from '../../../src/delivery/observer.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createRetention } from '../../../src/delivery/retention.ts'
import { createManualTime } from '../../support/manual-time.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Directories whose oldest event has a given age in days and takes a given number of steps to remove. */
function openRetention(
  directories: Readonly<Record<string, { days: number; steps: number }>>,
  forgotten: ForgottenDirectory[] = [],
  log: DeliveryLogger = silentLogger,
) {
  const time = createManualTime(400 * day)
  const asked: (string | undefined)[] = []
  const removed: string[] = []
  let outage: Error | undefined

  const store: RetentionStore = {
    async forgetDirectories(_before, limit) {
      return forgotten.splice(0, limit)
    },
    async directoriesToPrune(before, after, limit) {
      asked.push(after?.id)
      if (outage !== undefined) throw outage
      const all = Object.entries(directories).map(([id, { days }]) => ({
        id,
        oldestEventAt: time.clock() - days * day,
      }))
      const due = all.filter(({ id, oldestEventAt }) => oldestEventAt < before && id > (after?.id ?? ''))
      return due.slice(0, limit)
    },
    async removeEvents(directoryId, { before, after, hasOnEvent }) {
      assert.equal(before, 400 * day + minute - 30 * day)
      removed.push(`${directoryId}:${after}${hasOnEvent ? ':on-event' : ''}`)
      return after + 1 < (directories[directoryId]?.steps ?? 0) ? after + 1 : undefined
    },
  }
  const { clock, schedule } = time
  const retention = createRetention({ store, days: 30, hasOnEvent: false, clock, schedule, log })
  retention.start()
  const fail = (error: Error | undefined) => {
    outage = error
  }
  return { retention, time, asked, removed, fail }
}

test('a minute after the start old events are removed step by step', async () => {
  const { retention, time, removed } = openRetention({
    a: { days: 31, steps: 3 },
    b: { days: 29, steps: 1 },
    d: { days: 99, steps: 1 },
  })
  await time.scheduled(minute)
  time.advance(minute)
  for (const so of [['a:0'], ['a:0', 'a:1']]) {
    await time.scheduled(25)
    assert.deepEqual(removed, so)
    time.advance(25)
  }
  await time.scheduled(hour)
  assert.deepEqual(removed, ['a:0', 'a:1', 'a:2', 'd:0'])
  await retention.close()
})

test('directories are read in pages', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `d${1000 + index}`)
  const { retention, time, asked } = openRetention(Object.fromEntries(names.map((id) => [id, { days: 31, steps: 1 }])))
  await time.scheduled(minute)
  time.advance(minute)
  for (const pages of [1, 2]) {
    await time.scheduled(25)
    assert.equal(asked.length, pages)
    time.advance(25)
  }
  await time.scheduled(hour)
  assert.deepEqual(asked, [undefined, 'd1099', 'd1199'])
  await retention.close()
})

test('a failed run is repeated after an hour', async () => {
  const { retention, time, asked, fail } = openRetention({})
  fail(new Error('down'))
  await time.scheduled(minute)
  time.advance(minute)
  await time.scheduled(hour)
  fail(undefined)
  time.advance(hour)
  await time.scheduled(hour)
  assert.equal(asked.length, 2)
  await retention.close()
})

test('close stops after the current step', async () => {
  const { retention, time, removed } = openRetention({ a: { days: 31, steps: 9 } })
  await time.scheduled(minute)
  time.advance(minute)
  await time.scheduled(25)
  await retention.close()
  assert.deepEqual(removed, ['a:0'])
  assert.equal(time.countTimers(), 0)
})

test('deleted directories are forgotten after as many days, and a warning names those with undelivered events', async () => {
  const forgotten = Array.from({ length: 130 }, (_, n) => ({ id: `d${n}`, undelivered: n === 120 ? 3 : 0 }))
  const warned: object[] = []
  const { retention, time } = openRetention({}, forgotten, { ...silentLogger, warn: (details) => warned.push(details) })
  await time.scheduled(minute)
  time.advance(minute)
  await time.scheduled(25)
  time.advance(25)
  await time.scheduled(hour)
  assert.deepEqual(forgotten, [])
  assert.deepEqual(warned, [{ directoryId: 'd120', undelivered: 3 }])
  await retention.close()
})
