import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import { createEgressPolicy } from '../../../src/delivery/endpoint/egress-policy.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { noticeOf } from '../../../src/diagnostics/notices/payload.ts'
import { createNoticeSender, maxNoticeAgeMs } from '../../../src/diagnostics/notices/sender.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { NoticeType } from '../../../src/directory/operator-notice.ts'
import type { Store } from '../../../src/store/store.ts'
import type { WebhookDirectory } from '../../../src/webhooks/index.ts'
import { verifyWebhook } from '../../../src/webhooks/index.ts'
import { addDirectory } from '../../contract/store/samples.ts'
import { openStoreOf } from '../../guarantees/support/store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { settled } from '../../support/eventually.ts'
import { createManualTime } from '../../support/manual-time.ts'
import type { Attempt, Receiver } from '../../support/receiver.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'

interface Notice {
  readonly type: NoticeType
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const noticeIn = ({ body }: Pick<Attempt, 'body'>): Notice => JSON.parse(body)
const webhookId = ({ headers }: Attempt) => headers['webhook-id']

/** A sender of notices with a manual clock, as a process has one. */
function startSender(store: Store, operator: Receiver, time: ReturnType<typeof createManualTime>) {
  const egress = createEgressPolicy({ allowPrivate: ['127.0.0.1'], externalUrl: () => '' })
  const client = createEndpointClient({ timeoutMs: 60_000, egress })
  const sender = createNoticeSender({
    ...{ store, client, url: operator.endpoint.webhook_url, secret: testSecret, timeoutMs: 1_000, version: 'test' },
    ...{ clock: time.clock, schedule: time.schedule, random: () => 0.5, log: silentLogger },
  })
  sender.start()
  return {
    wake: sender.wake,
    async [Symbol.asyncDispose]() {
      await settled('the sender closes', sender.close())
      await client.close()
    },
  }
}

const add = (store: Store, directory: Directory, at: number, id: string) =>
  store.addNotice(noticeOf({ type: 'directory.held', directory, at, message: 'It is held.', details }, id))
const details = { reason: 'users', removals: 21, active_users: 60, first_sequence: 7 }

forEachEngine((engine) => {
  test('the operator is notified, signed, of a paused delivery and of a dead event', async () => {
    await using operator = await startReceiver()
    await using consumer = await startReceiver()
    await using service = await startTestService(engine, {
      OPERATOR_WEBHOOK_URL: `${operator.endpoint.webhook_url}?token=of-the-operator`,
      OPERATOR_WEBHOOK_SECRET: testSecret,
      OPERATOR_WEBHOOK_HEADERS: '{"X-Gateway-Key": "of the gateway"}',
    })
    const directory = await service.createDirectory({ ...consumer.endpoint, name: 'Acme' })
    await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
    await consumer.firstEvents(directory.id, 1)
    consumer.answerWith(400)
    await service.api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await operator.until(() => operator.attempts.length === 1, 'a notice of the dead event')
    consumer.answerWith(410)
    await service.scim(directory, 'POST', '/Users', { userName: 'omar' })
    await operator.until(() => operator.attempts.length === 2, 'a notice of the pause')
    const [dead, paused] = operator.attempts.map(noticeIn)
    assert.equal(operator.attempts[0]?.headers['x-gateway-key'], 'of the gateway')
    const where = { directory_id: directory.id, directory_name: 'Acme', tenant: 'acme', product: 'crm' }
    assert.partialDeepStrictEqual(dead, {
      type: 'directory.event_dead',
      data: { ...where, sequence: 1, event: 'user.created', dead_events: 1, reason: 'answered 400' },
    })
    assert.partialDeepStrictEqual(paused, {
      type: 'directory.delivery_paused',
      data: { ...where, reason: 'gone', sequence: 2 },
    })
    assert.match(String(paused?.data['message']), /answered 410 Gone.*resume/)
    assert.equal(operator.refusedSignatures(), 0)
    for (const { body, headers } of operator.attempts) {
      const secretOf = ({ directoryId }: WebhookDirectory) => (directoryId === directory.id ? testSecret : undefined)
      const notice = verifyWebhook(body, headers, secretOf)
      assert.equal(notice.type, noticeIn({ body }).type)
    }
  })

  test('a notice is repeated with backoff until it is accepted, over restarts, at most once an hour', async () => {
    await using operator = await startReceiver()
    await using database = await openTestDatabase(engine)
    // Signatures are only valid at the time of the attempt.
    const start = Date.now()
    const time = createManualTime(start)
    operator.answerWith(503)
    await using store = await openStoreOf(database)
    const directory = await addDirectory(store)
    const attempts = (count: number) => operator.until(() => operator.attempts.length === count, `attempt ${count}`)
    await add(store, directory, time.clock(), 'first')
    {
      await using sender = startSender(store, operator, time)
      await attempts(1)
      await settled('the outcome', time.scheduled(10_000))
      time.advance(5_000)
      sender.wake()
      await attempts(2)
    }
    {
      await using sender = startSender(store, operator, time)
      await settled('nothing is due', time.scheduled(10_000))
      assert.equal(operator.attempts.length, 2, 'the restarted process waits for the backoff')
      operator.answerWith(204)
      time.advance(30_000)
      sender.wake()
      await attempts(3)
    }
    assert.deepEqual(operator.attempts.map(webhookId), ['first', 'first', 'first'])
    assert.equal(await add(store, directory, start + 3_600_000, 'too soon'), false)
    assert.equal(await add(store, directory, time.clock() + 3_600_000, 'an hour later'), true)
  })

  test('two processes send a notice once, and abandon it after three days', async () => {
    await using operator = await startReceiver()
    await using database = await openTestDatabase(engine)
    // Signatures are only valid at the time of the attempt.
    const start = Date.now()
    const time = createManualTime(start)
    await using store = await openStoreOf(database)
    const directory = await addDirectory(store)
    await add(store, directory, start, 'once')
    {
      const sending = operator.hold()
      await using one = startSender(store, operator, time)
      await operator.until(() => operator.waiting() === 1)
      await using another = startSender(store, operator, time)
      await settled('the other finds nothing', time.scheduled(10_000))
      assert.deepEqual([operator.waiting(), one !== another], [1, true])
      sending()
    }
    assert.deepEqual(operator.attempts.map(webhookId), ['once'])
    operator.answerWith(500)
    const later = start + 3_600_000
    await add(store, directory, later, 'never accepted')
    time.advance(3_600_000 + maxNoticeAgeMs)
    {
      await using sender = startSender(store, operator, time)
      await operator.until(() => operator.refusedSignatures() === 1, 'an attempt in the future, which is not valid now')
      assert.ok(sender)
    }
    assert.deepEqual(await store.takeDueNotices(Number.MAX_SAFE_INTEGER, 0, 9), [])
  })
})

test('nothing is written while OPERATOR_WEBHOOK_URL is unset', async () => {
  await using consumer = await startReceiver()
  await using database = await openTestDatabase('sqlite')
  consumer.answerWith(410)
  {
    await using service = await startTestService(database)
    const directory = await service.createDirectory(consumer.endpoint)
    await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
    await service.logged(({ paused }) => paused === 'gone')
  }
  await using store = await openStoreOf(database)
  assert.deepEqual(await store.takeDueNotices(Number.MAX_SAFE_INTEGER, 0, 9), [])
})
