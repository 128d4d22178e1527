import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PoolClient } from 'pg'
import { Client, Pool } from 'pg'
import type { ConsumerOptions, PostgresStore, ResourceKey, RollcallEvent } from '../../../src/webhooks/index.ts'
import { createConsumer, postgresStore } from '../../../src/webhooks/index.ts'
import { startPostgres } from '../../support/postgres.ts'
import { someWebhookEvent } from '../../unit/webhooks/events.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())

/** The product's database, with a table that its handlers change. */
const database = resources.use(await startPostgres({ isEmpty: true }))
const pool = newPool()
await pool.query('create table applied (directory_id text, event_id text)')

function newPool(): Pool {
  const opened = new Pool({ connectionString: database.url, max: 4 })
  opened.on('error', () => {})
  resources.defer(() => opened.end())
  return opened
}

let directories = 0
/** A directory of one test. */
function newDirectory() {
  directories += 1
  const directoryId = `directory-${directories}`
  return {
    directoryId,
    event: (
      sequence: number,
      event: RollcallEvent['event'] = 'user.created',
      data: object = { id: `user-${sequence}` },
    ) => someWebhookEvent({ event, sequence, data, directory_id: directoryId, id: `${directoryId}-event-${sequence}` }),
    async applied(): Promise<string[]> {
      const { rows } = await pool.query('select event_id from applied where directory_id = $1 order by event_id', [
        directoryId,
      ])
      return rows.map((row: { readonly event_id: string }) => row.event_id.replace(`${directoryId}-`, ''))
    },
  }
}

async function apply(
  { directory_id, id }: RollcallEvent,
  { transaction }: { readonly transaction: Pick<PoolClient, 'query'> },
) {
  await transaction.query('insert into applied (directory_id, event_id) values ($1, $2)', [directory_id, id])
}

async function openStore(prefix = 'rollcall'): Promise<PostgresStore<PoolClient>> {
  const store = postgresStore<PoolClient>({ pool: newPool(), prefix })
  await store.createTables()
  return store
}

function consumerOn(store: PostgresStore<PoolClient>, options: Partial<ConsumerOptions<PoolClient>> = {}) {
  return createConsumer<PoolClient>({ store, handlers: { 'user.created': apply, 'user.deleted': apply }, ...options })
}

test('several processes create the tables at once, in a schema of their own', async () => {
  await pool.query('create schema sync')
  await Promise.all(Array.from({ length: 4 }, () => openStore('sync.consumer')))
  const { rows } = await pool.query(`select tablename from pg_tables where schemaname = 'sync' order by tablename`)
  assert.deepEqual(
    rows.map(({ tablename }: { readonly tablename: string }) => tablename),
    ['consumer_cursors', 'consumer_positions', 'consumer_resources'],
  )
  for (const prefix of ['', 'a b', 'Rollcall', "x'; drop table y"])
    assert.throws(() => postgresStore({ pool, prefix }), { name: 'TypeError', message: /^prefix: / })
})

test('an event that two processes receive at once is applied once, also the first of a directory', async () => {
  const { event, applied, directoryId } = newDirectory()
  const consumers = [consumerOn(await openStore()), consumerOn(await openStore())]
  for (const sequence of [5, 6, 7]) {
    const outcomes = await Promise.all(consumers.map(({ receive }) => receive(event(sequence))))
    assert.deepEqual(outcomes.flat().sort(), ['duplicate', 'processed'])
  }
  assert.deepEqual(await applied(), ['event-5', 'event-6', 'event-7'])
  for (const { position, after: last } of consumers)
    assert.deepEqual([await position(directoryId), await last(directoryId)], [7, `7:${directoryId}-event-7`])
})

test('an event whose handler fails changes nothing, and is applied when it comes again', async () => {
  const { event, applied, directoryId } = newDirectory()
  const problems = [new Error('the handler fails'), undefined]
  const { receive, position } = consumerOn(await openStore(), {
    handlers: {
      async 'user.created'(received, context) {
        await apply(received, context)
        const problem = problems.shift()
        if (problem !== undefined) throw problem
      },
    },
  })
  await assert.rejects(receive(event(1)), /the handler fails/)
  assert.deepEqual([await applied(), await position(directoryId)], [[], undefined])
  assert.deepEqual(await receive(event(1)), ['processed'])
  assert.deepEqual(await applied(), ['event-1'])
})

test('a handler that hides a failed statement does not move the position', async () => {
  const { event, directoryId } = newDirectory()
  const { receive, position } = consumerOn(await openStore(), {
    handlers: {
      'user.created': (_, { transaction }) =>
        transaction.query('select 1 / 0').then(
          () => {},
          () => {},
        ),
    },
  })
  await assert.rejects(receive(event(1)), /current transaction is aborted/)
  assert.equal(await position(directoryId), undefined)
})

test('an event during which the connection is lost is applied when it comes again', async () => {
  const { event, applied } = newDirectory()
  let losses = 1
  const { receive } = consumerOn(await openStore(), {
    handlers: {
      async 'user.created'(received, context) {
        await apply(received, context)
        const { rows } = await context.transaction.query('select pg_backend_pid() as pid')
        if (losses-- > 0) await pool.query('select pg_terminate_backend($1, 60000)', [rows[0].pid])
      },
    },
  })
  await assert.rejects(receive(event(1)), /terminat|not queryable/i)
  assert.deepEqual(await receive([event(1), event(2)]), ['processed', 'processed'])
  assert.deepEqual(await applied(), ['event-1', 'event-2'])
})

test('a resync drops what it has not reported, memberships first', async () => {
  const { event } = newDirectory()
  const dropped: ResourceKey[] = []
  const { receive } = consumerOn(await openStore(), {
    handlers: {},
    onDrop: (resource) => {
      dropped.push(resource)
    },
  })
  const member = (userId: string) => ({ id: userId, group: { id: 'group-1', name: 'Guides', raw: {} } })
  await receive([
    ...[event(1), event(2), event(3, 'group.created', { id: 'group-1' }), event(4)],
    ...[event(5, 'group.user_added', member('user-1')), event(6, 'group.user_added', member('user-2'))],
    ...[event(7, 'user.deleted', { id: 'user-4' }), event(8, 'sync.started', { sync_id: 'sync-1' })],
    ...[event(9, 'user.snapshot', { id: 'user-2' }), event(10, 'sync.completed', { sync_id: 'sync-1' })],
  ])
  assert.deepEqual(dropped, [
    { kind: 'member', userId: 'user-1', groupId: 'group-1' },
    { kind: 'member', userId: 'user-2', groupId: 'group-1' },
    { kind: 'group', id: 'group-1' },
    { kind: 'user', id: 'user-1' },
  ])
})

test('a client of the product is used for one transaction at a time', async () => {
  const [one, other] = [newDirectory(), newDirectory()]
  const client = new Client({ connectionString: database.url })
  await client.connect()
  resources.defer(() => client.end())
  const store = postgresStore<Client>({ client, marks: false })
  await store.createTables()
  const { receive } = createConsumer<Client>({ store, handlers: { 'user.created': apply } })
  const outcomes = await Promise.all([one, other].map(({ event }) => receive([event(1), event(2), event(2)])))
  assert.deepEqual(outcomes, [
    ['processed', 'processed', 'duplicate'],
    ['processed', 'processed', 'duplicate'],
  ])
  assert.deepEqual([await one.applied(), await other.applied()], Array(2).fill(['event-1', 'event-2']))
  const { rows } = await pool.query(`select 1 from rollcall_resources where directory_id = $1`, [one.directoryId])
  assert.deepEqual(rows, [], 'without marks')
})

test('cursors of feeds are kept by name', async () => {
  const store = await openStore()
  assert.equal(await store.readCursor('crm'), undefined)
  for (const cursor of ['first', 'second']) await store.writeCursor('crm', cursor)
  await store.writeCursor('wiki', 'other')
  assert.deepEqual([await store.readCursor('crm'), await store.readCursor('wiki')], ['second', 'other'])
})
