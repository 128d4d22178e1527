import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { WebhookDirectory } from '../../../src/webhooks/index.ts'
import { verifyWebhookBatch } from '../../../src/webhooks/index.ts'
import { hasten } from '../../support/delivery.ts'
import { waitForMetrics } from '../../support/metrics.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'

const retryAtOnce = { status: 503, headers: { 'retry-after': '0' } }
const wasNotDelivered = ({ msg }: Readonly<Record<string, unknown>>) => /was not delivered/.test(String(msg))

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const userNames = (events: readonly { data: { raw: Readonly<Record<string, unknown>> } }[]) =>
    events.map(({ data }) => data.raw['userName'])

  for (const secret of [`whsec_${Buffer.alloc(32, 3).toString('base64')}`, 'a plain secret of the product']) {
    test(`an event is signed as in Standard Webhooks, with the secret ${secret.slice(0, 7)}…`, async () => {
      await using receiver = await startReceiver(secret)
      const directory = await service().createDirectory(receiver.endpoint)
      await service().scim(directory, 'POST', '/Users', { userName: 'a' })
      const [event] = await receiver.firstEvents(directory.id, 1)
      const [attempt] = receiver.attempts
      assert.equal(receiver.refusedSignatures(), 0)
      assert.equal(attempt?.headers['webhook-id'], event?.id)
      assert.match(String(attempt?.headers['webhook-timestamp']), /^\d{10}$/)
      assert.match(String(attempt?.headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/)
      assert.equal(attempt?.headers['content-type'], 'application/json')
      assert.match(String(attempt?.headers['user-agent']), /^Rollcall\/\d/)
    })
  }

  test('one handler verifies the events of all directories by the headers that name each, also in batches', async () => {
    await using receiver = await startReceiver()
    await using batching = await startTestService(engine, { DSYNC_WEBHOOK_BATCH_SIZE: '2' })
    const scope = { tenant: 'Zoë & Söhne/100% \u{1F469}', product: 'crm two' }
    for (const at of [service(), batching]) {
      const directory = await at.createDirectory({ ...scope, ...receiver.endpoint })
      await at.scim(directory, 'POST', '/Users', { userName: 'maya' })
      if (at === batching) await at.api('POST', '/cron/process-events')
      await receiver.firstEvents(directory.id, 1)
      const { body, headers } = receiver.attempts.at(-1) ?? assert.fail()
      const secretOf = (named: WebhookDirectory) => {
        assert.deepEqual(named, { ...scope, directoryId: directory.id })
        return testSecret
      }
      const [event] = verifyWebhookBatch(body, headers, secretOf)
      assert.equal(event?.directory_id, directory.id)
    }
  })

  test('an endpoint without a secret gets a generated one, and its events are signed with it', async () => {
    await using receiver = await startReceiver()
    const { webhook_url } = receiver.endpoint
    const directory = await service().createDirectory({ webhook_url })
    await using other = await startReceiver(directory.webhook.secret)
    await service().api('PATCH', `/${directory.id}`, { webhook_url: other.endpoint.webhook_url })
    await service().scim(directory, 'POST', '/Users', { userName: 'a' })
    assert.equal((await other.firstEvents(directory.id, 1)).length, 1)
  })

  test('events are signed with a new secret from then on', async () => {
    const secret = 'the secret after the change'
    await using receiver = await startReceiver(secret)
    const directory = await service().createDirectory({ ...receiver.endpoint, webhook_secret: 'the secret before' })
    await service().api('PATCH', `/${directory.id}`, { webhook_secret: secret })
    await service().scim(directory, 'POST', '/Users', { userName: 'a' })
    await receiver.firstEvents(directory.id, 1)
    assert.equal(receiver.refusedSignatures(), 0)
  })

  test('the older form of the signature is sent too when a header is configured for it', async () => {
    await using receiver = await startReceiver()
    await using older = await startTestService(engine, { DSYNC_WEBHOOK_SIGNATURE_HEADER: 'X-Product-Signature' })
    const directory = await older.createDirectory(receiver.endpoint)
    await older.scim(directory, 'POST', '/Users', { userName: 'a' })
    await receiver.firstEvents(directory.id, 1)
    const [attempt] = receiver.attempts
    const [, at, signature] =
      /^t=(\d{13}),s=([0-9a-f]{64})$/.exec(String(attempt?.headers['x-product-signature'])) ?? []
    const hmac = createHmac('sha256', receiver.endpoint.webhook_secret).update(`${at}.${attempt?.body}`)
    assert.equal(signature, hmac.digest('hex'))
    assert(
      new Webhook(receiver.endpoint.webhook_secret).verify(
        String(attempt?.body),
        attempt?.headers as Record<string, string>,
      ),
    )
  })

  test('a failed event is retried with the same id until it is delivered, and later events wait', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith(retryAtOnce)
    const directory = await service().createDirectory(receiver.endpoint)
    for (const userName of ['a', 'b', 'c']) await service().scim(directory, 'POST', '/Users', { userName })
    await receiver.until(() => receiver.attempts.length === 2, 'a second attempt')
    receiver.answerWith(204)
    const events = await receiver.firstEvents(directory.id, 3)
    assert.deepEqual(userNames(receiver.attempts.map(({ event }) => event)), ['a', 'a', 'a', 'b', 'c'])
    assert.deepEqual(userNames(events), ['a', 'b', 'c'])
    const [first, second, third] = receiver.attempts
    assert.equal(new Set([first, second, third].map((attempt) => attempt?.headers['webhook-id'])).size, 1)
    assert.deepEqual([second?.body, third?.body], [first?.body, first?.body])
  })

  test('a failing endpoint does not delay other directories', async () => {
    await using failing = await startReceiver()
    await using working = await startReceiver()
    failing.answerWith(500)
    const [held, free] = [
      await service().createDirectory(failing.endpoint),
      await service().createDirectory(working.endpoint),
    ]
    for (const userName of ['a', 'b', 'c']) {
      await service().scim(held, 'POST', '/Users', { userName })
      await service().scim(free, 'POST', '/Users', { userName })
    }
    assert.deepEqual(userNames(await working.firstEvents(free.id, 3)), ['a', 'b', 'c'])
    assert.deepEqual(failing.events(held.id), [])
  })

  test('events that failed before a restart are delivered after it, all of them and in order', async () => {
    await using database = await openTestDatabase(engine)
    await using receiver = await startReceiver()
    receiver.answerWith(500)
    const first = await startTestService(database)
    const directory = await first.createDirectory(receiver.endpoint)
    for (const userName of ['a', 'b', 'c']) await first.scim(directory, 'POST', '/Users', { userName })
    await first.logged(wasNotDelivered)
    await first[Symbol.asyncDispose]()
    receiver.answerWith(204)
    await using second = await startTestService(database)
    await hasten(second, directory.id)
    assert.deepEqual(userNames(await receiver.firstEvents(directory.id, 3)), ['a', 'b', 'c'])
    await second.scim(directory, 'POST', '/Users', { userName: 'd' })
    const events = await receiver.firstEvents(directory.id, 4)
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      [1, 2, 3, 4],
    )
  })

  test('requests of the identity provider do not wait for the endpoint', async () => {
    await using receiver = await startReceiver()
    const release = receiver.hold()
    const directory = await service().createDirectory(receiver.endpoint)
    assert.equal((await service().scim(directory, 'POST', '/Users', { userName: 'a' })).status, 201)
    await receiver.until(() => receiver.waiting() === 1, 'an attempt that waits for its response')
    assert.equal((await service().scim(directory, 'POST', '/Users', { userName: 'b' })).status, 201)
    release()
    assert.deepEqual(userNames(await receiver.firstEvents(directory.id, 2)), ['a', 'b'])
  })

  test('a new endpoint receives events immediately, without the rest of a backoff', async () => {
    await using failing = await startReceiver()
    await using working = await startReceiver()
    failing.answerWith({ status: 503, headers: { 'retry-after': '3600' } })
    const directory = await service().createDirectory(failing.endpoint)
    await service().scim(directory, 'POST', '/Users', { userName: 'a' })
    await service().logged((line) => wasNotDelivered(line) && line['directoryId'] === directory.id)
    await service().api('PATCH', `/${directory.id}`, working.endpoint)
    assert.equal((await working.firstEvents(directory.id, 1)).length, 1)
  })

  test('metrics show failures and undelivered events', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith({ status: 500, headers: { 'retry-after': '3600' } })
    await using counting = await startTestService(engine)
    const directory = await counting.createDirectory(receiver.endpoint)
    await counting.scim(directory, 'POST', '/Users', { userName: 'a' })
    await counting.scim(directory, 'POST', '/Users', { userName: 'b' })
    await counting.logged(wasNotDelivered)
    await waitForMetrics(
      counting,
      /^rollcall_delivery_failures_total\{reason="500"\} 1$/m,
      /^rollcall_events_undelivered\{state="failing"\} 2$/m,
      /^rollcall_events_undelivered\{state="paused"\} 0$/m,
      /^rollcall_streams_behind\{state="failing"\} 1$/m,
    )
  })
})
