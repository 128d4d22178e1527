import { wholeBetween } from '../support/random.ts'

/** A fault of the processes or their database. */
export type Fault = { readonly atMs: number } & (KillFault | StopFault | NetworkFault | DatabaseFault)

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

/** A process loses its network to the database, and neither of them notices. */
interface NetworkFault {
  readonly kind: 'disconnect'
  readonly victim: number
  readonly forMs: number
}

/** The database is restarted. */
interface DatabaseFault {
  readonly kind: 'restart-database'
  readonly forMs: number
  /** Whether it crashes instead of shutting down. */
  readonly isCrash: boolean
}

/** The faults of a run; `victim`, from 0 to 1, chooses one of the processes. */
export interface Plan {
  readonly faults: readonly Fault[]
  /** From the first write to the last. */
  readonly durationMs: number
  /** The maximum time for delivering everything afterwards. */
  readonly drainMs: number
}

/** Longer than a lease plus the time that other processes need to take over. */
const longStopMs = 12_000

/** Seventy seconds: kills, stops and lost networks of 1 to 20 s, and a restart of the database, all at random times. */
export function longPlan(random: () => number): Plan {
  const durationMs = 70_000
  const between = (least: number, most: number) => wholeBetween(random, least, most)
  const stop = (atMs: number, forMs: number): Fault => ({ atMs, kind: 'stop', victim: random(), forMs })
  const kills = timesUntil(durationMs, () => between(4_000, 10_000))
  const stops = timesUntil(durationMs - 20_000, () => between(5_000, 12_000))
  const losses = timesUntil(durationMs - 20_000, () => between(8_000, 20_000))
  return {
    durationMs,
    drainMs: 40_000,
    faults: inOrder([
      ...kills.map((atMs): Fault => ({ atMs, kind: 'kill', victim: random() })),
      stop(between(1_000, 4_000), between(longStopMs, 20_000)),
      ...stops.map((atMs) => stop(atMs, between(1_000, 20_000))),
      ...losses.map((atMs): Fault => ({ atMs, kind: 'disconnect', victim: random(), forMs: between(1_000, 20_000) })),
      { atMs: between(20_000, 45_000), kind: 'restart-database', forMs: between(300, 4_000), isCrash: random() < 0.5 },
    ]),
  }
}

/** A short run: a long stop, a kill, a lost network, and a restart of the database. */
export function shortPlan(random: () => number): Plan {
  const between = (least: number, most: number) => wholeBetween(random, least, most)
  return {
    durationMs: longStopMs + 500,
    drainMs: 30_000,
    faults: inOrder([
      { atMs: between(200, 500), kind: 'stop', victim: random(), forMs: longStopMs - 500 },
      { atMs: between(1_000, 3_000), kind: 'kill', victim: random() },
      { atMs: between(1_000, 6_000), kind: 'disconnect', victim: random(), forMs: between(1_000, 6_000) },
      { atMs: between(4_000, 8_000), kind: 'restart-database', forMs: between(200, 800), isCrash: random() < 0.5 },
    ]),
  }
}

/** Times with such pauses between them, from the first pause on. */
function timesUntil(endMs: number, pauseMs: () => number): number[] {
  const times: number[] = []
  for (let atMs = pauseMs(); atMs < endMs; atMs += pauseMs()) times.push(atMs)
  return times
}

function inOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((one, other) => one.atMs - other.atMs)
}
