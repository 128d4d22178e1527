import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { TurnResult } from '../../../src/delivery/run-queue.ts'
import { createRunQueue } from '../../../src/delivery/run-queue.ts'
import { createManualTime } from '../../support/manual-time.ts'

const limit = 8

/** A queue whose turns end under the control of the test. */
function createManualQueue() {
  const time = createManualTime()
  const running = new Map<string, { tenant: string; end: (result: TurnResult) => void }>()
  const started: { id: string; tenant: string; othersWaited: boolean }[] = []
  const waiting = new Map<string, string>()
  const queue = createRunQueue({
    ...{ limit, schedule: time.schedule, now: time.clock, onNeedsMore: () => {} },
    runTurn(id, tenant) {
      waiting.delete(id)
      started.push({ id, tenant, othersWaited: [...waiting.values()].some((other) => other !== tenant) })
      const { promise, resolve } = Promise.withResolvers<TurnResult>()
      running.set(id, { tenant, end: resolve })
      queue.attemptStarted(id)
      return promise
    },
  })
  return {
    ...{ time, running, started },
    countOf: (tenant: string) => [...running.values()].filter((turn) => turn.tenant === tenant).length,
    add(id: string, tenant: string): void {
      if (!running.has(id)) waiting.set(id, tenant)
      queue.add(id, tenant)
    },
    addNow: queue.addNow,
    async end(id: string): Promise<void> {
      queue.attemptEnded(id)
      running.get(id)?.end('idle')
      running.delete(id)
      await new Promise(setImmediate)
    },
  }
}

test('tenants take turns, regardless of who came first', async () => {
  const { add, end, started, running } = createManualQueue()
  for (let n = 0; n < 20; n += 1) add(`a${n}`, 'a')
  for (const tenant of ['b', 'c']) for (let n = 0; n < 3; n += 1) add(`${tenant}${n}`, tenant)
  const first = started.length
  while (running.size > 0) await end([...running.keys()][0] ?? '')
  const others = started.findLastIndex(({ tenant }) => tenant !== 'a')
  assert.ok(others < first + 2 * 6, 'the other tenants are done after about as many turns of a')
  assert.equal(started.length, 26)
})

test('a change does not move a directory ahead of those that wait', async () => {
  const { add, addNow, end, started } = createManualQueue()
  for (let n = 0; n < 10; n += 1) add(`a${n}`, 'a')
  for (let times = 0; times < 50; times += 1) addNow('a9', 'a')
  while (started.length < 10) await end(started[started.length - 6]?.id ?? '')
  assert.deepEqual(
    started.map(({ id }) => id),
    Array.from({ length: 10 }, (_, n) => `a${n}`),
  )
})

test('endpoints that were slow take places of a small pool, and leave it when they are fast again', async () => {
  const { add, end, running, time } = createManualQueue()
  for (const id of ['a', 'b', 'c']) add(id, id)
  time.advance(2_000)
  for (const id of ['a', 'b', 'c']) await end(id)
  for (const id of ['a', 'b', 'c']) add(id, id)
  assert.deepEqual([...running.keys()], ['a', 'b'], 'the slow pool has a quarter of 8 places')
  for (const id of ['a', 'b']) await end(id)
  for (const id of ['a', 'b']) add(id, id)
  assert.deepEqual([...running.keys()], ['c', 'a', 'b'])
})

test('no order of events starves a tenant, and there are never more turns than twice the limit', async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('add' as const), tenant: fc.nat({ max: 4 }), n: fc.nat({ max: 30 }) }),
    fc.record({ does: fc.constant('end' as const), n: fc.nat({ max: 7 }) }),
    fc.record({ does: fc.constant('wait' as const), ms: fc.nat({ max: 3_000 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      const { add, end, running, started, time } = createManualQueue()
      const added = new Set<string>()
      for (const one of steps) {
        if (one.does === 'add') {
          added.add(`${one.tenant}.${one.n}`)
          add(`${one.tenant}.${one.n}`, String(one.tenant))
        }
        if (one.does === 'end') await end([...running.keys()][one.n % Math.max(1, running.size)] ?? '')
        if (one.does === 'wait') time.advance(one.ms)
        assert.ok(running.size <= 2 * limit)
      }
      for (let turns = 0; running.size > 0; turns += 1) {
        assert.ok(turns < 10_000)
        await end([...running.keys()][0] ?? '')
      }
      assert.deepEqual(new Set(started.map(({ id }) => id)), added, 'everything that was added has had a turn')
    }),
    { numRuns: 60 },
  )
})

test('while others wait a tenant starts no more turns than its share', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 100 }), async (tenants) => {
      const { add, end, running, started, countOf } = createManualQueue()
      for (const [n, tenant] of tenants.entries()) {
        add(`${tenant}.${n}`, String(tenant))
        if (n % 3 === 2) await end([...running.keys()][0] ?? '')
      }
      while (running.size > 0) {
        const before = started.length
        await end([...running.keys()][0] ?? '')
        for (const { tenant, othersWaited } of started.slice(before)) {
          if (othersWaited) assert.ok(countOf(tenant) <= limit / 4)
        }
      }
    }),
    { numRuns: 60 },
  )
})
