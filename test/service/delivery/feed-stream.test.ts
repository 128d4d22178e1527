import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createLog } from '../../../src/app/log.ts'
import { createService } from '../../../src/app/service.ts'
import { readSettings } from '../../../src/app/settings.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { FeedTiming } from '../../../src/delivery/feed/live.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { createApp } from '../../../src/http/app.ts'
import { createMetrics } from '../../../src/http/metrics.ts'
import { openStore } from '../../../src/store/open.ts'
import { apiPrefix, openClient } from '../../support/client.ts'
import type { StreamedEvent } from '../../support/event-stream.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { poll } from '../../support/eventually.ts'
import type { Engine } from '../../support/service.ts'
import {
  forEachEngine,
  openTestDatabase,
  serviceForSuite,
  startTestService,
  testApiKey,
} from '../../support/service.ts'

const headers = { authorization: `Api-Key ${testApiKey}` }

type Reached = Pick<Awaited<ReturnType<typeof startTestService>>, 'origin' | 'scim'>

const follow = (
  { origin }: Pick<Reached, 'origin'>,
  query: string,
  more: Record<string, string> = {},
  paused = false,
) => openEventStream(`${origin}${apiPrefix}/feed?${query}`, { ...headers, ...more }, paused)

async function addUsers(service: Reached, directory: DirectoryView, names: readonly string[]): Promise<void> {
  const responses = await Promise.all(names.map((userName) => service.scim(directory, 'POST', '/Users', { userName })))
  assert(responses.every(({ status }) => status === 201))
}

/** Adds more data than all buffers on the way to a reader can hold. */
async function addLargeUsers(service: Reached, directory: DirectoryView, count: number): Promise<void> {
  const nickName = 'x'.repeat(50_000)
  const names = Array.from({ length: count }, (_, index) => `user-${index}`)
  for (let n = 0; n < count; n += 50) {
    const part = names.slice(n, n + 50)
    await Promise.all(part.map((userName) => service.scim(directory, 'POST', '/Users', { userName, nickName })))
  }
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('a stream starts with the stored events and continues with new ones as they are committed', async () => {
    const hour = 3_600_000
    await using own = await startCounting(engine, { pollMs: hour, heartbeatMs: hour, maxAgeMs: 2 * hour })
    const directory = await own.createDirectory()
    await addUsers(own, directory, ['a', 'b'])
    await using stream = await follow(own, `directoryId=${directory.id}`)
    assert.equal(stream.response.statusCode, 200)
    assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(stream.response.headers['cache-control'], 'no-store')
    await stream.first(2)
    assert.deepEqual(stream.others, ['retry: 2000'])
    for (let n = 3; n <= 7; n += 1) {
      await addUsers(own, directory, [`user-${n}`])
      await stream.first(n)
    }
    const { body } = await own.api('GET', `/feed?directoryId=${directory.id}`)
    assert.deepEqual(
      stream.events.map(({ data }) => data),
      body.data,
    )
    assert(stream.events.every(({ event, data }) => event === data.event))
  })

  test('a stream resumes after Last-Event-ID, which takes precedence over the query', async () => {
    const scope = { tenant: 'resuming', product: 'crm' }
    const [one, two] = [await service().createDirectory(scope), await service().createDirectory(scope)]
    await addUsers(service(), one, ['a', 'b', 'c'])
    await addUsers(service(), two, ['a', 'b'])
    const query = 'tenant=resuming&product=crm'
    await using whole = await follow(service(), query)
    const all = await whole.first(5)
    for (const [index, { id }] of all.entries()) {
      await using rest = await follow(service(), `${query}&after=${all[0]?.id}`, { 'last-event-id': id })
      const found = await rest.first(4 - index)
      const { body } = await service().api('GET', `/feed?${query}&after=${id}`)
      assert.equal(body.data.length, 4 - index)
      for (const { id: directoryId } of [one, two]) {
        const of = (events: readonly StreamedEvent[]) => events.filter(({ data }) => data.directory_id === directoryId)
        assert.deepEqual(
          of(found).map(({ data }) => data),
          of(all.slice(index + 1)).map(({ data }) => data),
        )
      }
    }
  })

  test('a directory that is created later joins the stream of its tenant', async () => {
    await using stream = await follow(service(), 'tenant=joining&product=crm')
    const directory = await service().createDirectory({ tenant: 'joining' })
    await service().createDirectory({ tenant: 'others' })
    await addUsers(service(), directory, ['a'])
    const [event] = await stream.first(1)
    assert.equal(event?.data.directory_id, directory.id)
  })

  test('the stream of a directory ends when the directory is deleted', async () => {
    await using own = await startCounting(engine, { pollMs: 50 })
    const directory = await own.createDirectory()
    await using stream = await follow(own, `directoryId=${directory.id}`)
    await own.api('DELETE', `/${directory.id}`)
    await stream.ended()
    assert(stream.response.complete)
  })

  test('close ends all streams, also those whose reader does not read', async () => {
    await using own = await startTestService(engine)
    const directory = await own.createDirectory()
    await using stream = await follow(own, `directoryId=${directory.id}`)
    await using other = await follow(own, 'tenant=acme&product=crm')
    await using stuck = await follow(own, 'tenant=stuck&product=crm', {}, true)
    const large = await own.createDirectory({ tenant: 'stuck' })
    await addLargeUsers(own, large, 400)
    await other.line((line) => line.startsWith('retry'))
    await own.close()
    await Promise.all([stream.ended(), other.ended()])
    stuck.resume()
    await stuck.ended()
    assert(stream.response.complete && other.response.complete)
  })

  test('the store is not read for a stream whose reader does not read', async () => {
    await using own = await startCounting(engine)
    const directory = await own.createDirectory()
    await addLargeUsers(own, directory, 400)
    await using stream = await follow(own, `directoryId=${directory.id}`, {}, true)
    const stuckAt = await own.readsWhenStuck()
    assert(own.sequence() < 390, `the buffers hold a part only: ${own.sequence()}`)
    await addUsers(own, directory, ['more', 'and more'])
    assert.equal(await own.readsWhenStuck(), stuckAt, 'new events do not cause a read')
    stream.resume()
    const all = await stream.first(402)
    assert.deepEqual(
      all.map(({ data }) => data.sequence),
      all.map((_, index) => index + 1),
    )
  })

  test('a stream without events sends heartbeats, and stops counting when its reader disconnects', async () => {
    await using own = await startCounting(engine, { heartbeatMs: 30, pollMs: 10 }, 1)
    const directory = await own.createDirectory()
    const query = `directoryId=${directory.id}`
    const stream = await follow(own, query)
    await stream.line((line) => line === ':')
    const refused = await own.api('GET', `/feed?${query}`, undefined, { accept: 'text/event-stream' })
    assert.equal(refused.status, 503)
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    await stream[Symbol.asyncDispose]()
    await own.untilFree(query)
  })

  test('the streams of one API key, and those of one tenant, leave streams to the others', async () => {
    const keys = { API_KEYS: `${testApiKey},another-api-key-of-the-service` }
    const limits = { FEED_MAX_STREAMS: '4', FEED_MAX_STREAMS_PER_KEY: '2', FEED_MAX_STREAMS_PER_TENANT: '1' }
    await using own = await startTestService(engine, { ...keys, ...limits })
    const { id } = await own.createDirectory({ tenant: 'acme' })
    await using first = await follow(own, `directoryId=${id}`)
    await using sameTenant = await follow(own, 'tenant=acme&product=crm')
    await using second = await follow(own, 'tenant=globex&product=crm')
    await using third = await follow(own, 'tenant=initech&product=crm')
    const authorization = 'Api-Key another-api-key-of-the-service'
    await using otherKey = await follow(own, 'tenant=initech&product=crm', { authorization })
    assert.deepEqual(
      [first, sameTenant, second, third, otherKey].map(({ response }) => response.statusCode),
      [200, 503, 200, 503, 200],
    )
    assert.equal(third.response.headers['retry-after'], '30')
  })

  test('a stream ends when its connection is reset', async () => {
    await using own = await startCounting(engine, {}, 1)
    const { id } = await own.createDirectory()
    const socket = connect({ port: Number(new URL(own.origin).port), host: '127.0.0.1' })
    socket.write(
      `GET ${apiPrefix}/feed?directoryId=${id} HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\nauthorization: ${headers.authorization}\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.resetAndDestroy()
    await own.untilFree(`directoryId=${id}`)
  })

  if (engine === 'postgres') {
    test('a stream receives the events that another process commits', async () => {
      await using database = await openTestDatabase(engine)
      await using here = await startTestService(database)
      await using there = await startTestService(database)
      const directory = await here.createDirectory({ tenant: 'shared' })
      await using byDirectory = await follow(here, `directoryId=${directory.id}`)
      await using byTenant = await follow(here, 'tenant=shared&product=crm')
      await Promise.all([addUsers(there, directory, ['a', 'b']), addUsers(here, directory, ['c', 'd'])])
      for (const stream of [byDirectory, byTenant]) {
        const events = await stream.first(4)
        assert.deepEqual(
          events.map(({ data }) => data.sequence),
          [1, 2, 3, 4],
        )
      }
      const { body } = await there.api('GET', `/feed?directoryId=${directory.id}&after=${byDirectory.events[1]?.id}`)
      assert.equal(body.data.length, 2, 'a cursor is valid in every process')
    })
  }
})

/** The service over HTTP with its own feed timing, and a store that counts the reads of the feed. */
async function startCounting(engine: Engine, timing: Partial<FeedTiming> = {}, maxStreams = 500) {
  const database = await openTestDatabase(engine)
  const opened = await openStore({
    databaseUrl: database.env['DATABASE_URL'] ?? '',
    encryptionKey: database.env['ENCRYPTION_KEY'],
    poolSize: 4,
    onBackgroundError: () => {},
  })
  let [reads, sequence] = [0, 0]
  const store: typeof opened = {
    ...opened,
    async feedEvents(...args) {
      reads += 1
      const events = await opened.feedEvents(...args)
      sequence = events.at(-1)?.sequence ?? sequence
      return events
    },
  }
  const log = createLog('silent')
  const metrics = createMetrics()
  const service = await createService(store, createTimeSlices(), {
    settings: readSettings({ API_KEYS: testApiKey, FEED_MAX_STREAMS: String(maxStreams) }),
    externalUrl: () => 'http://localhost',
    feed: { timing },
    log,
    observer: metrics.observer,
  })
  const app = await createApp(
    { service, management: service.management, metrics, settings: [], scimBodyLimit: 1_000_000 },
    log,
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = openClient(origin, testApiKey)

  /** Waits until the number of reads no longer grows, and returns it. */
  async function readsWhenStuck(): Promise<number> {
    let [before, same] = [-1, 0]
    return poll(
      async () => reads,
      (now) => {
        same = now === before ? same + 1 : 0
        before = now
        return same === 40
      },
      (now) => `${now} reads to be the last`,
    )
  }
  /** Resolves when a stream can be opened again. */
  async function untilFree(query: string): Promise<void> {
    for (;;) {
      await using stream = await follow({ origin }, query)
      if (stream.response.statusCode === 200) return
      assert.equal(stream.response.statusCode, 503)
    }
  }
  return {
    ...client,
    origin,
    sequence: () => sequence,
    readsWhenStuck,
    untilFree,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      app.server.closeIdleConnections()
      await app.close()
      await service.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
