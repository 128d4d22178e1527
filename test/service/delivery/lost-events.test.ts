import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../../../src/client/index.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { createRollcall } from '../../../src/index.ts'
import type { RollcallEvent } from '../../../src/webhooks/index.ts'
import { createConsumer, memoryStore } from '../../../src/webhooks/index.ts'
import type { Answer, Client } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'

/** A copy of a database that no service uses: what a restore, or a failover that loses commits, goes back to. */
async function copyOf(database: TestDatabase): Promise<TestDatabase> {
  const { engine, env, folder } = database
  if (engine === 'sqlite') {
    const copy = await openTestDatabase(engine)
    for (const name of ['rollcall.db', 'rollcall.key']) await copyFile(join(folder, name), join(copy.folder, name))
    return copy
  }
  const template = new URL(env['DATABASE_URL'] ?? '').pathname.slice(1)
  const copy = await startPostgres({ template })
  return {
    ...{ engine, folder, env: { ...env, DATABASE_URL: copy.url } },
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  }
}

interface FeedBody {
  readonly data: readonly ReceivedEvent[]
  readonly next: string
}

interface Divergence {
  readonly directory_ids: readonly string[]
  readonly next: string
}

async function addUsers(service: Client, directory: DirectoryView, ...names: readonly string[]): Promise<void> {
  for (const userName of names) {
    assert.equal((await service.scim(directory, 'POST', '/Users', { userName })).status, 201)
  }
}

type Query = Readonly<Record<string, string>>

const ask = (service: Client, query: Query, headers: Query = {}): Promise<Answer> =>
  service.api('GET', `/feed?${new URLSearchParams(query)}`, undefined, headers)

async function read(service: Client, query: Query): Promise<FeedBody> {
  const { status, body, text } = await ask(service, query)
  assert.equal(status, 200, text)
  return body as unknown as FeedBody
}

/** Asserts that a response says which directories diverged, and how to go on. */
function divergenceIn(answer: Answer, ...directories: readonly DirectoryView[]): Divergence {
  assertApiError(answer, 409)
  const { reason, message, diverged } = answer.body.error as unknown as {
    reason: string
    message: string
    diverged: Divergence
  }
  assert.equal(reason, 'cursor-diverged')
  assert.match(message, /POST \/:id\/resync.+diverged\.next/)
  assert.deepEqual(
    diverged.directory_ids,
    directories.map(({ id }) => id),
  )
  return diverged
}

/** The events from a cursor until the end of a resync. */
async function untilResynced(service: Client, query: Query, from: string): Promise<string[]> {
  const events: ReceivedEvent[] = []
  for (let after = from; !events.some(({ event }) => event === 'sync.completed'); ) {
    const { data, next } = await read(service, { ...query, after })
    events.push(...data)
    after = next
    if (data.length === 0) await new Promise(setImmediate)
  }
  return events.map(({ event, data }) => (event === 'user.snapshot' ? `${event} ${data.email}` : event))
}

forEachEngine((engine) => {
  test('a cursor diverges after lost commits, whatever was committed since, and continues with a resync', async () => {
    await using database = await openTestDatabase(engine)
    const scope = { tenant: 'acme', product: 'crm' }
    const [first, second] = await withService(database, async (service) => {
      const created = [await service.createDirectory(scope), await service.createDirectory(scope)] as const
      for (const directory of created) await addUsers(service, directory, 'a', 'b')
      return created
    })
    await using earlier = await copyOf(database)
    const query = { directoryId: first.id }
    const lost = await withService(database, async (service) => {
      await addUsers(service, first, 'lost-1', 'lost-2')
      const { data, next } = await read(service, query)
      const ofProduct = (await read(service, { product: 'crm' })).next
      return { last: data.at(-1), next, ofProduct, ofTenant: (await read(service, scope)).next }
    })
    await using service = await startTestService(earlier)
    for (const added of ['none', 'one', 'as many', 'more']) {
      if (added !== 'none') await addUsers(service, first, added)
      for (const after of [lost.next, `${lost.last?.sequence}:${lost.last?.id}`]) {
        divergenceIn(await ask(service, { ...query, after }), first)
      }
      const stream = { accept: 'text/event-stream', 'last-event-id': lost.next }
      divergenceIn(await ask(service, query, stream), first)
      divergenceIn(await ask(service, { product: 'crm', after: lost.ofProduct }), first, second)
    }
    const ofProduct = divergenceIn(await ask(service, { product: 'crm', after: lost.ofProduct }), first, second)
    const { next } = divergenceIn(await ask(service, { ...scope, after: lost.ofTenant }), first)
    await addUsers(service, second, 'c')
    assert.equal((await service.api('POST', `/${first.id}/resync`)).status, 202)
    assert.deepEqual((await untilResynced(service, scope, next)).filter((event) => event !== 'user.created').sort(), [
      ...['sync.completed', 'sync.started'],
      ...['user.snapshot a', 'user.snapshot as many', 'user.snapshot b', 'user.snapshot more', 'user.snapshot one'],
    ])
    const resynced = await untilResynced(service, { product: 'crm' }, ofProduct.next)
    assert.deepEqual(
      [resynced.includes('sync.started'), resynced.filter((event) => event === 'user.snapshot a').length],
      [true, 1],
    )
  })

  test('a reader of the feed and a consumer of deliveries have the state of the service again, by themselves', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const directory = await withService(database, async (service) => {
      const created = await service.createDirectory(receiver.endpoint)
      await addUsers(service, created, 'a', 'b')
      await receiver.firstEvents(created.id, 2)
      return created
    })
    await using earlier = await copyOf(database)
    const [deliveries, feed] = [product(directory), product(directory)]
    await withService(database, async (service) => {
      await addUsers(service, directory, 'lost-1', 'lost-2')
      await feed.follow(service, 4)
      await receiver.firstEvents(directory.id, 4)
    })
    for (const event of await receiver.firstEvents(directory.id, 4)) await deliveries.receive(event)
    for (const { emails } of [deliveries, feed]) assert.deepEqual(emails(), ['a', 'b', 'lost-1', 'lost-2'])

    await using service = await startTestService(earlier)
    deliveries.connect(service)
    await addUsers(service, directory, 'new')
    await feed.follow(service)
    let received = 4
    while (!deliveries.isResynced()) {
      await receiver.until(() => receiver.events(directory.id).length > received, 'the next event')
      const event = receiver.events(directory.id)[received]
      received += 1
      if (event !== undefined) await deliveries.receive(event)
    }
    for (const { emails } of [deliveries, feed]) assert.deepEqual(emails(), ['a', 'b', 'new'])
  })

  if (engine === 'postgres') {
    test('an open stream ends when the events that it has sent are lost', async () => {
      await using database = await openTestDatabase(engine)
      await using service = await startTestService(database)
      const directory = await service.createDirectory()
      await addUsers(service, directory, 'a', 'b')
      const url = `${service.origin}${apiPrefix}/feed?directoryId=${directory.id}`
      await using stream = await openEventStream(url, { authorization: `Api-Key ${testApiKey}` })
      const [, last] = await stream.first(2)
      const losing = 'delete from events where sequence = 2; update directory_state set last_sequence = 1'
      await execute(database.env['DATABASE_URL'] ?? '', losing)
      await stream.ended()
      divergenceIn(await ask(service, { directoryId: directory.id, after: last?.id ?? '' }), directory)
    })
  }
})

test('the library returns a divergence with the directory and the position to go on with', async () => {
  const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost' })
  const { data } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
  const directoryId = data?.id ?? ''
  const { error, ...rest } = await rollcall.events.feed({ directoryId, after: '7:lost' })
  assert.deepEqual(rest, { data: null })
  assert.equal(error?.code, 'cursor-diverged')
  assert.deepEqual(error.diverged?.directoryIds, [directoryId])
  const after = error.diverged.next
  assert.deepEqual((await rollcall.events.feed({ directoryId, after })).data, [])
  await rollcall.close()
})

async function withService<T>(database: TestDatabase, work: (service: TestService) => Promise<T>): Promise<T> {
  await using service = await startTestService(database)
  return await work(service)
}

/** A product that keeps the e-mail addresses of a directory's users with a consumer. */
function product({ id: directoryId }: DirectoryView) {
  const users = new Map<string, string>()
  let service: TestService | undefined
  let isResynced = false
  const put = ({ data }: { readonly data: { readonly id: string; readonly email: string } }) => {
    users.set(data.id, data.email)
  }
  const client = () => createClient({ baseUrl: service?.origin ?? '', apiKey: testApiKey })
  const resync = (id: string) => client().POST('/{id}/resync', { params: { path: { id } } })
  const consumer = createConsumer({
    store: memoryStore(),
    handlers: {
      'user.created': put,
      'user.snapshot': put,
      'sync.completed'() {
        isResynced = true
      },
    },
    onDrop: (resource) => {
      if (resource.kind === 'user') users.delete(resource.id)
    },
    catchUp: (id, after) => client().events({ directoryId: id, after, follow: false }),
    resync,
  })
  return {
    emails: () => [...users.values()].sort(),
    isResynced: () => isResynced,
    receive: (event: ReceivedEvent) => consumer.receive(event as unknown as RollcallEvent),
    connect: (to: TestService) => {
      service = to
    },
    /** Reads the feed from the last position: a number of events, or until the end of a resync. */
    async follow(from: TestService, count = Number.POSITIVE_INFINITY): Promise<void> {
      service = from
      let rest = count
      const events = client().events({
        directoryId,
        after: await consumer.after(directoryId),
        onDiverged: ({ directoryIds }) => Promise.all(directoryIds.map(resync)),
      })
      for await (const event of events) {
        await consumer.receive(event)
        rest -= 1
        if (rest === 0 || isResynced) return
      }
    },
  }
}
