import type { Send } from '../../../../src/delivery/attempt.ts'
import { resumeStream } from '../../../../src/delivery/policy.ts'
import type { Scheduler, SchedulerOptions } from '../../../../src/delivery/scheduler.ts'
import { createScheduler } from '../../../../src/delivery/scheduler.ts'
import type { StreamStore } from '../../../../src/delivery/stream-context.ts'
import { createManualTime } from '../../../support/manual-time.ts'
import { createMemoryStore } from './memory-store.ts'
import { response } from './samples.ts'

export interface SimulationOptions {
  /** A new number from 0 to 1 per call. */
  readonly random: () => number
  /** The maximum time before, and again after, an operation of the store. */
  readonly storeMs: number
  /** The maximum time before, and again after, an attempt reaches its target. */
  readonly sendMs: number
  /** The share of attempts that fail, from 0 to 1. */
  readonly failing: number
}

interface Process {
  readonly scheduler: Scheduler
  readonly crash: () => void
}

interface DeliveredEvent {
  readonly directoryId: string
  readonly sequence: number
}

/** Several processes with one store and one target, in which every operation takes time. */
export function createSimulation({ random, storeMs, sendMs, failing }: SimulationOptions) {
  const time = createManualTime()
  const memory = createMemoryStore(time.clock)
  const processes: Process[] = []
  const delivered: DeliveredEvent[] = []
  const errors: unknown[] = []
  let isRecovered = false

  function startProcess(): void {
    const never = new Promise<never>(() => {})
    let isCrashed = false
    const pass = async (maxMs: number): Promise<void> => {
      await new Promise<void>((resolve) => time.schedule(resolve, Math.floor(random() * maxMs)))
      if (isCrashed) await never
    }
    const schedule: SchedulerOptions['schedule'] = (run, delayMs) =>
      time.schedule(() => {
        if (!isCrashed) run()
      }, delayMs)
    const send: Send = async ({ id }, batch) => {
      await pass(sendMs)
      if (!isRecovered && random() < failing) return response(503)
      for (const { sequence } of batch) delivered.push({ directoryId: id, sequence })
      await pass(sendMs)
      return response(200)
    }
    const log = { warn: () => {}, error: (details: object) => errors.push(details) }
    const { clock } = time
    const store = delayed(memory.ofProcess(), () => pass(storeMs))
    const scheduler = createScheduler({
      ...{ store, target: 'endpoint', send, schedule, clock, now: clock, random, log },
    })
    scheduler.start()
    processes.push({
      scheduler,
      crash: () => {
        isCrashed = true
      },
    })
  }

  const at = (index: number): number => index % processes.length

  return {
    time,
    memory,
    delivered,
    errors,
    startProcess,
    commit(directoryId: string, count: number, index: number): void {
      memory.commit(directoryId, count)
      processes[at(index)]?.scheduler.wake(directoryId)
    },
    /** Kills a process and starts another one. */
    crash(index: number): void {
      for (const { crash } of processes.splice(at(index), 1)) crash()
      startProcess()
    },
    async stop(index: number): Promise<void> {
      const stopped = processes.splice(at(index), 1)
      startProcess()
      for (const { scheduler } of stopped) await scheduler.close()
    },
    /** Changes a stream as an operator, which ends its lease. */
    async change(directoryId: string, index: number): Promise<void> {
      await memory.store.changeStream(directoryId, 'endpoint', resumeStream)
      processes[at(index)]?.scheduler.retry(directoryId)
    },
    async run(ms: number): Promise<void> {
      const end = time.clock() + ms
      while (time.runNext(end - time.clock())) await settle()
      time.advance(end - time.clock())
    },
    /** From now on every attempt succeeds. */
    recover(): void {
      isRecovered = true
    },
    async close(): Promise<void> {
      const closed = Promise.all(processes.map(({ scheduler }) => scheduler.close()))
      await settle()
      while (time.runNext(60_000)) await settle()
      await closed
    },
  }
}

/** A store whose operations take time. */
function delayed(store: StreamStore, pass: () => Promise<void>): StreamStore {
  const around =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await pass()
      const result = await operation(...args)
      await pass()
      return result
    }
  return {
    ...store,
    getDirectory: around(store.getDirectory),
    eventsAfter: around(store.eventsAfter),
    leaseStream: around(store.leaseStream),
    renewLeases: around(store.renewLeases),
    releaseLease: around(store.releaseLease),
    recordStream: around(store.recordStream),
    directoriesDue: around(store.directoriesDue),
    requestedReplays: around(store.requestedReplays),
    publishNotice: around(store.publishNotice),
  }
}

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
