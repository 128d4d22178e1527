import { settingTable } from '../../src/app/settings.ts'
import { withConnections } from '../load/connection.ts'
import { measureDelays } from '../load/delay.ts'
import { drive } from '../load/drive.ts'
import { monotonicMs } from '../load/monotonic.ts'
import type { Sample } from '../load/sample.ts'
import { medianSample, sampleOf } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory, processEvents, touchDirectory } from '../workload/api.ts'
import type { ReceiverControl } from '../workload/receiver.ts'
import { receiverControl } from '../workload/receiver.ts'
import type { ScimDirectory } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const manyDirectories = 50
const batchSize = 100

/**
 * The rate at which committed events reach a fast endpoint, one per request and in batches, and the delay of a single
 * event.
 */
export async function measureDelivery(bench: Bench): Promise<Row[]> {
  const hasBatches = 'DSYNC_WEBHOOK_BATCH_SIZE' in settingTable
  return [...(await measureSingly(bench)), ...(hasBatches ? await measureBatches(bench) : [])]
}

async function measureSingly({ engine, scale: { delivery }, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  await using receiverProcess = await startServerProcess('./receiver.ts', {})
  const receiver = receiverControl(receiverProcess)
  say(`delivery of ${delivery.events} events`)
  const rows: Row[] = []
  for (const count of [manyDirectories, 1]) {
    const sample = await measureRounds(delivery.rounds, () =>
      deliverQueued(service, receiver, { url: receiver.gatedUrl, count, events: delivery.events }),
    )
    rows.push({ engine: engine.name, what: `events delivered, ${directoriesText(count)}`, sample })
  }
  const idle = await measureIdle(service, receiver, delivery.single)
  const verdict = atMost(budget.idleDeliveryP50Ms, idle.p50Ms, inMs)
  rows.push({
    engine: engine.name,
    what: 'from the SCIM answer to the endpoint',
    connections: 1,
    sample: idle,
    verdict,
  })
  return rows
}

async function measureBatches({ engine, scale: { delivery }, say }: Bench): Promise<Row[]> {
  const settings = { DSYNC_WEBHOOK_BATCH_SIZE: String(batchSize) }
  await using service = await startServerProcess('./service.ts', { ...(await engine.newDatabase()), ...settings })
  await using receiverProcess = await startServerProcess('./receiver.ts', {})
  const receiver = receiverControl(receiverProcess)
  say(`delivery of ${delivery.events} events in batches of ${batchSize}`)
  const rows: Row[] = []
  for (const count of [manyDirectories, 1]) {
    const sample = await measureRounds(delivery.rounds, () =>
      deliverQueued(service, receiver, { url: receiver.batchUrl, count, events: delivery.events, isBatch: true }),
    )
    rows.push({ engine: engine.name, what: `events delivered in batches, ${directoriesText(count)}`, sample })
  }
  return rows
}

const directoriesText = (count: number) => (count === 1 ? '1 directory' : `${count} directories`)

async function measureRounds(rounds: number, measure: () => Promise<Sample>): Promise<Sample> {
  const samples: Sample[] = []
  for (const _ of times(rounds, () => undefined)) samples.push(await measure())
  return medianSample(samples)
}

interface Queue {
  readonly url: string
  /** The number of directories. */
  readonly count: number
  /** The number of events of all directories together. */
  readonly events: number
  readonly isBatch?: boolean
}

/** Lets events queue up for a closed endpoint, then opens it. */
async function deliverQueued(
  service: Server,
  receiver: ReceiverControl,
  { url, count, events, isBatch = false }: Queue,
): Promise<Sample> {
  await receiver.close()
  const directories = await Promise.all(times(count, () => createDirectory(service.port, { webhookUrl: url })))
  await provision(service, directories, events)
  await receiver.open()
  const { events: before } = await receiver.received(url, 0)
  const usedBefore = await service.usage()
  const startedAt = monotonicMs()
  const begun = isBatch ? [processEvents(service.port)] : directories.map((one) => touchDirectory(service.port, one))
  const { lastAtMs } = await receiver.received(url, before + events)
  await Promise.all(begun)
  const { cpuMs } = await service.usage()
  return {
    rate: events / ((lastAtMs - startedAt) / 1000),
    ...{ p50Ms: Number.NaN, p99Ms: Number.NaN },
    cpuMsPer1000: ((cpuMs - usedBefore.cpuMs) / events) * 1000,
  }
}

/** Creates users, with one event each, evenly in all directories. */
async function provision(service: Server, directories: readonly ScimDirectory[], events: number): Promise<void> {
  const all = directories.map(scimCalls)
  const calls = times(events, (number) => itemAt(all, number).createUser('queued', number))
  await withConnections(service.port, 64, (connections) => drive(connections, calls))
}

/** The delay of single events in an idle service. */
async function measureIdle(service: Server, receiver: ReceiverControl, count: number): Promise<Sample> {
  await receiver.open()
  const { createUser } = scimCalls(await createDirectory(service.port, { webhookUrl: receiver.gatedUrl }))
  const calls = times(count, (number) => createUser('single', number))
  return withConnections(service.port, 1, async ([connection]) => {
    if (connection === undefined) throw new Error('there is no connection')
    return { ...sampleOf(await measureDelays(connection, calls, receiver)), rate: Number.NaN }
  })
}
