import assert from 'node:assert/strict'
import test from 'node:test'
import type { Send } from '../../../src/delivery/attempt.ts'
import { directoryUpdated } from '../../../src/delivery/policy.ts'
import { failed, response } from './support/samples.ts'
import { settle, setUp } from './support/scheduling.ts'

const timeoutMs = 15_000

/** A scheduler in which the endpoints of some tenants never answer. */
function withHangingEndpoints(isHanging: (tenant: string) => boolean) {
  const all = setUp()
  const { time } = all
  const attempts: { id: string; tenant: string; at: number }[] = []
  let inFlight = 0
  let maxInFlight = 0
  const send: Send = async ({ id, tenant }) => {
    attempts.push({ id, tenant, at: time.clock() })
    if (!isHanging(tenant)) return response(200)
    inFlight += 1
    maxInFlight = Math.max(maxInFlight, inFlight)
    await new Promise<void>((resolve) => time.schedule(resolve, timeoutMs))
    inFlight -= 1
    return failed('no response')
  }
  const scheduler = all.open({ send })
  async function run(ms: number): Promise<void> {
    const end = time.clock() + ms
    await settle()
    while (time.runNext(end - time.clock())) await settle()
    time.advance(end - time.clock())
  }
  return { ...all, scheduler, attempts, run, maxInFlight: () => maxInFlight }
}

for (const { name, hostile, viaPolling } of [
  { name: 'one tenant whose 1,000 endpoints hang', hostile: ['x'], viaPolling: false },
  { name: 'five tenants whose 200 endpoints each hang', hostile: ['v', 'w', 'x', 'y', 'z'], viaPolling: false },
  { name: 'one tenant whose 1,000 endpoints hang and are found by polling', hostile: ['x'], viaPolling: true },
]) {
  test(`beside ${name} every event of another tenant is sent within a second`, async () => {
    const { memory, scheduler, attempts, time, run, maxInFlight } = withHangingEndpoints((one) => hostile.includes(one))
    for (let n = 0; n < 1_000; n += 1) {
      const tenant = hostile[n % hostile.length] ?? ''
      memory.commit(`hanging-${n}`, 5, tenant)
      if (!viaPolling) scheduler.wake(`hanging-${n}`, tenant)
    }
    scheduler.start()
    await run(50)
    const delays: number[] = []
    for (let n = 0; n < 60; n += 1) {
      const [id, at] = [`good-${n % 3}`, time.clock()]
      memory.commit(id, 1, 'good')
      scheduler.wake(id, 'good')
      await run(1_000)
      const sent = attempts.findLast((attempt) => attempt.id === id)
      delays.push((sent?.at ?? Number.NaN) - at)
    }
    assert.ok(
      delays.every((ms) => ms >= 0 && ms < 1_000),
      `the delays were ${delays}`,
    )
    assert.ok(maxInFlight() <= 256)
    assert.ok(new Set(attempts.map(({ id }) => id)).size > 100, 'the hanging ones have their turns, too')
    const closing = scheduler.close()
    await run(30_000)
    await closing
  })
}

test('polling finds the directories of all tenants, however many one of them has', async () => {
  const { memory, scheduler, attempts, run } = withHangingEndpoints((tenant) => tenant === 'x')
  for (let n = 0; n < 3_000; n += 1) memory.commit(`a-hanging-${n}`, 1, 'x')
  memory.commit('z-good', 1, 'good')
  scheduler.start()
  await run(1_000)
  assert.ok(attempts.some(({ id }) => id === 'z-good'))
  const closing = scheduler.close()
  await run(30_000)
  await closing
})

test('polling continues with a tenant that has more directories than may be queued', async () => {
  const { memory, scheduler, attempts, run } = withHangingEndpoints(() => false)
  for (let n = 0; n < 2_000; n += 1) memory.commit(`d${n}`, 1, 'big')
  scheduler.start()
  await run(1_000)
  assert.equal(attempts.length, 2_000)
  await scheduler.close()
})

test('a failing directory that is changed in a loop is attempted at most twice a second', async () => {
  const { memory, scheduler, sendings, time } = setUp(() => response(503))
  memory.commit('d1', 1)
  scheduler.start()
  await sendings.until(1)
  await settle()
  for (let change = 0; change < 300; change += 1) {
    await memory.store.changeStream('d1', 'endpoint', directoryUpdated(change % 2 === 1, time.clock()))
    scheduler.retry('d1')
    await settle()
    time.advance(200)
    await settle()
  }
  assert.ok(sendings.items.length <= 1 + 2 * 60, `there were ${sendings.items.length} attempts in a minute`)
  assert.ok(sendings.items.length > 4, 'changes are retried')
  await scheduler.close()
})
