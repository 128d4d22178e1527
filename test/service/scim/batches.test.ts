import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProcessReport } from '../../../src/delivery/batch-runs.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { dataOf, failed, hasten, statusWhen } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import type { Attempt, Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'

const batchesOf = (attempts: readonly Attempt[]) => attempts.map(({ events }) => events.map(({ sequence }) => sequence))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const webhookId = ({ headers }: Attempt) => headers['webhook-id']

async function run(service: TestService): Promise<ProcessReport> {
  return dataOf(await service.api('POST', '/cron/process-events'))
}

async function addUsers(service: TestService, directory: DirectoryView, count: number): Promise<void> {
  const added = Array.from({ length: count }, () =>
    service.scim(directory, 'POST', '/Users', { userName: crypto.randomUUID() }),
  )
  for (const { status } of await Promise.all(added)) assert.equal(status, 201)
}

forEachEngine((engine) => {
  const open = (settings: Readonly<Record<string, string>> = {}) =>
    startTestService(engine, { DSYNC_WEBHOOK_BATCH_SIZE: '10', ...settings })

  /** A directory with undelivered events. */
  async function withEvents(service: TestService, receiver: Receiver, count: number): Promise<DirectoryView> {
    const directory = await service.createDirectory(receiver.endpoint)
    await addUsers(service, directory, count)
    return directory
  }

  test('events wait for the cron call and are sent as arrays of limited size, in order', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const directory = await withEvents(service, receiver, 25)
    const other = await withEvents(service, receiver, 3)
    assert.deepEqual([receiver.attempts.length, receiver.refusedSignatures()], [0, 0])
    assert.deepEqual(await run(service), { directories: 2, delivered: 28, failed: 0, remaining: 0 })
    const [ours, theirs] = [directory, other].map(({ id }) =>
      receiver.attempts.filter(({ event }) => event.directory_id === id),
    )
    assert.deepEqual(batchesOf(ours ?? []), [numbers(1, 10), numbers(11, 20), numbers(21, 25)])
    assert.deepEqual(batchesOf(theirs ?? []), [numbers(1, 3)])
    assert.equal(new Set(receiver.attempts.map(webhookId)).size, 4, 'every batch has an id of its own')
    assert(receiver.attempts.every(({ body }) => body.startsWith('[{"id":')))
    assert.equal(receiver.refusedSignatures(), 0)
    assert.deepEqual(await run(service), { directories: 0, delivered: 0, failed: 0, remaining: 0 })
    await addUsers(service, directory, 1)
    assert.equal((await run(service)).delivered, 1)
    assert.deepEqual(batchesOf(receiver.attempts.slice(4)), [[26]], 'one event is a list as well')
  })

  test('the delivery log and the traces are complete when the cron call responds', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const directory = await service.createDirectory(receiver.endpoint)
    await service.api('PATCH', `/${directory.id}`, { log_webhook_events: true })
    const created = await service.scim(directory, 'POST', '/Users', { userName: 'a' })
    assert.equal((await run(service)).delivered, 1)
    const { body } = await service.api('GET', `/events?directoryId=${directory.id}`)
    assert.equal(body.data.length, 1)
    const trace = await service.api('GET', `/requests/${created.headers['x-request-id']}`)
    const { events } = dataOf<{ events: { deliveries: unknown[] }[] }>(trace)
    assert.deepEqual(
      events.map(({ deliveries }) => deliveries.length),
      [1],
    )
  })

  test('a failed batch is retried unchanged after more events were committed', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    receiver.answerWith(500)
    const directory = await withEvents(service, receiver, 4)
    assert.deepEqual(await run(service), { directories: 1, delivered: 0, failed: 1, remaining: 4 })
    await addUsers(service, directory, 9)
    assert.deepEqual(await run(service), { directories: 0, delivered: 0, failed: 0, remaining: 13 }, 'it backs off')
    receiver.answerWith(204)
    await hasten(service, directory.id)
    assert.deepEqual(await run(service), { directories: 1, delivered: 13, failed: 0, remaining: 0 })
    assert.deepEqual(batchesOf(receiver.attempts), [numbers(1, 4), numbers(1, 4), numbers(5, 13)])
    const [first, again, next] = receiver.attempts
    assert(first !== undefined && again !== undefined && next !== undefined)
    assert.deepEqual([webhookId(again), again.body], [webhookId(first), first.body])
    assert.notEqual(webhookId(next), webhookId(first))
  })

  test('a failed batch is retried unchanged after a restart', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    receiver.answerWith(500)
    const directory = await withEvents(service, receiver, 4)
    await run(service)
    await addUsers(service, directory, 9)
    await service.close()
    receiver.answerWith(204)
    await using later = await startTestService(service.database, { DSYNC_WEBHOOK_BATCH_SIZE: '10' })
    await hasten(later, directory.id)
    assert.equal((await run(later)).delivered, 13)
    assert.deepEqual(batchesOf(receiver.attempts), [numbers(1, 4), numbers(1, 4), numbers(5, 13)])
  })

  test('no event is lost when batch mode is turned off during a retry', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    receiver.answerWith(500)
    const directory = await withEvents(service, receiver, 4)
    await run(service)
    await service.close()
    receiver.answerWith(204)
    await using later = await startTestService(service.database)
    await hasten(later, directory.id)
    await statusWhen(later, directory.id, ({ undelivered }) => undelivered === 0)
    assert.deepEqual(
      receiver.events(directory.id).map(({ sequence }) => sequence),
      numbers(1, 4),
    )
  })

  test('a cron call sends nothing for a paused directory, and for a deactivated one what happened before', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const [paused, off] = [await withEvents(service, receiver, 2), await withEvents(service, receiver, 3)]
    await service.api('POST', `/${paused.id}/pause`)
    await service.api('PATCH', `/${off.id}`, { deactivated: true })
    await service.scim(off, 'POST', '/Users', { userName: 'refused' })
    const { directories, delivered } = await run(service)
    assert.deepEqual({ directories, delivered }, { directories: 1, delivered: 4 }, 'the last is directory.deactivated')
    await service.api('POST', `/${paused.id}/resume`)
    await service.api('PATCH', `/${off.id}`, { deactivated: false })
    assert.equal(receiver.attempts.length, 1, 'they wait for the next call')
    assert.deepEqual(await run(service), { directories: 2, delivered: 3, failed: 0, remaining: 0 })
  })

  test('replayed events are sent with the next cron call', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const directory = await withEvents(service, receiver, 12)
    await run(service)
    await service.api('POST', `/${directory.id}/replay`, { sequence: 3 })
    assert.equal((await run(service)).delivered, 1)
    await service.api('POST', `/${directory.id}/replay`, { from_sequence: 2 })
    assert.equal((await run(service)).delivered, 11)
    assert.deepEqual(batchesOf(receiver.attempts.slice(2)), [[3], numbers(2, 11), [12]])
  })

  test('a test event is an array of one event and is sent immediately', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const { id } = await service.createDirectory(receiver.endpoint)
    assert.equal((await service.api('POST', `/${id}/test-event`)).status, 200)
    const [attempt] = receiver.attempts
    assert.match(String(attempt?.body), /^\[\{.*"event":"endpoint\.test".*\}\]$/)
  })

  test('a second cron call is rejected while one is running', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    const release = receiver.hold()
    await withEvents(service, receiver, 2)
    const first = run(service)
    await receiver.until(() => receiver.waiting() === 1, 'the batch')
    assertApiError(await service.api('POST', '/cron/process-events'), 409)
    release()
    assert.deepEqual(await first, { directories: 1, delivered: 2, failed: 0, remaining: 0 })
    assert.equal(receiver.attempts.length, 1)
  })

  test('all events of a batch that is refused twelve times are dead, and the next batch is sent', async () => {
    await using receiver = await startReceiver()
    await using service = await open()
    receiver.answer(({ sequence }) => (sequence === 1 ? 400 : 204))
    const directory = await withEvents(service, receiver, 13)
    for (let failures = 1; failures < 12; failures += 1) {
      await run(service)
      await failed(service, directory.id, 1)
      await service.api('POST', `/${directory.id}/resume`)
    }
    assert.deepEqual(await run(service), { directories: 1, delivered: 3, failed: 1, remaining: 0 })
    const { dead_events } = await statusWhen(service, directory.id, ({ undelivered }) => undelivered === 0)
    assert.equal(dead_events, 10)
    assert.deepEqual(batchesOf(receiver.attempts.slice(11)), [numbers(1, 10), numbers(11, 13)])
  })

  test('with an interval, batches are sent without a cron call', async () => {
    await using receiver = await startReceiver()
    await using service = await open({ DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: '1' })
    const directory = await withEvents(service, receiver, 3)
    await receiver.firstEvents(directory.id, 3)
    await addUsers(service, directory, 2)
    const events = await receiver.firstEvents(directory.id, 5)
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      numbers(1, 5),
    )
    assert(receiver.attempts.every(({ body }) => body.startsWith('[')))
  })
})
