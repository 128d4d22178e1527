import type { Server } from '../servers/server.ts'
import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import { withConnections } from './connection.ts'
import type { DriveOptions, Timing } from './drive.ts'
import { drive } from './drive.ts'
import type { Sample } from './sample.ts'
import { median, sampleOf } from './sample.ts'

/** Something that is measured in turns with others. */
export interface Contender {
  readonly server: Server
  /** The most requests in a turn. */
  readonly maxRequests?: number
  /** Makes about `requests` requests; returns their timings by name. */
  turn(connections: readonly Connection[], requests: number): Promise<Readonly<Record<string, Timing>>>
}

export interface Turns {
  readonly connections: number
  readonly turns: number
  /** The number of requests in a turn. */
  readonly requests: number
  /** The number of requests that each server gets before the first turn, divided among its contenders. */
  readonly warmUp: number
}

/** The samples of each turn, by name; samples of one turn were taken right after each other. */
export type Measured = ReadonlyMap<string, readonly Sample[]>

/**
 * Measures contenders in turns and compares within a turn, because the speed of a shared machine drifts. Every second turn goes
 * through them in the opposite order.
 */
export async function measureInTurns(contenders: readonly Contender[], turns: Turns): Promise<Measured> {
  for (const contender of contenders) await warmUp(contender, contenders, turns)
  const measured = new Map<string, Sample[]>()
  for (let turn = 0; turn < turns.turns; turn += 1) {
    for (const contender of turn % 2 === 0 ? contenders : contenders.toReversed()) {
      for (const [name, timing] of Object.entries(await takeTurn(contender, turns))) {
        measured.set(name, [...(measured.get(name) ?? []), sampleOf(timing)])
      }
    }
  }
  return measured
}

async function warmUp(contender: Contender, all: readonly Contender[], turns: Turns): Promise<void> {
  const share = turns.warmUp / all.filter(({ server }) => server === contender.server).length
  for (let left = share; left >= 1; left -= turns.requests) {
    await takeTurn(contender, { ...turns, requests: Math.ceil(Math.min(left, turns.requests)) })
  }
}

function takeTurn({ server, maxRequests, turn }: Contender, { connections, requests }: Turns) {
  return withConnections(server.port, connections, (all) => turn(all, Math.min(requests, maxRequests ?? requests)))
}

/** How many times as much of a figure one contender has as another: the median of the ratios within the turns. */
export function timesAsMuch(measured: Measured, figure: keyof Sample, one: string, other: string): number {
  const others = measured.get(other) ?? []
  return median(
    (measured.get(one) ?? []).map((sample, turn) => sample[figure] / (others[turn]?.[figure] ?? Number.NaN)),
  )
}

/** Makes the calls and measures the CPU time of the server and its database. */
export async function driveMeasured(
  server: Server,
  connections: readonly Connection[],
  calls: readonly Call[],
  options: DriveOptions = {},
): Promise<Timing> {
  const before = await server.usage()
  const timing = await drive(connections, calls, options)
  const after = await server.usage()
  return { ...timing, cpuMs: after.cpuMs + after.databaseMs - before.cpuMs - before.databaseMs }
}
