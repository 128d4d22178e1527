import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryTarget } from '../../../src/delivery/event-store.ts'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { Resync } from '../../../src/delivery/resync/resync.ts'
import { nextResyncStep, startResync } from '../../../src/delivery/resync/resync.ts'
import type { ResyncRunnerStore } from '../../../src/delivery/resync/runner.ts'
import { createResyncRunner } from '../../../src/delivery/resync/runner.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { someDirectory } from './support/samples.ts'

const none = { users: 0, groups: 0, members: 0 }

function begun(directoryId: string): Resync {
  const request = { directoryId, syncId: `sync-${directoryId}`, requestId: 'request-1', startedAt: 0 }
  return startResync(request, none, 1).resync
}

/** A store with empty directories: a resync takes three steps, one per phase. */
function createStore(directories = [someDirectory()]) {
  const resyncs = new Map<string, Resync>()
  const undelivered = new Map<DeliveryTarget, number>()
  const steps: string[] = []
  let failures = 0
  const store: ResyncRunnerStore = {
    getDirectory: async (id) => directories.find((directory) => directory.id === id),
    getResync: async (id) => resyncs.get(id),
    beginResync: async () => assert.fail(),
    async stepResync(before, _limits, now) {
      if (failures-- > 0) throw new Error('the disk is full')
      const present = resyncs.get(before.directoryId)
      if (present?.step !== before.step || present.phase === 'completed') return 'conflict'
      const { resync } = nextResyncStep(present, { phase: present.phase, rows: [] }, now)
      resyncs.set(before.directoryId, resync)
      steps.push(`${before.directoryId} ${before.phase}`)
      return resync
    },
    listRunningResyncs: async () => ({
      directories: [...resyncs.values()].flatMap((one) =>
        one.completedAt ? [] : [{ id: one.directoryId, tenant: 'acme' }],
      ),
      next: undefined,
    }),
    streamStatus: async (_id, target) => ({
      ...newStream,
      lastSequence: undelivered.get(target) ?? 0,
      isHeld: false,
      deadEvents: 0,
    }),
  }
  return {
    ...{ store, resyncs, undelivered, steps },
    begin: (id: string) => resyncs.set(id, begun(id)),
    fail(times: number) {
      failures = times
    },
  }
}

/** Runs everything that does not wait for a timer. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

function startRunner(made: ReturnType<typeof createStore>, targets: readonly DeliveryTarget[] = ['endpoint']) {
  const time = createManualTime(1)
  const woken: string[] = []
  const runner = createResyncRunner({
    store: made.store,
    targets,
    onStep: ({ id }) => woken.push(id),
    clock: time.clock,
    schedule: time.schedule,
    maxUndelivered: 10,
  })
  return { ...time, runner, woken }
}

test('a resync runs to its end, and delivery is woken after every step', async () => {
  const made = createStore()
  const { runner, woken } = startRunner(made)
  made.begin('d1')
  runner.wake('d1')
  await settle()
  assert.deepEqual(made.steps, ['d1 users', 'd1 groups', 'd1 members'])
  assert.deepEqual(woken, ['d1', 'd1', 'd1'])
  assert.equal(made.resyncs.get('d1')?.completedAt, 1)
  await runner.close()
})

test('polling finds unfinished resyncs, at the start and every five seconds', async () => {
  const made = createStore([someDirectory(), someDirectory({ id: 'd2' })])
  const { runner, advance, scheduled } = startRunner(made)
  made.begin('d1')
  runner.start()
  await scheduled(5_000)
  await settle()
  made.begin('d2')
  advance(4_999)
  await settle()
  assert.equal(made.steps.length, 3)
  advance(1)
  await settle()
  assert.deepEqual(made.steps.slice(3), ['d2 users', 'd2 groups', 'd2 members'])
  await runner.close()
})

for (const target of ['endpoint', 'on-event'] as const) {
  test(`the next step waits while ${target} has too many undelivered events`, async () => {
    const made = createStore()
    const { runner, advance, scheduled } = startRunner(made, ['endpoint', 'on-event'])
    made.undelivered.set(target, 11)
    made.begin('d1')
    runner.wake('d1')
    await scheduled(1_000)
    advance(1_000)
    await settle()
    assert.deepEqual(made.steps, [])
    made.undelivered.set(target, 10)
    advance(1_000)
    await settle()
    assert.equal(made.steps.length, 3)
    await runner.close()
  })
}

test('a directory without an endpoint does not wait for one', async () => {
  const made = createStore([someDirectory({ endpoint: undefined })])
  const { runner } = startRunner(made)
  made.undelivered.set('endpoint', 1_000)
  made.begin('d1')
  runner.wake('d1')
  await settle()
  assert.equal(made.steps.length, 3)
  await runner.close()
})

test('a failed step is retried after a second', async () => {
  const made = createStore()
  const { runner, advance, scheduled } = startRunner(made)
  made.fail(1)
  made.begin('d1')
  runner.wake('d1')
  await scheduled(1_000)
  advance(1_000)
  await settle()
  assert.equal(made.steps.length, 3)
  await runner.close()
})

test('after a conflict with another process the next step waits a second', async () => {
  const made = createStore()
  const { runner, advance, scheduled } = startRunner(made)
  made.begin('d1')
  const { getResync } = made.store
  let isStale = true
  Object.assign(made.store, {
    async getResync(id: string) {
      const found = await getResync(id)
      if (isStale && found !== undefined) made.resyncs.set(id, { ...found, step: 7 })
      isStale = false
      return found
    },
  })
  runner.wake('d1')
  await scheduled(1_000)
  assert.deepEqual(made.steps, [])
  advance(1_000)
  await settle()
  assert.equal(made.steps.length, 3)
  await runner.close()
})

test('no step is made after close', async () => {
  const made = createStore()
  const { runner, countTimers } = startRunner(made)
  runner.start()
  await settle()
  await runner.close()
  made.begin('d1')
  runner.wake('d1')
  await settle()
  assert.deepEqual([made.steps, countTimers()], [[], 0])
})
