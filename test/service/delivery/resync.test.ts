import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resync } from '../../../src/delivery/resync/resync.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { createRollcall } from '../../../src/index.ts'
import type { Client } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { applyEvent, emptyCopy, inOrderOfIds, replicaOf } from '../../support/rebuilt.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaRead } from '../../support/replica.ts'
import { forEachEngine, openTestDatabase, serviceForSuite } from '../../support/service.ts'

interface Run {
  readonly sync_id: string
  readonly state: string
  readonly started_at: string
  readonly completed_at: string | null
}

/** Users `user-1` …, all of them in one group. */
async function provision(client: Client, directory: DirectoryView, count: number): Promise<void> {
  const created = await Promise.all(
    Array.from({ length: count }, (_, n) => client.scim(directory, 'POST', '/Users', { userName: `user-${n + 1}` })),
  )
  const members = created.map(({ body }) => ({ value: body.id }))
  await client.scim(directory, 'POST', '/Groups', { displayName: 'Everyone', members })
}

async function begin(client: Client, { id }: DirectoryView): Promise<Run> {
  const { status, body } = await client.api('POST', `/${id}/resync`)
  assert.equal(status, 202)
  return body.data as unknown as Run
}

async function last(client: Client, { id }: DirectoryView): Promise<Run & Resync['sent']> {
  const { status, body } = await client.api('GET', `/${id}/resync`)
  assert.equal(status, 200)
  return body.data as unknown as Run & Resync['sent']
}

const ended = (events: readonly ReceivedEvent[], syncId: string) =>
  events.some(({ event, data }) => event === 'sync.completed' && data.sync_id === syncId)

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('a product rebuilds its copy from the events of a resync', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory()
    await provision(service(), directory, 250)
    await service().api('PATCH', `/${directory.id}`, receiver.endpoint)
    const { sync_id, state } = await begin(service(), directory)
    assert.equal(state, 'running')
    await service().scim(directory, 'POST', '/Users', { userName: 'late' })
    await receiver.until(() => ended(receiver.events(directory.id), sync_id), 'the end of the resync')
    await receiver.until(() => receiver.events(directory.id).some(({ data }) => data.email === 'late'))
    const copy = emptyCopy()
    for (const event of receiver.events(directory.id)) applyEvent(copy, event)
    assert.deepEqual(replicaOf(copy), inOrderOfIds(await replicaRead(service(), directory)))
    const run = await last(service(), directory)
    assert.deepEqual(
      { ...run, started_at: '', completed_at: '' },
      { sync_id, state: 'completed', users: 250, groups: 1, members: 250, started_at: '', completed_at: '' },
    )
    assert(run.started_at <= (run.completed_at ?? ''))
  })

  test('a repeated request returns the running resync or starts one', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory(receiver.endpoint)
    const runs = await Promise.all([1, 2, 3].map(() => begin(service(), directory)))
    const syncIds = new Set(runs.map(({ sync_id }) => sync_id))
    const isOver = () => [...syncIds].every((syncId) => ended(receiver.events(directory.id), syncId))
    await receiver.until(isOver, 'the end of every resync')
    const started = receiver.events(directory.id).filter(({ event }) => event === 'sync.started')
    assert.deepEqual(new Set(started.map(({ data }) => data.sync_id)), syncIds)
    assert.equal(started.length, syncIds.size)
  })

  test('a deactivated directory can be resynced, and its events wait until it is active', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory(receiver.endpoint)
    await provision(service(), directory, 2)
    await receiver.firstEvents(directory.id, 5)
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    const { sync_id } = await begin(service(), directory)
    await eventually('the end', async () => (await last(service(), directory)).state === 'completed')
    assert.equal((await receiver.firstEvents(directory.id, 6)).at(-1)?.event, 'directory.deactivated')
    await service().api('PATCH', `/${directory.id}`, { deactivated: false })
    await receiver.until(() => ended(receiver.events(directory.id), sync_id), 'the end of the resync')
  })

  test('an unknown directory, or one without a resync, is not found', async () => {
    assertApiError(await service().api('POST', '/nobody/resync'), 404)
    assertApiError(await service().api('GET', '/nobody/resync'), 404)
    const directory = await service().createDirectory()
    const refused = await service().api('GET', `/${directory.id}/resync`)
    assertApiError(refused, 404)
    assert.match(refused.body.error.message, /has never had a resync/)
  })

  test('the library resyncs like the API', async () => {
    await using database = await openTestDatabase(engine)
    const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey = Buffer.alloc(32).toString('base64') } =
      database.env
    const received: string[] = []
    const rollcall = await createRollcall({
      ...{ databaseUrl, encryptionKey, externalUrl: 'https://sync.example' },
      onEvent: async ({ event }) => {
        received.push(event)
      },
    })
    const { data: directory } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
    const id = directory?.id ?? ''
    const { data: begun } = await rollcall.directories.resync({ id })
    await eventually('the last event', () => received.includes('sync.completed'))
    const { data: run } = await rollcall.directories.lastResync({ id })
    assert.deepEqual(
      [run?.sync_id, run?.state, received],
      [begun?.sync_id, 'completed', ['sync.started', 'sync.completed']],
    )
    assert.equal((await rollcall.directories.resync({ id: 'nobody' })).error?.status, 404)
    await rollcall.close()
  })
})
