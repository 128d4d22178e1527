import type { Server } from '../servers/server.ts'
import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import { withConnections } from './connection.ts'
import type { DriveOptions, Timing } from './drive.ts'
import { drive } from './drive.ts'
import type { Sample } from './sample.ts'
import { sampleOf } from './sample.ts'

/** Something that is measured alternately with others. */
export interface Contender {
  readonly server: Server
  /** The maximum number of requests in a slot. */
  readonly maxCount?: number
  /** Makes about `count` requests; returns their timings by name. */
  slot(connections: readonly Connection[], count: number): Promise<Readonly<Record<string, Timing>>>
}

export interface Turns {
  readonly connections: number
  readonly rounds: number
  /** The approximate duration of a slot. */
  readonly slotMs: number
}

/** The samples of each round, by name; samples of one round were taken right after each other. */
export type Rounds = ReadonlyMap<string, readonly Sample[]>

/**
 * Measures contenders alternately (A B C A B C …) and compares within a round, because the speed of a shared machine
 * drifts. The first round is a warm-up. The number of requests that fill a slot is taken from the previous round.
 */
export async function measureInTurns(contenders: readonly Contender[], turns: Turns): Promise<Rounds> {
  const rounds = new Map<string, Sample[]>()
  const counts = new Map<Contender, number>()
  for (let round = 0; round <= turns.rounds; round += 1) {
    for (const contender of contenders) {
      const count = counts.get(contender) ?? 25 + 10 * turns.connections
      const samples = await takeSlot(contender, turns, count)
      counts.set(contender, fillingCount(turns, samples))
      if (round === 0) continue
      for (const [name, sample] of samples) rounds.set(name, [...(rounds.get(name) ?? []), sample])
    }
  }
  return rounds
}

async function takeSlot(
  contender: Contender,
  { connections }: Turns,
  count: number,
): Promise<readonly (readonly [string, Sample])[]> {
  const slotCount = Math.min(count, contender.maxCount ?? count)
  const timings = await withConnections(contender.server.port, connections, (all) => contender.slot(all, slotCount))
  return Object.entries(timings).map(([name, timing]) => [name, sampleOf(timing)] as const)
}

/** The number of requests that fill a slot. */
function fillingCount({ connections, slotMs }: Turns, samples: readonly (readonly [string, Sample])[]): number {
  const rate = Math.max(...samples.map(([, sample]) => sample.rate))
  return Math.max(4 * connections, Math.ceil((rate * slotMs) / 1000))
}

/** Makes the calls and measures the server's CPU time. */
export async function driveMeasured(
  server: Server,
  connections: readonly Connection[],
  calls: readonly Call[],
  options: DriveOptions = {},
): Promise<Timing> {
  const before = await server.usage()
  const timing = await drive(connections, calls, options)
  const after = await server.usage()
  return { ...timing, cpuMs: after.cpuMs - before.cpuMs }
}
