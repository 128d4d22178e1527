import { createRoundRobin } from '../concurrency/round-robin.ts'
import type { Schedule } from '../concurrency/schedule.ts'
import type { DueDirectory } from './event-store.ts'
import type { Pool } from './fairness.ts'
import { checkMs, mayQueue, needsMore } from './fairness.ts'
import type { Places } from './places.ts'
import { createPlaces } from './places.ts'

/**
 * The continuation after a turn: nothing until the id is added again, another turn at the end of the queue, or one
 * after a delay.
 */
export type TurnResult = 'idle' | 'again' | Delay

export interface Delay {
  readonly delayMs: number
}

export interface RunQueueOptions {
  /** The maximum number of concurrent turns. */
  readonly limit: number
  readonly schedule: Schedule
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Must not reject. */
  readonly runTurn: (id: string, tenant: string) => Promise<TurnResult>
  /** Called after a turn when few ids of its tenant are queued. */
  readonly onNeedsMore: (tenant: string) => void
}

/**
 * Runs turns, never two of the same id at once. Tenants take turns, and so do the ids of a tenant. Ids that are queued
 * without a tenant share a queue. The limits are in `fairness.ts`.
 */
export interface RunQueue extends Pick<Places, 'attemptStarted' | 'attemptEnded'> {
  /** Adds an id. No effect while it is queued or delayed; while its turn runs, another one follows. */
  add(id: string, tenant?: string): void
  /**
   * Adds an id and skips any delay, the current one and the one that its running turn may ask for. The id does not go
   * first.
   */
  addNow(id: string, tenant?: string): void
  /** Adds an id that polling has found; returns false if too many are queued. */
  addFound(found: DueDirectory): boolean
  /** Ends the current delay of an id without adding it. */
  cancelDelay(id: string): void
  /**
   * Adds an id and resolves with the result of its last turn: the first one that is not directly followed by another.
   */
  runToEnd(id: string, tenant?: string): Promise<TurnResult>
  /** The number of queued ids, of one tenant or of all. */
  countWaiting(tenant?: string): number
  /** Starts no more turns. Resolves when the running ones have ended. */
  close(): Promise<void>
}

/** The state that the functions of a run queue share. */
interface Parts {
  readonly options: RunQueueOptions
  readonly places: Places
  readonly waiting: Waiting
  readonly delays: ReturnType<typeof createDelays>
  readonly completions: ReturnType<typeof createCompletions>
  readonly addedWhileRunning: Set<string>
  readonly addedNow: Set<string>
  /** The tenants of running and delayed ids. */
  readonly tenants: Map<string, string>
  readonly allEnded: PromiseWithResolvers<void>
  cancelCheck: (() => void) | undefined
  isClosed: boolean
}

export function createRunQueue(options: RunQueueOptions): RunQueue {
  const places = createPlaces(options.limit, options.now)
  const parts: Parts = {
    ...{ options, places, waiting: createWaiting(places), completions: createCompletions() },
    delays: createDelays(options.schedule, (id) => add(parts, id, parts.tenants.get(id) ?? '')),
    ...{ addedWhileRunning: new Set(), addedNow: new Set(), tenants: new Map() },
    ...{ allEnded: Promise.withResolvers<void>(), cancelCheck: undefined, isClosed: false },
  }
  const { waiting, delays, completions } = parts

  return {
    attemptStarted: places.attemptStarted,
    attemptEnded: places.attemptEnded,
    add: (id, tenant = parts.tenants.get(id) ?? '') => add(parts, id, tenant),
    addNow(id, tenant = parts.tenants.get(id) ?? '') {
      if (places.isRunning(id)) parts.addedNow.add(id)
      delays.cancel(id)
      add(parts, id, tenant)
    },
    addFound({ id, tenant }) {
      const isAccepted = mayQueue(waiting.count(), waiting.count(tenant))
      if (isAccepted) add(parts, id, tenant)
      return isAccepted
    },
    cancelDelay(id) {
      delays.cancel(id)
      if (!places.isRunning(id)) parts.tenants.delete(id)
    },
    runToEnd(id, tenant = '') {
      if (parts.isClosed || delays.has(id)) return Promise.resolve('idle')
      const completion = completions.of(id)
      add(parts, id, tenant)
      return completion
    },
    countWaiting: waiting.count,
    close: () => close(parts),
  }
}

function add(parts: Parts, id: string, tenant: string): void {
  if (parts.isClosed || parts.delays.has(id)) return
  if (parts.places.isRunning(id)) parts.addedWhileRunning.add(id)
  else parts.waiting.add(id, tenant)
  startTurns(parts)
}

function startTurns(parts: Parts): void {
  for (let next = parts.waiting.take(); next !== undefined; next = parts.waiting.take()) {
    const { id, tenant, pool } = next
    parts.tenants.set(id, tenant)
    parts.places.start(id, tenant, pool)
    parts.options.runTurn(id, tenant).then((result) => endTurn(parts, id, tenant, result))
  }
  if (parts.waiting.count() > 0 && !parts.isClosed) parts.cancelCheck ??= scheduleCheck(parts)
}

/** Checks running attempts: those that have become slow make places available. */
function scheduleCheck(parts: Parts): () => void {
  return parts.options.schedule(() => {
    parts.cancelCheck = undefined
    parts.places.moveSlowTurns()
    startTurns(parts)
  }, checkMs)
}

function endTurn(parts: Parts, id: string, tenant: string, result: TurnResult): void {
  const { places, completions } = parts
  places.end(id)
  const wasAdded = parts.addedWhileRunning.delete(id)
  const isRepeated = parts.addedNow.delete(id) || (wasAdded && result === 'idle')
  const next = isRepeated ? 'again' : result
  if (parts.isClosed || next !== 'again') completions.resolve(id, next)
  if (parts.isClosed) {
    if (places.countRunning() === 0) parts.allEnded.resolve()
  } else {
    if (typeof next === 'object') parts.delays.start(id, next)
    else parts.tenants.delete(id)
    if (next === 'again') parts.waiting.add(id, tenant)
    startTurns(parts)
  }
  if (needsMore(parts.waiting.count(tenant))) parts.options.onNeedsMore(tenant)
}

function close(parts: Parts): Promise<void> {
  parts.isClosed = true
  parts.cancelCheck?.()
  for (const id of parts.waiting.clear()) parts.completions.resolve(id, 'idle')
  parts.delays.cancelAll()
  if (parts.places.countRunning() === 0) parts.allEnded.resolve()
  return parts.allEnded.promise
}

interface NextTurn {
  readonly id: string
  readonly tenant: string
  readonly pool: Pool
}

interface Waiting {
  add(id: string, tenant: string): void
  /** Removes and returns the next id that may start. */
  take(): NextTurn | undefined
  count(tenant?: string): number
  /** Removes and returns all ids. */
  clear(): string[]
}

/** The ids that wait for a place, in the order in which they get one. */
function createWaiting(places: Places): Waiting {
  const queues = { fast: createRoundRobin<NextTurn>(), slow: createRoundRobin<NextTurn>() }
  const ids = new Set<string>()
  const takeFrom = (pool: Pool) =>
    queues[pool].take((tenant) => places.mayStart(pool, tenant, queues[pool].hasOthers(tenant)))

  return {
    add(id, tenant) {
      if (ids.has(id)) return
      const pool = places.poolOf(id)
      ids.add(id)
      queues[pool].add(tenant, { id, tenant, pool })
    },
    take() {
      const next = takeFrom('fast') ?? takeFrom('slow')
      if (next !== undefined) ids.delete(next.id)
      return next
    },
    count: (tenant) => (tenant === undefined ? ids.size : queues.fast.count(tenant) + queues.slow.count(tenant)),
    clear() {
      const cleared = [...ids]
      ids.clear()
      queues.fast.clear()
      queues.slow.clear()
      return cleared
    },
  }
}

function createDelays(schedule: Schedule, onEnd: (id: string) => void) {
  const cancels = new Map<string, () => void>()
  return {
    has: (id: string) => cancels.has(id),
    start(id: string, { delayMs }: Delay): void {
      const cancel = schedule(() => {
        cancels.delete(id)
        onEnd(id)
      }, delayMs)
      cancels.set(id, cancel)
    },
    cancel(id: string): void {
      cancels.get(id)?.()
      cancels.delete(id)
    },
    cancelAll(): void {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}

function createCompletions() {
  const resolvers = new Map<string, ((result: TurnResult) => void)[]>()
  return {
    of(id: string): Promise<TurnResult> {
      const { promise, resolve } = Promise.withResolvers<TurnResult>()
      resolvers.set(id, [...(resolvers.get(id) ?? []), resolve])
      return promise
    },
    resolve(id: string, result: TurnResult): void {
      for (const resolve of resolvers.get(id) ?? []) resolve(result)
      resolvers.delete(id)
    },
  }
}
