import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { EndpointClientOptions } from '../../../src/delivery/endpoint/client.ts'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import { createDnsQuery } from '../../../src/delivery/endpoint/dns-query.ts'
import { createNameLookup } from '../../../src/delivery/endpoint/name-lookup.ts'
import { createEndpointSender } from '../../../src/delivery/endpoint/sender.ts'
import { createScheduler } from '../../../src/delivery/scheduler.ts'
import { eventually } from '../../support/eventually.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { localEgress } from './support/egress.ts'
import { createMemoryStore } from './support/memory-store.ts'
import { silence, startNameServer } from './support/name-server.ts'
import type { Received } from './support/receiver.ts'
import { openReceiver } from './support/receiver.ts'
import { endpointSecret, someDirectory, someEndpoint } from './support/samples.ts'

/** Delivers from a store in memory to endpoints over HTTP, with a manual clock. */
function openDelivery(options: Partial<EndpointClientOptions> = {}) {
  const memory = createMemoryStore()
  const time = createManualTime(Date.now())
  const { clock, schedule } = time
  const client = createEndpointClient({ schedule, egress: localEgress, ...options })
  const send = createEndpointSender({ client, clock, version: '0.0.0' })
  const scheduler = createScheduler({
    ...{ store: memory.store, target: 'endpoint', send, clock, schedule },
    random: () => 0.5,
  })
  async function close(): Promise<void> {
    await scheduler.close()
    await client.close()
  }
  return { memory, time, scheduler, [Symbol.asyncDispose]: close }
}

function verified({ body, headers }: Received): { sequence: number; directory_id: string } {
  return new Webhook(endpointSecret).verify(body, headers as Record<string, string>) as ReturnType<typeof verified>
}

test('all events of 20 directories arrive signed and in order', async () => {
  await using receiver = await openReceiver()
  await using delivery = openDelivery()
  const ids = Array.from({ length: 20 }, (_, index) => `d${index}`)
  for (const id of ids) {
    delivery.memory.put(someDirectory({ id, endpoint: someEndpoint(receiver.url) }))
    delivery.memory.commit(id, 50)
  }
  delivery.scheduler.start()
  const received = (await receiver.received.until(1_000)).map(verified)
  for (const id of ids) {
    const sequences = received.filter(({ directory_id }) => directory_id === id).map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  }
  assert.ok(receiver.countConnections() <= 20, 'each directory uses one connection')
})

test('a retry has the same id and body as the first attempt, and a signature of its own time', async () => {
  const statuses = [503, 200]
  await using receiver = await openReceiver((response) => response.writeHead(statuses.shift() ?? 500).end())
  await using delivery = openDelivery()
  delivery.memory.put(someDirectory({ endpoint: someEndpoint(receiver.url) }))
  delivery.memory.commit('d1', 1)
  delivery.scheduler.wake('d1')
  await delivery.time.scheduled(5_000)
  delivery.time.advance(5_000)
  const [first, second] = await receiver.received.until(2)
  assert.ok(first && second)
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id'])
  assert.equal(first.body, second.body)
  const seconds = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.equal((seconds[1] ?? 0) - (seconds[0] ?? 0), 5)
  assert.equal(verified(second).sequence, 1)
})

test('endpoints whose name servers never respond delay their own directories only', async () => {
  await using names = await startNameServer((name) => (name === 'hooks.example' ? '127.0.0.1' : silence))
  await using receiver = await openReceiver()
  const queryDns = createDnsQuery({ servers: [names.address] })
  await using delivery = openDelivery({ lookup: createNameLookup({ queryDns }) })
  const { port } = new URL(receiver.url)
  const add = (id: string, host: string) => {
    delivery.memory.put(someDirectory({ id, endpoint: someEndpoint(`http://${host}:${port}/`) }))
    delivery.memory.commit(id, 1)
    delivery.scheduler.wake(id)
  }
  for (let n = 0; n < 50; n += 1) add(`silent${n}`, n % 2 === 0 ? `silent${n}.example` : `silent${n}`)
  await eventually('the silent names to be looked up', () => names.questions.length >= 50)
  add('d1', 'hooks.example')
  const [first] = await receiver.received.until(1)
  assert(first)
  assert.equal(verified(first).directory_id, 'd1')
  delivery.time.advance(15_000)
  assert.equal(delivery.memory.deliveredOf('silent0', 'endpoint'), 0)
})

test('an endpoint that never responds delays its own directory only', async () => {
  await using silent = await openReceiver(() => {})
  await using receiver = await openReceiver()
  await using delivery = openDelivery({ timeoutMs: 15_000 })
  delivery.memory.put(someDirectory({ id: 'silent', endpoint: someEndpoint(silent.url) }))
  delivery.memory.put(someDirectory({ id: 'd1', endpoint: someEndpoint(receiver.url) }))
  delivery.memory.commit('silent', 2)
  delivery.memory.commit('d1', 30)
  delivery.scheduler.start()
  await receiver.received.until(30)
  await silent.received.until(1)
  delivery.time.advance(15_000)
  await delivery.time.scheduled(5_000)
  assert.equal(delivery.memory.deliveredOf('silent', 'endpoint'), 0)
})

test('close waits for a slow endpoint and records what it received', async () => {
  const release = Promise.withResolvers<void>()
  await using receiver = await openReceiver(async (response) => {
    await release.promise
    response.end()
  })
  const delivery = openDelivery()
  delivery.memory.put(someDirectory({ endpoint: someEndpoint(receiver.url) }))
  delivery.memory.commit('d1', 3)
  delivery.scheduler.start()
  await receiver.received.until(1)
  const closed = delivery[Symbol.asyncDispose]()
  release.resolve()
  await closed
  assert.equal(receiver.received.items.length, 1)
  assert.equal(delivery.memory.deliveredOf('d1', 'endpoint'), 1)
})
