import { withConnections } from '../load/connection.ts'
import { measureDelays } from '../load/delay.ts'
import { drive } from '../load/drive.ts'
import { median } from '../load/sample.ts'
import type { Contender } from '../load/turns.ts'
import { measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb, inSeconds, timesOf } from '../report/row.ts'
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
    { ...scale.turns, requests: scale.delays, warmUp: scale.delays, connections: 1 },
  )
  const besideUsage = await behindService.usage()
  await deliverSome(receiver, scale.backlog / 20)
  const hurriedUsage = await behindService.usage()
  const inMemory = (bytes: number) => atMost(budget.residentMb, bytes / 1e6, inMb)
  return [
    {
      ...{ engine: engine.name, what: `from the SCIM answer to the endpoint, beside ${scale.backlog}: p50` },
      verdict: atMost(
        budget.backlogOfEmpty,
        timesAsMuch(delays, 'p50Ms', 'behind', 'empty'),
        timesOf('no other events'),
      ),
    },
    {
      ...{ engine: engine.name, what: `memory at most, ${scale.backlog} undelivered events` },
      verdict: inMemory(besideUsage.maxRssBytes),
    },
    {
      ...{ engine: engine.name, what: 'memory at most, while they are delivered' },
      verdict: inMemory(hurriedUsage.maxRssBytes),
    },
    start,
  ]
}

/** Makes the slow endpoint fast until it has accepted this many events. */
async function deliverSome(receiver: ReceiverControl, events: number): Promise<void> {
  await receiver.hurry()
  const { events: before } = await receiver.received(receiver.slowUrl, 0)
  await receiver.received(receiver.slowUrl, before + events)
}

/** Creates the directories, and the events of the one with the slow endpoint. */
async function makeQueue({ engine }: Bench, { slowUrl, fastUrl }: ReceiverControl, events: number): Promise<Queued> {
  const env = await engine.newDatabase()
  const { slow, others } = await makeDirectories(env, slowUrl, fastUrl)
  await seedBacklog(engine.name, env, slow.id, events)
  return { env, others }
}

async function makeDirectories(env: Queued['env'], slowUrl: string, fastUrl: string) {
  await using service = await startServerProcess('./service.ts', env)
  const slow = await createDirectory(service.port, { webhookUrl: slowUrl })
  await createOneUser(service, slow)
  const others = await Promise.all(
    times(otherDirectories, () => createDirectory(service.port, { webhookUrl: fastUrl })),
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
    async turn([connection], requests) {
      if (connection === undefined) throw new Error('there is no connection')
      const calls = times(requests, () => itemAt(all, users).createUser('new', users++))
      return { [name]: await measureDelays(connection, calls, receiver) }
    },
  }
}
