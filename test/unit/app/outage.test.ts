import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createOutageLog } from '../../../src/app/outage.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { createManualTime } from '../../support/manual-time.ts'

const err = new StoreUnavailable('no connection')

/** A log over a database that a test turns off and on. */
function openLog() {
  const time = createManualTime()
  const lines: { level: string; details: object; message: string }[] = []
  const write = (level: string) => (details: object, message: string) => void lines.push({ level, details, message })
  const database = { isUp: true }
  const outage = createOutageLog({
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    ping: async () => {
      if (!database.isUp) throw err
    },
    schedule: time.schedule,
    monotonicMs: time.clock,
  })
  const pass = async (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      time.advance(1_000)
      await nextTurn()
    }
  }
  return { ...outage, lines, database, pass }
}

test('an outage is one line at its beginning and one at its end, which counts the lines left out', async () => {
  const { log, report, lines, database, pass } = openLog()
  database.isUp = false
  log.error({ err, directoryId: 'd1' }, 'delivery failed')
  for (const message of ['delivery failed', 'pruning failed', 'delivery failed']) log.warn({ err }, message)
  report(err)
  await pass(60)
  assert.deepEqual(lines, [
    { level: 'error', details: { err, first: 'delivery failed' }, message: 'the database is not available' },
  ])
  database.isUp = true
  await pass(10)
  const omitted = { 'delivery failed': 2, 'pruning failed': 1, 'a request needed it': 1 }
  assert.deepEqual(lines.slice(1), [
    { level: 'warn', details: { seconds: 60, omitted }, message: 'the database is available again' },
  ])
  log.error({ err }, 'delivery failed')
  assert.equal(lines.length, 3, 'the next outage has a line again')
})

test('a database that comes and goes is one outage', async () => {
  const { log, lines, database, pass } = openLog()
  for (let n = 0; n < 5; n += 1) {
    database.isUp = false
    log.error({ err }, 'delivery failed')
    await pass(2)
    database.isUp = true
    await pass(2)
  }
  assert.equal(lines.length, 1)
})

test('other lines are written during an outage as well', () => {
  const { log, report, lines } = openLog()
  log.error({ err }, 'delivery failed')
  const bug = { err: new Error('a bug') }
  log.error(bug, 'a message')
  log.info({ directoryId: 'd1' }, 'a sync has ended')
  report(bug.err)
  assert.deepEqual(lines.slice(1), [
    { level: 'error', details: bug, message: 'a message' },
    { level: 'info', details: { directoryId: 'd1' }, message: 'a sync has ended' },
  ])
})
