import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startServiceProcess, startTestService } from '../../support/service.ts'
import { shiftedClock } from '../../support/shifted-clock.ts'
import { idpOf } from '../support/idp.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

test('postgres: when the clock of a process is an hour ahead, its times are right, and other processes retry on time', async () => {
  await using database = await openTestDatabase('postgres')
  await using receiver = await startReceiver()
  await using wrong = await startServiceProcess(database, shiftedClock(hourMs))
  const directory = await wrong.createDirectory(receiver.endpoint)
  receiver.answerWith({ status: 503, headers: { 'retry-after': '1' } })
  const { headers } = await idpOf(wrong, directory).send('POST', '/Users', { userName: 'bjensen' })
  await receiver.until(() => receiver.attempts.length > 0, 'the first attempt')

  const ready = await wrong.request('GET', '/readyz')
  assert.equal(ready.status, 200)
  assert.match(ready.text, /The clock of this process is 3600 s ahead of that of the database/)
  assert.equal(wrong.output().match(/The clock of this process/g)?.length, 1)
  const { text: metrics } = await wrong.request('GET', '/metrics')
  const skew = Number(/^rollcall_clock_skew_seconds (\S+)$/m.exec(metrics)?.[1])
  assert(Math.abs(skew * 1000 - hourMs) < minuteMs, `the skew is ${skew} s`)
  const trace = await dataOf<{ request: { at: string } }>(wrong, `/requests/${headers['x-request-id']}`)
  assertIsNow(trace.request.at)

  await eventually('the failed attempt to be recorded', async () => {
    const { next_attempt_at: at } = await dataOf<{ next_attempt_at: string | null }>(wrong, `/${directory.id}/delivery`)
    if (at !== null) assertIsNow(at)
    return at !== null
  })
  assert.equal(await wrong.kill('SIGTERM'), 0)
  receiver.answerWith(204)
  await using right = await startTestService(database)
  const [event] = await receiver.firstEvents(directory.id, 1)
  assertIsNow(String(event?.created_at))
  assert.equal(receiver.refusedSignatures(), 0)
  assert.equal((await right.request('GET', '/readyz')).text, '{"status":"ready"}')
})

async function dataOf<T>(client: Client, path: string): Promise<T> {
  return (JSON.parse((await client.api('GET', path)).text) as { data: T }).data
}

/** Checks that a time is not an hour off. */
function assertIsNow(time: string): void {
  assert(Math.abs(Date.parse(time) - Date.now()) < 10 * minuteMs, `${time} is not now`)
}
