import { withConnections } from '../load/connection.ts'
import { measureDelays } from '../load/delay.ts'
import { drive } from '../load/drive.ts'
import { monotonicMs } from '../load/monotonic.ts'
import type { Sample } from '../load/sample.ts'
import { median, medianSample } from '../load/sample.ts'
import type { Contender } from '../load/turns.ts'
import { measureInTurns } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb, inSeconds, timesEmpty } from '../report/row.ts'
import { seedBacklog } from '../seed/backlog.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { startOnce } from '../servers/start-once.ts'
import { createDirectory } from '../workload/api.ts'
import type { ReceiverControl } from '../workload/receiver.ts'
import { receiverControl } from '../workload/receiver.ts'
import type { ScimDirectory } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const otherDirectories = 10

/** A database with a directory that has a slow endpoint, and others. */
interface Queued {
  readonly env: Readonly<Record<string, string>>
  readonly others: readonly ScimDirectory[]
}

/** The effect of a million undelivered events of one directory on the others, the memory, and the start. */
export async function measureBacklog(bench: Bench): Promise<Row[]> {
  const { engine, scale, say } = bench
  await using receiverProcess = await startServerProcess('./receiver.ts', {})
  const receiver = receiverControl(receiverProcess)
  await receiver.open()
  say(`making ${scale.backlog} undelivered events`)
  const [empty, behind] = [await makeQueue(bench, receiver, 1), await makeQueue(bench, receiver, scale.backlog)]
  say(`delivery beside ${scale.backlog} undelivered events`)
  const start: Row = {
    ...{ engine: engine.name, what: `start to ready, ${scale.backlog} undelivered events` },
    verdict: atMost(budget.startSeconds, await startSeconds(behind, scale.starts), inSeconds),
  }
  await using emptyService = await startServerProcess('./service.ts', empty.env)
  await using behindService = await startServerProcess('./service.ts', behind.env)
  const delays = await measureInTurns(
    [delayContender('empty', emptyService, empty, receiver), delayContender('behind', behindService, behind, receiver)],
    { ...scale, connections: 1 },
  )
  const samples = { empty: delays.get('empty') ?? [], behind: delays.get('behind') ?? [] }
  const ratios = samples.behind.map(({ p50Ms }, index) => p50Ms / (samples.empty[index]?.p50Ms ?? Number.NaN))
  const besideUsage = await behindService.usage()
  const hurried = await deliverSome(behindService, receiver, scale.backlog / 20)
  const hurriedUsage = await behindService.usage()
  const inMemory = (bytes: number) => atMost(budget.backlogResidentMb, bytes / 1e6, inMb)
  const what = 'from the SCIM answer to the endpoint'
  return [
    {
      ...{ engine: engine.name, what: `${what}, no other events`, connections: 1 },
      sample: { ...medianSample(samples.empty), rate: Number.NaN },
    },
    {
      ...{ engine: engine.name, what: `${what}, beside ${scale.backlog}`, connections: 1 },
      sample: { ...medianSample(samples.behind), rate: Number.NaN },
      verdict: atMost(budget.backlogOfEmpty, median(ratios), timesEmpty),
    },
    {
      ...{ engine: engine.name, what: `memory at most, ${scale.backlog} undelivered events` },
      verdict: inMemory(besideUsage.maxRssBytes),
    },
    {
      ...{ engine: engine.name, what: `events delivered, of ${scale.backlog} of 1 directory`, sample: hurried },
      verdict: inMemory(hurriedUsage.maxRssBytes),
    },
    start,
  ]
}

/** Makes the slow endpoint fast until it has accepted this many events. */
async function deliverSome(server: Server, receiver: ReceiverControl, events: number): Promise<Sample> {
  await receiver.respondFast()
  const { events: slowOnes } = await receiver.received(receiver.slowUrl, 0)
  const { events: before } = await receiver.received(receiver.slowUrl, slowOnes + 1)
  const [usedBefore, startedAt] = [await server.usage(), monotonicMs()]
  const { lastAtMs } = await receiver.received(receiver.slowUrl, before + events)
  const { cpuMs } = await server.usage()
  return {
    rate: events / ((lastAtMs - startedAt) / 1000),
    ...{ p50Ms: Number.NaN, p99Ms: Number.NaN },
    cpuMsPer1000: ((cpuMs - usedBefore.cpuMs) / events) * 1000,
  }
}

/** Creates the directories, and the events of the one with the slow endpoint. */
async function makeQueue({ engine }: Bench, { slowUrl, gatedUrl }: ReceiverControl, events: number): Promise<Queued> {
  const env = await engine.newDatabase()
  const { slow, others } = await makeDirectories(env, slowUrl, gatedUrl)
  await seedBacklog(engine.name, env, slow.id, events)
  return { env, others }
}

async function makeDirectories(env: Queued['env'], slowUrl: string, gatedUrl: string) {
  await using service = await startServerProcess('./service.ts', env)
  const slow = await createDirectory(service.port, { webhookUrl: slowUrl })
  await createOneUser(service, slow)
  const others = await Promise.all(
    times(otherDirectories, () => createDirectory(service.port, { webhookUrl: gatedUrl })),
  )
  return { slow, others }
}

async function createOneUser({ port }: Server, directory: ScimDirectory): Promise<void> {
  const { createUser } = scimCalls(directory)
  await withConnections(port, 1, (connections) => drive(connections, [createUser('first', 1)]))
}

async function startSeconds({ env }: Queued, starts: number): Promise<number> {
  const seconds: number[] = []
  for (const _ of times(starts, () => undefined)) seconds.push(await startOnce(env))
  return median(seconds)
}

/** Creates users of the other directories, one at a time. */
function delayContender(name: string, server: Server, { others }: Queued, receiver: ReceiverControl): Contender {
  const all = others.map(scimCalls)
  let users = 0
  return {
    server,
    async slot([connection], count) {
      if (connection === undefined) throw new Error('there is no connection')
      const calls = times(count, () => itemAt(all, users).createUser('new', users++))
      return { [name]: await measureDelays(connection, calls, receiver) }
    },
  }
}
