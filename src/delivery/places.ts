import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { createKeyedCounts } from '../concurrency/keyed-counts.ts'
import type { Pool } from './fairness.ts'
import { maxSlowEndpoints, mayStart, movesToSlow, slowAttemptMs } from './fairness.ts'

interface RunningTurn {
  readonly tenant: string
  pool: Pool
  /** Start of the attempt in progress, in monotonic milliseconds. */
  attemptAt: number | undefined
}

/** The running turns, and the pools in which they take places. */
export interface Places {
  /** The pool of the next turn of a directory. */
  poolOf(id: string): Pool
  mayStart(pool: Pool, tenant: string, othersWait: boolean): boolean
  start(id: string, tenant: string, pool: Pool): void
  end(id: string): void
  isRunning(id: string): boolean
  countRunning(): number
  attemptStarted(id: string): void
  attemptEnded(id: string): void
  /** Moves turns with slow attempts to the slow pool. */
  moveSlowTurns(): void
}

/** @param fastPlaces the number of directories that are sent to concurrently, not counting slow endpoints */
export function createPlaces(fastPlaces: number, now: () => number): Places {
  const running = new Map<string, RunningTurn>()
  const counts = { fast: createKeyedCounts(), slow: createKeyedCounts() }
  const slowEndpoints = createBoundedMap<true>(maxSlowEndpoints)

  return {
    poolOf: (id) => (slowEndpoints.has(id) ? 'slow' : 'fast'),
    mayStart: (pool, tenant, othersWait) =>
      mayStart(pool, fastPlaces, {
        ...{ taken: counts[pool].total(), takenByKey: counts[pool].of(tenant), othersWait },
        slowOfTenant: counts.slow.of(tenant),
      }),
    start(id, tenant, pool) {
      running.set(id, { tenant, pool, attemptAt: undefined })
      counts[pool].add(tenant, 1)
    },
    end(id) {
      const turn = running.get(id)
      if (turn !== undefined) counts[turn.pool].add(turn.tenant, -1)
      running.delete(id)
    },
    isRunning: (id) => running.has(id),
    countRunning: () => running.size,
    attemptStarted(id) {
      const turn = running.get(id)
      if (turn !== undefined) turn.attemptAt = now()
    },
    attemptEnded(id) {
      const turn = running.get(id)
      if (turn?.attemptAt === undefined) return
      if (now() - turn.attemptAt >= slowAttemptMs) slowEndpoints.set(id, true)
      else slowEndpoints.delete(id)
      turn.attemptAt = undefined
    },
    moveSlowTurns() {
      for (const turn of running.values()) {
        const attemptMs = turn.attemptAt === undefined ? 0 : now() - turn.attemptAt
        if (turn.pool === 'slow' || !movesToSlow(attemptMs, fastPlaces, counts.slow.total())) continue
        counts.fast.add(turn.tenant, -1)
        counts.slow.add(turn.tenant, 1)
        turn.pool = 'slow'
      }
    },
  }
}
