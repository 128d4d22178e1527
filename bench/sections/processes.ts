import { once } from 'node:events'
import { request } from 'node:http'
import { withConnections } from '../load/connection.ts'
import { measureDelays } from '../load/delay.ts'
import { drive } from '../load/drive.ts'
import { monotonicMs } from '../load/monotonic.ts'
import { median } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath, createDirectory } from '../workload/api.ts'
import { receiverControl } from '../workload/receiver.ts'
import type { ScimDirectory } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { inTurn, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

/** Delays between processes: to one that holds a lease, to a client of the feed, and until a process has stopped. */
export async function measureProcesses(bench: Bench): Promise<Row[]> {
  const { engine, say } = bench
  const env = await engine.newDatabase()
  const rows: Row[] = []
  const add = (what: string, p50Ms: number, most: number) =>
    rows.push({ engine: engine.name, what: `${what}: p50`, connections: 1, verdict: atMost(most, p50Ms, inMs) })
  if (engine.name === 'postgres') {
    say('events of a process without the lease')
    add('event of a process that does not hold the lease', await besideHolder(bench, env), budget.noticeP50Ms)
  }
  say('events of the feed stream')
  add('from the SCIM answer to a client of the feed stream', await feedDelays(bench, env), budget.feedStreamP50Ms)
  say('stopping')
  const stopMs = median(await inTurn(bench.scale.starts, () => timeToStop(env)))
  rows.push({ engine: engine.name, what: 'time to stop', verdict: atMost(budget.stopMs, stopMs, inMs) })
  return rows
}

/** Another process holds the lease: it has just sent an event of the directory. */
async function besideHolder({ scale }: Bench, env: Readonly<Record<string, string>>): Promise<number> {
  await using holder = await startServerProcess('./service.ts', env)
  await using other = await startServerProcess('./service.ts', env)
  await using receiverProcess = await startServerProcess('./receiver.ts', {})
  const receiver = receiverControl(receiverProcess)
  const { createUser } = scimCalls(await createDirectory(holder.port, { webhookUrl: receiver.fastUrl }))
  const latencies: number[] = []
  await withConnections(holder.port, 1, ([toHolder]) =>
    withConnections(other.port, 1, async ([toOther]) => {
      if (toHolder === undefined || toOther === undefined) throw new Error('there is no connection')
      for (const n of times(scale.delays / 3, (number) => number)) {
        await measureDelays(toHolder, [createUser('holder', n)], receiver)
        const timing = await measureDelays(toOther, [createUser('other', n)], receiver)
        latencies.push(...timing.latencies)
      }
    }),
  )
  return median(latencies)
}

async function feedDelays({ scale }: Bench, env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startServerProcess('./service.ts', env)
  const directory = await createDirectory(service.port)
  const { createUser } = scimCalls(directory)
  const stream = await openStream(service, directory)
  const latencies: number[] = []
  await withConnections(service.port, 1, async (connections) => {
    for (const n of times(scale.delays, (number) => number)) {
      const arrived = stream.next()
      await drive(connections, [createUser('feed', n)])
      const answeredAt = monotonicMs()
      latencies.push(Math.max(0, (await arrived) - answeredAt))
    }
  })
  stream.close()
  return median(latencies)
}

/** The server-sent events of a directory; `next` resolves with the time at which the next one arrives. */
async function openStream({ port }: Server, { id }: ScimDirectory) {
  const sent = request({
    ...{ host: '127.0.0.1', port, path: `${apiPath}/feed?directoryId=${id}` },
    headers: { authorization: apiAuthorization, accept: 'text/event-stream' },
  })
  sent.end()
  const [response] = await once(sent, 'response')
  let waiting: PromiseWithResolvers<number> | undefined
  response.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('data:')) waiting?.resolve(monotonicMs())
  })
  response.on('error', () => {})
  sent.on('error', () => {})
  return {
    next() {
      waiting = Promise.withResolvers<number>()
      return waiting.promise
    },
    close: () => void sent.destroy(),
  }
}

/** The time that an idle service with open connections takes to stop, in milliseconds. */
async function timeToStop(env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startServerProcess('./service.ts', env)
  const { createUser } = scimCalls(await createDirectory(service.port))
  return await withConnections(service.port, 8, async (connections) => {
    const calls = times(200, (n) => createUser('stop', n))
    await drive(connections, calls)
    const startedAt = performance.now()
    await service[Symbol.asyncDispose]()
    return performance.now() - startedAt
  })
}
