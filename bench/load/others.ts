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
import { sampleOf } from './sample.ts'

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
  /** The budget for others meanwhile, if it is not that of any other request. */
  readonly budget?: 'member change' | 'largest body' | 'many connections' | undefined
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
  const blockMs = blockBudget(kind)
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
    const [createSample, checkSample] = [sampleOf(creates), sampleOf(checks)]
    return [
      {
        ...{ engine, connections: 1, what: `user create of others during ${what}`, sample: createSample },
        verdict: atMost(ofMemberChange(budget.neighbourP99Ms), createSample.p99Ms, inMs),
      },
      {
        ...{ engine, what: 'at most' },
        verdict: atMost(ofMemberChange(budget.neighbourMaxMs), Math.max(...creates.latencies), inMs),
      },
      {
        ...{ engine, connections: 1, what: '/healthz at the same time, at most', sample: checkSample },
        verdict: atMost(ofMemberChange(budget.blockMs), Math.max(...checks.latencies), inMs),
      },
      { engine, what: 'longest block of the event loop', verdict: atMost(blockMs, longestBlockMs, inMs) },
    ]
  })
}

function blockBudget(kind: Work['budget']): number {
  if (kind === 'largest body') return budget.blockOfLargestBodyMs
  return kind === 'many connections' ? budget.blockOfManyConnectionsMs : budget.blockMs
}

/** Repeats a call with a short pause in between, at least once. */
async function repeat(connection: Connection, nextCall: () => Call, isRunning: () => boolean) {
  const latencies: number[] = []
  const startedAt = performance.now()
  do {
    latencies.push(await makeOne(connection, nextCall()))
    await pause(pauseMs)
  } while (isRunning())
  return { seconds: (performance.now() - startedAt) / 1000, latencies: Float64Array.from(latencies) }
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
