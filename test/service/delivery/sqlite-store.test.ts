import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { ConsumerOptions, ResourceKey, RollcallEvent } from '../../../src/webhooks/index.ts'
import { createConsumer, sqliteStore } from '../../../src/webhooks/index.ts'
import { someWebhookEvent } from '../../unit/webhooks/events.ts'

const resources = new DisposableStack()
after(() => resources.dispose())

/** The product's own database, with a table that its handlers change. */
function newDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-sqlite-store-'))
  resources.defer(() => rmSync(folder, { recursive: true }))
  const open = () => {
    const database = new DatabaseSync(join(folder, 'product.db'), { timeout: 0 })
    resources.defer(() => database.close())
    return database
  }
  const reader = open()
  reader.exec('create table applied (event_id text)')
  return {
    open,
    applied: () =>
      reader
        .prepare('select event_id from applied order by rowid')
        .all()
        .map((row) => row['event_id']),
  }
}

function apply({ id }: RollcallEvent, { transaction }: { readonly transaction: DatabaseSync }): void {
  transaction.prepare('insert into applied (event_id) values (?)').run(id)
}

async function consumerOn(database: DatabaseSync, options: Partial<ConsumerOptions<DatabaseSync>> = {}) {
  const store = sqliteStore({ database })
  await store.createTables()
  return createConsumer<DatabaseSync>({ store, handlers: { 'user.created': apply }, ...options })
}

function event(sequence: number, type: RollcallEvent['event'] = 'user.created', data: object = { id: `u${sequence}` }) {
  return someWebhookEvent({ event: type, sequence, data, directory_id: 'directory', id: `event-${sequence}` })
}

test('an event is applied once, by whichever connection to the database it is received', async () => {
  const { open, applied } = newDatabase()
  const [one, other] = [await consumerOn(open()), await consumerOn(open())]
  assert.deepEqual(await one.receive([event(1), event(1)]), ['processed', 'duplicate'])
  assert.deepEqual(await other.receive([event(1), event(2)]), ['duplicate', 'processed'])
  assert.deepEqual(applied(), ['event-1', 'event-2'])
  assert.equal(await one.after('directory'), '2:event-2')
})

test('an event whose handler fails changes nothing, and is applied when it comes again', async () => {
  const { open, applied } = newDatabase()
  let failures = 1
  const { receive, position } = await consumerOn(open(), {
    handlers: {
      'user.created': (received, context) => {
        apply(received, context)
        if (failures-- > 0) throw new Error('the handler fails')
      },
    },
  })
  await assert.rejects(receive(event(1)), /the handler fails/)
  assert.deepEqual([applied(), await position('directory')], [[], undefined])
  assert.deepEqual(await receive(event(1)), ['processed'])
  assert.deepEqual(applied(), ['event-1'])
})

test('the error of a handler is thrown, also when the database has ended the transaction by itself', async () => {
  const { receive, position } = await consumerOn(newDatabase().open(), {
    handlers: {
      'user.created': (_, { transaction }) => {
        transaction.exec('insert or rollback into rollcall_cursors (name) values (null)')
      },
    },
  })
  await assert.rejects(receive(event(1)), /NOT NULL constraint failed/)
  assert.equal(await position('directory'), undefined)
})

test('an event is applied later when another process is writing', async () => {
  const { open, applied } = newDatabase()
  const [{ receive }, writer] = [await consumerOn(open()), open()]
  writer.exec('begin immediate')
  await assert.rejects(receive(event(1)), /database is locked/)
  writer.exec('rollback')
  assert.deepEqual(await receive(event(1)), ['processed'])
  assert.deepEqual(applied(), ['event-1'])
})

test('events of two directories at once are one transaction after the other, also if a handler waits', async () => {
  const { open, applied } = newDatabase()
  const { receive } = await consumerOn(open(), {
    handlers: {
      'user.created': async (received, context) => {
        apply(received, context)
        await new Promise((resolve) => setImmediate(resolve))
        if (received.directory_id === 'failing') throw new Error('the handler fails')
      },
    },
  })
  const failing = receive({ ...event(1), id: 'event-of-failing', directory_id: 'failing' })
  const [outcome] = await Promise.all([receive(event(1)), assert.rejects(failing, /the handler fails/)])
  assert.deepEqual([outcome, applied()], [['processed'], ['event-1']])
})

test('a resync drops what it has not reported, memberships first', async () => {
  const dropped: ResourceKey[] = []
  const { receive } = await consumerOn(newDatabase().open(), {
    handlers: {},
    onDrop: (resource) => {
      dropped.push(resource)
    },
  })
  const member = (userId: string) => ({ id: userId, group: { id: 'g1', name: 'Guides', raw: {} } })
  await receive([
    ...[event(1), event(2), event(3, 'group.created', { id: 'g1' }), event(4)],
    ...[event(5, 'group.user_added', member('u1')), event(6, 'group.user_added', member('u2'))],
    ...[event(7, 'user.deleted', { id: 'u4' }), event(8, 'sync.started', { sync_id: 'sync-1' })],
    ...[event(9, 'user.snapshot', { id: 'u2' }), event(10, 'sync.completed', { sync_id: 'sync-1' })],
  ])
  assert.deepEqual(dropped, [
    { kind: 'member', userId: 'u1', groupId: 'g1' },
    { kind: 'member', userId: 'u2', groupId: 'g1' },
    { kind: 'group', id: 'g1' },
    { kind: 'user', id: 'u1' },
  ])
})

test('cursors of feeds are kept by name, in tables whose names begin with the prefix', async () => {
  const database = newDatabase().open()
  assert.throws(() => sqliteStore({ database, prefix: "x'; drop table y" }), { message: /^prefix: / })
  const store = sqliteStore({ database, prefix: 'main.crm', marks: false })
  for (const _ of ['first', 'second']) await store.createTables()
  assert.equal(await store.readCursor('crm'), undefined)
  for (const cursor of ['first', 'second']) await store.writeCursor('crm', cursor)
  assert.equal(await store.readCursor('crm'), 'second')
  const names = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
  assert.deepEqual(
    names.map((row) => row['name']),
    ['applied', 'crm_cursors', 'crm_positions', 'crm_resources'],
  )
})
