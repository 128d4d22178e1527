import { setTimeout as pause } from 'node:timers/promises'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import type { Call } from './call.ts'
import { makeCall, problemWith } from './call.ts'
import type { Connection } from './connection.ts'
import { withConnections } from './connection.ts'

const pauseMs = 2

/** A service that one tenant keeps busy, and a directory of another tenant. */
export interface Scene {
  readonly engine: Row['engine']
  readonly service: Server
  readonly quiet: Seeded
}

/** The work of one tenant while the others are measured. */
export interface Work {
  readonly what: string
  /** Whether the delay for others meanwhile has a budget. */
  readonly budget?: 'member change' | undefined
}

/** The environment in which a service reports its longest block. */
export const watchingBlocks = { BENCH_WATCH_BLOCKS: '1' }

/**
 * Measures the delay for others during some work: creates of another tenant and `/healthz`, on a connection of its own each, and the
 * longest block of the event loop. The block is measured in CPU time: on a machine that is shared with the database and the load,
 * `/healthz` also waits for a core.
 */
export async function measureOthers(
  { engine, service, quiet }: Scene,
  { what, budget: kind }: Work,
  work: () => Promise<void>,
): Promise<Row[]> {
  const { createUser } = scimCalls(quiet)
  const ofMemberChange = (most: number) => (kind === 'member change' ? most : undefined)
  const healthz = makeCall({ method: 'GET', path: '/healthz', status: 200 })
  let users = 0
  await service.usage()
  return withConnections(service.port, 2, async ([first, second]) => {
    if (first === undefined || second === undefined) throw new Error('there are no connections')
    let isOver = false
    const isRunning = () => !isOver
    const [creates, checks] = await Promise.all([
      repeat(first, () => createUser(`${what.replaceAll(/\W/g, '')}`, users++), isRunning),
      repeat(second, () => healthz, isRunning),
      work().finally(() => {
        isOver = true
      }),
    ])
    const { longestBlockMs } = await service.usage()
    const row = (name: string, most: number | undefined, ms: number): Row => ({
      ...{ engine, what: `${name} during ${what}`, verdict: atMost(most, ms, inMs) },
    })
    return [
      row('user create of others, at most', ofMemberChange(budget.neighbourMaxMs(engine)), Math.max(...creates)),
      row('/healthz, at most', ofMemberChange(budget.healthzMs), Math.max(...checks)),
      row('longest block of the event loop', budget.blockMs, longestBlockMs),
    ]
  })
}

/** Repeats a call with a short pause in between, at least once. */
async function repeat(connection: Connection, nextCall: () => Call, isRunning: () => boolean): Promise<number[]> {
  const latencies: number[] = []
  do {
    latencies.push(await makeOne(connection, nextCall()))
    await pause(pauseMs)
  } while (isRunning())
  return latencies
}

/**
 * Makes a call and returns its duration in milliseconds.
 *
 * @throws Error for an unexpected response
 */
function makeOne(connection: Connection, call: Call): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sentAt = performance.now()
  connection.send(call.bytes, (answer) => {
    const problem = problemWith(call, answer)
    if (problem === undefined) resolve(performance.now() - sentAt)
    else reject(problem)
  })
  return promise
}
