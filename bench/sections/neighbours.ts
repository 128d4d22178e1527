import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '../load/call.ts'
import { makeCall, problemWith } from '../load/call.ts'
import type { Connection } from '../load/connection.ts'
import { withConnections } from '../load/connection.ts'
import type { LoadProcess } from '../load/load-process.ts'
import { startLoadProcess } from '../load/load-process.ts'
import { sampleOf } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inBytes, inMb, inMs } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { largestEvent } from '../workload/api.ts'
import type { HostileLoad } from '../workload/hostile-loads.ts'
import { hostileLoads } from '../workload/hostile-loads.ts'
import { largeGroupLoad, manyGroupsLoads } from '../workload/membership-loads.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import type { Bench } from './section.ts'

const pauseMs = 2

/**
 * The delay for other tenants while one tenant sends requests that are as expensive as the limits allow: the creates of
 * another tenant and `/healthz`, each sent every few milliseconds on a connection of its own.
 */
export async function measureNeighbours({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const manyGroups = scale.largeUsers / 5
  const { env, directories } = await seed([
    { users: scale.largeUsers, members: scale.largeUsers / 2, memberStep: 2 },
    { users: 10, members: 0, memberStep: 1 },
    { users: 1_000, members: 0, memberStep: 1 },
    { users: 10, members: 0, memberStep: 1, groupsOfFirst: manyGroups },
  ])
  const [noisy, quiet, wide, grouped] = directories
  if (noisy === undefined || quiet === undefined || wide === undefined || grouped === undefined)
    throw new Error('the directories were not seeded')
  await using service = await startServerProcess('./service.ts', env)
  await using noise = await startLoadProcess(service.port)
  const rows: Row[] = []
  const measure = async (load: HostileLoad) => {
    say(`other tenants during ${load.what}`)
    rows.push(...(await measureLoad({ engine: engine.name, service, noise, quiet }, load)))
  }
  for (const load of hostileLoads(noisy)) await measure(load)
  await measure(largeGroupLoad(wide, 2))
  const bytes = await largestEvent(service.port, wide, 'group.user_')
  const fits = atMost(budget.membershipEventBytes, bytes, inBytes)
  rows.push({ engine: engine.name, what: 'its largest event of a member', verdict: fits })
  for (const load of manyGroupsLoads(grouped, 3, manyGroups)) await measure(load)
  const { maxRssBytes } = await service.usage()
  const verdict = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, neighbours', verdict }]
}

interface Scene {
  readonly engine: Row['engine']
  readonly service: Server
  /** Makes the calls of the tenant that slows down the others. */
  readonly noise: LoadProcess
  /** The directory of another tenant. */
  readonly quiet: Seeded
}

async function measureLoad({ engine, service, noise, quiet }: Scene, load: HostileLoad): Promise<Row[]> {
  const { createUser } = scimCalls(quiet)
  const isMemberChange = load.budget === 'member change'
  const blockMs = load.budget === 'largest body' ? budget.blockOfLargestBodyMs : budget.blockMs
  const healthz = makeCall({ method: 'GET', path: '/healthz', status: 200 })
  let users = 0
  await noise.prepare(load)
  return withConnections(service.port, 2, async ([first, second]) => {
    if (first === undefined || second === undefined) throw new Error('there are no connections')
    let isOver = false
    const isRunning = () => !isOver
    const [creates, checks] = await Promise.all([
      repeat(first, () => createUser(`${load.what.replaceAll(/\W/g, '')}`, users++), isRunning),
      repeat(second, () => healthz, isRunning),
      noise.make().finally(() => {
        isOver = true
      }),
    ])
    const [createSample, checkSample] = [sampleOf(creates), sampleOf(checks)]
    return [
      {
        ...{ engine, connections: 1, what: `user create of others during ${load.what}`, sample: createSample },
        verdict: atMost(isMemberChange ? budget.neighbourP99Ms : undefined, createSample.p99Ms, inMs),
      },
      { engine, what: 'at most', verdict: atMost(budget.neighbourMaxMs, Math.max(...creates.latencies), inMs) },
      {
        ...{ engine, connections: 1, what: '/healthz at the same time, at most', sample: checkSample },
        verdict: atMost(blockMs, Math.max(...checks.latencies), inMs),
      },
    ]
  })
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
