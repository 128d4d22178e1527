import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { codeCache } from '../../support/command.ts'
import { openTestDatabase } from '../../support/database.ts'
import { poll, settled } from '../../support/eventually.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { startServiceProcess, testApiKey } from '../../support/service.ts'
import { idpOf, names } from '../support/idp.ts'
import { startNetwork } from '../support/network.ts'
import { seededRandom, wholeBetween } from '../support/random.ts'

const seed = 20_261_126
const directoryCount = 6
const usersPerRound = 6

/** Who is killed in each round. */
const rounds = ['consumer', 'service', 'both'] as const

const script = fileURLToPath(new URL('../support/consumer-process.ts', import.meta.url))

/** A consumer in a process of its own. `applied` waits until its handlers have run for this number of events since its start. */
async function startConsumer(databaseUrl: string, baseUrl: string) {
  const child = spawn(process.execPath, [script, databaseUrl, baseUrl, testApiKey], {
    env: { ...codeCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  const lines: string[] = []
  const started = Promise.withResolvers<number>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    const [, port] = /^port (\d+)$/.exec(line) ?? []
    if (port !== undefined) started.resolve(Number(port))
  })
  const port = await settled('the consumer to start', Promise.race([started.promise, ended.then(String)]))
  assert.equal(typeof port, 'number', `the consumer ended: ${port}`)
  const applied = () => lines.filter((line) => line === 'applied').length
  return {
    url: `http://127.0.0.1:${port}`,
    applied: (count: number) =>
      poll(
        async () => applied(),
        (now) => now >= count,
        (now) => `${count} events, not ${now}`,
      ),
    async kill() {
      child.kill('SIGKILL')
      assert.deepEqual(await ended, [null, 'SIGKILL'], 'the consumer has not ended by itself')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Changes users of every directory, until the service is gone. */
async function provision(service: ServiceProcess, directories: readonly DirectoryView[], round: number): Promise<void> {
  await Promise.all(
    directories.map(async (directory) => {
      const idp = idpOf(service, directory)
      for (const name of names(`round-${round}`, usersPerRound)) {
        const created = await idp.send('POST', '/Users', { userName: name }).catch(() => undefined)
        if (created?.status !== 201) return
        await idp.send('PUT', `/Users/${created.body.id}`, { userName: name, active: false }).catch(() => undefined)
      }
    }),
  )
}

test('a consumer of all tenants of a product survives kills of itself and of the service: no event is lost or applied twice', async (t) => {
  const random = seededRandom(seed)
  await using database = await openTestDatabase('postgres')
  await using product = await startPostgres({ isEmpty: true })
  await execute(product.url, 'create table applied (directory_id text, sequence bigint, event_id text)')
  await execute(product.url, 'create table connections (directory_id text primary key, secret text)')
  // Both have one address, whatever port each of their processes has.
  await using toService = await startNetwork('http://127.0.0.1:1')
  await using toConsumer = await startNetwork('http://127.0.0.1:1')
  await using processes = new AsyncDisposableStack()
  const start = async () => {
    const started = processes.use(await startServiceProcess(database))
    toService.leadTo(started.origin)
    return started
  }
  const startReceiving = async () => {
    const started = processes.use(await startConsumer(product.url, new URL(toService.url).origin))
    toConsumer.leadTo(started.url)
    return started
  }

  let service = await start()
  const directories = await Promise.all(
    names('tenant', directoryCount).map((tenant) => service.createDirectory({ tenant, webhook_url: toConsumer.url })),
  )
  for (const { id, webhook } of directories)
    await execute(product.url, `insert into connections values ('${id}', '${webhook.secret}')`)
  let consumer = await startReceiving()
  for (const [round, victim] of rounds.entries()) {
    const provisioned = provision(service, directories, round)
    await consumer.applied(wholeBetween(random, 1, directoryCount * usersPerRound))
    if (victim !== 'service') await consumer.kill()
    if (victim !== 'consumer') await service.kill('SIGKILL')
    await provisioned
    if (victim !== 'consumer') service = await start()
    if (victim !== 'service') consumer = await startReceiving()
  }

  const stored = await waitUntilAllApplied(database.env['DATABASE_URL'] ?? '', product.url)
  assert.ok(stored.length > directoryCount * usersPerRound, `${stored.length} events`)

  // The rounds may have had all events by the endpoint: without it, they come by the feed.
  const [directory] = directories
  assert.ok(directory)
  toConsumer.leadTo('http://127.0.0.1:1')
  await idpOf(service, directory).createUser('by-feed')
  assert.equal((await waitUntilAllApplied(database.env['DATABASE_URL'] ?? '', product.url)).length, stored.length + 1)
  t.diagnostic(`seed ${seed}: ${stored.length} events`)
  await consumer.kill()
})

/** Waits until the product has applied every stored event, each once, and returns the events. */
async function waitUntilAllApplied(serviceUrl: string, productUrl: string): Promise<string[]> {
  const stored = (await execute(serviceUrl, textOf('id as event_id', 'events'))).map(asText)
  const applied = await poll(
    async () => (await execute(productUrl, textOf('event_id', 'applied'))).map(asText),
    (rows) => rows.length >= stored.length,
    (rows) => `${stored.length} applied events, not ${rows.length}`,
  )
  assert.deepEqual(applied, stored)
  return stored
}

const textOf = (id: string, table: string) =>
  `select directory_id, sequence, ${id} from ${table} order by directory_id, sequence, ${id.split(' ', 1).join()}`

function asText({ directory_id: directoryId, sequence, event_id: eventId }: Readonly<Record<string, unknown>>): string {
  return `${directoryId} ${sequence} ${eventId}`
}
