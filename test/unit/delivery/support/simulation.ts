import type { Send } from '../../../../src/delivery/attempt.ts'
import { resumeStream } from '../../../../src/delivery/policy.ts'
import type { Scheduler, SchedulerOptions } from '../../../../src/delivery/scheduler.ts'
import { createScheduler } from '../../../../src/delivery/scheduler.ts'
import type { StreamStore } from '../../../../src/delivery/stream-context.ts'
import { createManualTime } from '../../../support/manual-time.ts'
import { createMemoryStore } from './memory-store.ts'
import { response } from './samples.ts'

export interface SimulationOptions {
  /** From 0 to 1, anew each time. */
  readonly random: () => number
  /** How long an operation of the store takes at most, on its way there and back each. */
  readonly storeMs: number
  /** How long a delivery takes at most. */
  readonly sendMs: number
  /** How many of the deliveries fail, from 0 to 1. */
  readonly failing: number
}

interface Process {
  readonly dispatcher: Scheduler
  readonly crash: () => void
}

/** An event that its target took. */
interface Taken {
  readonly directoryId: string
  readonly sequence: number
}

/** Several processes on one store and one target, in which everything takes its time. */
export function createSimulation({ random, storeMs, sendMs, failing }: SimulationOptions) {
  const time = createManualTime()
  const memory = createMemoryStore(time.clock)
  const processes: Process[] = []
  const taken: Taken[] = []
  const errors: unknown[] = []
  let isWell = false

  function startProcess(): void {
    const gone = new Promise<never>(() => {})
    let isCrashed = false
    const pass = async (mostMs: number): Promise<void> => {
      await new Promise<void>((resolve) => time.schedule(resolve, Math.floor(random() * mostMs)))
      if (isCrashed) await gone
    }
    const schedule: SchedulerOptions['schedule'] = (run, delayMs) =>
      time.schedule(() => {
        if (!isCrashed) run()
      }, delayMs)
    const send: Send = async ({ id }, parcel) => {
      await pass(sendMs)
      if (!isWell && random() < failing) return response(503)
      for (const { sequence } of parcel) taken.push({ directoryId: id, sequence })
      await pass(sendMs)
      return response(200)
    }
    const log = { warn: () => {}, error: (details: object) => errors.push(details) }
    const { clock } = time
    const store = delayed(memory.ofProcess(), () => pass(storeMs))
    const dispatcher = createScheduler({
      ...{ store, target: 'endpoint', send, schedule, clock, now: clock, random, log },
    })
    dispatcher.start()
    processes.push({
      dispatcher,
      crash: () => {
        isCrashed = true
      },
    })
  }

  const at = (place: number): number => place % processes.length

  return {
    time,
    memory,
    taken,
    errors,
    startProcess,
    commit(directoryId: string, count: number, place: number): void {
      memory.commit(directoryId, count)
      processes[at(place)]?.dispatcher.wake(directoryId)
    },
    /** Ends a process without its help; another one takes its place. */
    crash(place: number): void {
      for (const { crash } of processes.splice(at(place), 1)) crash()
      startProcess()
    },
    async stop(place: number): Promise<void> {
      const stopped = processes.splice(at(place), 1)
      startProcess()
      for (const { dispatcher } of stopped) await dispatcher.close()
    },
    /** An operator changes a stream, which ends its lease. */
    async change(directoryId: string, place: number): Promise<void> {
      await memory.store.changeStream(directoryId, 'endpoint', resumeStream)
      processes[at(place)]?.dispatcher.retry(directoryId)
    },
    async run(ms: number): Promise<void> {
      const end = time.clock() + ms
      while (time.runNext(end - time.clock())) await settle()
      time.advance(end - time.clock())
    },
    /** From now on every delivery goes well. */
    recover(): void {
      isWell = true
    },
    async close(): Promise<void> {
      const closed = Promise.all(processes.map(({ dispatcher }) => dispatcher.close()))
      await settle()
      while (time.runNext(60_000)) await settle()
      await closed
    },
  }
}

/** The store, with time passing before and after each of its operations. */
function delayed(store: StreamStore, pass: () => Promise<void>): StreamStore {
  const around =
    <A extends unknown[], R>(operation: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      await pass()
      const answer = await operation(...given)
      await pass()
      return answer
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

/** Lets everything run that waits for no timer. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
