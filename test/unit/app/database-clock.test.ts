import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { correctedOffset, firstOffset, openDatabaseClock } from '../../../src/app/database-clock.ts'
import { createManualTime } from '../../support/manual-time.ts'

const hourMs = 3_600_000
/** The time of the database when the monotonic clock of the process is at 0. */
const databaseStart = 1_800_000_000_000

// Sent at 100, answered at 1150 by the other clock, received at 200.
const measured = { lowest: 1150 - 200, highest: 1150 - 100 }

test('a process whose clock may be right keeps its time', () => {
  assert.equal(firstOffset(951, measured), 951)
})

test('where its clock is wrong, the first measurement assumes that both ways take half of the round trip', () => {
  assert.equal(firstOffset(5000, measured), 1000)
})

for (const [what, offsetMs, expected] of [
  ['is kept within the bounds of the next measurement', 1040, 1040],
  ['is raised only as far as a measurement proves', 900, 950],
  ['is lowered only as far as a measurement proves', 2000, 1050],
] as const) {
  test(`the offset ${what}`, () => {
    assert.equal(correctedOffset(offsetMs, { lowest: 950, highest: 1050 }), expected)
  })
}

/**
 * A process whose clock is ahead of that of the database, which takes `wayMs` each way to respond.
 */
function setUp(wayMs: number) {
  const time = createManualTime()
  const process = { aheadMs: 0 }
  const database = { isAvailable: true }
  const warnings: string[] = []
  const parts = {
    store: {
      async readClock() {
        if (!database.isAvailable) throw new Error('no connection')
        time.advance(wayMs)
        const answer = databaseStart + time.clock()
        time.advance(wayMs)
        return answer
      },
    },
    ...{ schedule: time.schedule, monotonicMs: time.clock },
    processClock: () => databaseStart + time.clock() + process.aheadMs,
    log: { warn: (_details: object, message: string) => warnings.push(message) },
  }
  const databaseNow = () => databaseStart + time.clock()
  return { time, process, database, warnings, databaseNow, open: () => openDatabaseClock(parts) }
}

test('the time is that of the database, whatever the clock of the process shows', async () => {
  const { process, databaseNow, open } = setUp(20)
  process.aheadMs = hourMs
  const clock = await open()
  assert.equal(clock.now(), databaseNow())
  assert.equal(clock.skewMs(), hourMs)
  process.aheadMs = -hourMs
  assert.equal(clock.now(), databaseNow())
  assert.equal(clock.skewMs(), -hourMs)
})

test('a difference of more than five seconds is logged once, until it is over', async () => {
  const { time, process, warnings, open } = setUp(1)
  const clock = await open()
  clock.start()
  const measure = async () => {
    time.runNext(10_000)
    await settle()
  }
  process.aheadMs = 4_000
  await measure()
  assert.deepEqual([warnings, clock.problem()], [[], undefined])
  process.aheadMs = hourMs
  await measure()
  await measure()
  assert.equal(warnings.length, 1)
  assert.match(String(warnings[0]), /^The clock of this process is 3600 s ahead of that of the database/)
  assert.equal(clock.problem(), warnings[0])
  process.aheadMs = 0
  await measure()
  process.aheadMs = -hourMs
  await measure()
  assert.equal(warnings.length, 2)
  assert.match(String(warnings[1]), /^The clock of this process is 3600 s behind that of the database/)
  await clock.close()
})

test('while the database cannot be reached, the last difference holds', async () => {
  const { time, database, databaseNow, open } = setUp(5)
  const clock = await open()
  clock.start()
  database.isAvailable = false
  time.runNext(10_000)
  await settle()
  assert.equal(clock.now(), databaseNow())
  database.isAvailable = true
  time.runNext(10_000)
  await settle()
  assert.equal(time.countTimers(), 1)
  await clock.close()
})

test('without a server, the time is that of the process', async () => {
  const clock = await openDatabaseClock({
    store: { readClock: undefined },
    schedule: () => assert.fail('nothing is measured'),
    log: { warn: () => assert.fail('nothing is reported') },
    processClock: () => 17,
  })
  clock.start()
  assert.deepEqual([clock.now(), clock.skewMs(), clock.problem()], [17, 0, undefined])
  await clock.close()
})
