import { leaseMs } from '../../../src/delivery/lease.ts'
import { wholeBetween } from '../support/random.ts'

/** A fault of the processes or their database. */
export type Fault = { readonly atMs: number } & (
  | KillFault
  | StopFault
  | NetworkFault
  | ClockFault
  | DatabaseFault
  | PairFault
)

interface KillFault {
  readonly kind: 'kill'
  readonly victim: number
}

/** A process is suspended by SIGSTOP. */
interface StopFault {
  readonly kind: 'stop'
  readonly victim: number
  readonly forMs: number
}

/** A process loses its network to the database, and neither of them notices, or its network is slow. */
interface NetworkFault {
  readonly kind: 'disconnect' | 'slow-network'
  readonly victim: number
  readonly forMs: number
}

/** The clock of a process is set to another time, and back. */
interface ClockFault {
  readonly kind: 'step-clock'
  readonly victim: number
  readonly forMs: number
  /** Negative when the clock is set back. */
  readonly aheadMs: number
}

/** The database is restarted. */
interface DatabaseFault {
  readonly kind: 'restart-database'
  readonly forMs: number
  /** Whether it crashes instead of shutting down. */
  readonly isCrash: boolean
}

/** A fault of a server with a standby. */
type PairFault =
  | { readonly kind: 'fail-over'; readonly isCrash: boolean }
  | { readonly kind: 'read-only' | 'hang-standby' | 'full-disk'; readonly forMs: number }

/** The faults of a run; `victim`, from 0 to 1, chooses one of the processes. */
export interface Plan {
  readonly faults: readonly Fault[]
  /** Time from the first write to the last. */
  readonly durationMs: number
  /** The maximum time for delivering everything afterwards. */
  readonly drainMs: number
}

/** Longer than a lease, so that another process takes over. */
const longStopMs = leaseMs + 1_000

/** An hour: far more than signatures and leases tolerate. */
const maxStepMs = 3_600_000

/** Long enough for a busy machine, as only undelivered events count as lost. */
const drainMs = 300_000

/**
 * Kills, stops, lost and slow networks of 1 to 20 s, clocks that are wrong by up to an hour for so long, restarts of the
 * database, failovers, read-only servers, full disks and standbys that hang, all at random times. Every minute there are about
 * four kills, three stops, three losses, a slow network, a wrong clock, and a fault of the database or its standby of each
 * kind in about two minutes.
 *
 * @param durationMs at least thirty seconds
 */
export function longPlan(durationMs: number, random: () => number): Plan {
  const between = (least: number, most: number) => wholeBetween(random, least, most)
  const timesUntil = (endMs: number, least: number, most: number) => randomTimes(endMs, () => between(least, most))
  const stop = (atMs: number, forMs: number): Fault => ({ atMs, kind: 'stop', victim: random(), forMs })
  const lastMs = durationMs - 20_000
  return {
    durationMs,
    drainMs,
    faults: inOrder([
      ...timesUntil(durationMs, 8_000, 22_000).map((atMs): Fault => ({ atMs, kind: 'kill', victim: random() })),
      stop(between(1_000, 4_000), between(longStopMs, 20_000)),
      ...timesUntil(lastMs, 10_000, 30_000).map((atMs) => stop(atMs, between(1_000, 20_000))),
      ...timesUntil(lastMs, 10_000, 30_000).map(
        (atMs): Fault => ({ atMs, kind: 'disconnect', victim: random(), forMs: between(1_000, 20_000) }),
      ),
      ...timesUntil(lastMs, 30_000, 90_000).map(
        (atMs): Fault => ({ atMs, kind: 'slow-network', victim: random(), forMs: between(1_000, 20_000) }),
      ),
      ...timesUntil(lastMs, 30_000, 90_000).map(
        (atMs): Fault => ({
          ...{ atMs, kind: 'step-clock', victim: random(), forMs: between(1_000, 20_000) },
          aheadMs: between(-maxStepMs, maxStepMs),
        }),
      ),
      ...databaseFaults(lastMs, random),
    ]),
  }
}

/** Faults of the database, one after the other: each may take twenty seconds, and a pair has one standby to lose. */
function databaseFaults(endMs: number, random: () => number): Fault[] {
  const between = (least: number, most: number) => wholeBetween(random, least, most)
  const kinds = ['fail-over', 'restart-database', 'read-only', 'hang-standby', 'full-disk'] as const
  return randomTimes(endMs, () => between(20_000, 30_000)).map((atMs, index): Fault => {
    const kind = kinds[index % kinds.length] ?? 'fail-over'
    if (kind === 'fail-over') return { atMs, kind, isCrash: random() < 0.7 }
    if (kind === 'restart-database') return { atMs, kind, forMs: between(300, 4_000), isCrash: random() < 0.5 }
    return { atMs, kind, forMs: between(1_000, 8_000) }
  })
}

/** A short run: a long stop, a kill, a lost network, and a restart of the database. */
export function shortPlan(random: () => number): Plan {
  const between = (least: number, most: number) => wholeBetween(random, least, most)
  return {
    durationMs: longStopMs + 500,
    drainMs,
    faults: inOrder([
      { atMs: between(100, 300), kind: 'stop', victim: random(), forMs: longStopMs },
      { atMs: between(500, 2_000), kind: 'kill', victim: random() },
      { atMs: between(1_000, 3_000), kind: 'disconnect', victim: random(), forMs: between(1_000, 4_000) },
      { atMs: between(3_000, 5_000), kind: 'restart-database', forMs: between(200, 600), isCrash: random() < 0.5 },
    ]),
  }
}

/** Times with such pauses between them, from the first pause on. */
function randomTimes(endMs: number, pauseMs: () => number): number[] {
  const times: number[] = []
  for (let atMs = pauseMs(); atMs < endMs; atMs += pauseMs()) times.push(atMs)
  return times
}

function inOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((one, other) => one.atMs - other.atMs)
}
