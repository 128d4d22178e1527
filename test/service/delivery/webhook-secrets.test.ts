import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { assertApiError } from '../../support/errors.ts'
import type { Attempt, Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'
import { storedText } from '../../support/stored-text.ts'

const url = 'https://app.example.com/events'
const whsec = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`

/** Verifies as a consumer with one secret. */
function isVerifiedWith(secret: string, { body, headers }: Attempt): boolean {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
  try {
    webhook.verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** The secrets that verify each attempt at the receiver. */
function verifiedWith({ attempts }: Receiver, secrets: readonly string[]): string[][] {
  return attempts.map((attempt) => secrets.filter((secret) => isVerifiedWith(secret, attempt)))
}

const signatures = ({ headers }: Attempt) => String(headers['webhook-signature']).split(' ')

/** Creates a user and waits for its event. */
async function deliverOne(service: TestService, directory: Parameters<TestService['scim']>[0], receiver: Receiver) {
  const before = receiver.attempts.length
  await service.scim(directory, 'POST', '/Users', { userName: `user-${before}` })
  await receiver.until(() => receiver.attempts.length > before, 'one more event')
}

// On PostgreSQL the time is that of the server, which a test cannot move.
for (const { kinds, old, fresh } of [
  { kinds: 'a whsec_ secret by another', old: whsec(1), fresh: whsec(2) },
  { kinds: 'a plain secret by a whsec_ one', old: 'the old plain secret', fresh: whsec(2) },
  { kinds: 'a whsec_ secret by a plain one', old: whsec(1), fresh: 'the new plain secret' },
]) {
  test(`${kinds}: both secrets verify during the grace period, only the new one afterwards`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await using own = await startTestService('sqlite')
    await using receiver = await startReceiver(fresh)
    const { webhook_url } = receiver.endpoint
    const directory = await own.createDirectory({ webhook_url, webhook_secret: old })
    const body = { grace_seconds: 2, webhook_secret: fresh }
    await own.api('POST', `/${directory.id}/rotate-webhook-secret`, body)
    for (const passedMs of [0, 1_900, 200]) {
      t.mock.timers.tick(passedMs)
      await deliverOne(own, directory, receiver)
    }
    assert.deepEqual(verifiedWith(receiver, [old, fresh]), [[old, fresh], [old, fresh], [fresh]])
    assert.deepEqual(
      receiver.attempts.map((attempt) => signatures(attempt).length),
      [2, 2, 1],
    )
  })
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const create = (fields: Record<string, unknown>) => service().createDirectory(fields)
  const rotate = (id: string, body?: unknown) => service().api('POST', `/${id}/rotate-webhook-secret`, body)

  test('the signature of the new secret comes first', async () => {
    await using receiver = await startReceiver(whsec(2))
    const directory = await create({ ...receiver.endpoint, webhook_secret: whsec(1) })
    await rotate(directory.id, { grace_seconds: 60, webhook_secret: whsec(2) })
    await deliverOne(service(), directory, receiver)
    const [attempt] = receiver.attempts
    assert.ok(attempt)
    const [first = '', second = ''] = signatures(attempt)
    const withSignature = (one: string): Attempt => ({
      ...attempt,
      headers: { ...attempt.headers, 'webhook-signature': one },
    })
    assert.deepEqual(
      [isVerifiedWith(whsec(2), withSignature(first)), isVerifiedWith(whsec(1), withSignature(second))],
      [true, true],
    )
  })

  test('without a grace period only the new secret signs', async () => {
    await using receiver = await startReceiver(whsec(2))
    const directory = await create({ ...receiver.endpoint, webhook_secret: whsec(1) })
    await rotate(directory.id, { webhook_secret: whsec(2) })
    await deliverOne(service(), directory, receiver)
    assert.deepEqual(verifiedWith(receiver, [whsec(1), whsec(2)]), [[whsec(2)]])
  })

  test('after several rotations within a grace period the last two secrets sign', async () => {
    const secrets = [whsec(1), whsec(2), whsec(3)]
    await using receiver = await startReceiver(whsec(3))
    const directory = await create({ ...receiver.endpoint, webhook_secret: whsec(1) })
    for (const webhook_secret of [whsec(2), whsec(3)]) await rotate(directory.id, { grace_seconds: 60, webhook_secret })
    await deliverOne(service(), directory, receiver)
    assert.deepEqual(verifiedWith(receiver, secrets), [[whsec(2), whsec(3)]])
  })

  test('a repeated rotation keeps the original previous secret, until one without a grace period', async () => {
    const secrets = [whsec(1), whsec(2)]
    await using receiver = await startReceiver(whsec(2))
    const directory = await create({ ...receiver.endpoint, webhook_secret: whsec(1) })
    const body = { grace_seconds: 60, webhook_secret: whsec(2) }
    await rotate(directory.id, body)
    await rotate(directory.id, body)
    await deliverOne(service(), directory, receiver)
    await rotate(directory.id, { webhook_secret: whsec(2) })
    await deliverOne(service(), directory, receiver)
    assert.deepEqual(verifiedWith(receiver, secrets), [secrets, [whsec(2)]])
  })

  test('a secret set by PATCH signs alone, even during a grace period', async () => {
    const secrets = [whsec(1), whsec(2), whsec(3)]
    await using receiver = await startReceiver(whsec(3))
    const directory = await create({ ...receiver.endpoint, webhook_secret: whsec(1) })
    await rotate(directory.id, { grace_seconds: 60, webhook_secret: whsec(2) })
    await service().api('PATCH', `/${directory.id}`, { webhook_secret: whsec(3) })
    await deliverOne(service(), directory, receiver)
    assert.deepEqual(verifiedWith(receiver, secrets), [[whsec(3)]])
  })

  test('a new webhook_url keeps both secrets', async () => {
    await using receiver = await startReceiver(whsec(2))
    const { webhook_url } = receiver.endpoint
    const directory = await create({ webhook_url: url, webhook_secret: whsec(1) })
    await rotate(directory.id, { grace_seconds: 60, webhook_secret: whsec(2) })
    await service().api('PATCH', `/${directory.id}`, { webhook_url, name: 'Moved' })
    await deliverOne(service(), directory, receiver)
    assert.deepEqual(verifiedWith(receiver, [whsec(1), whsec(2)]), [[whsec(1), whsec(2)]])
  })

  test('the older form of the signature uses the new secret only', async () => {
    await using receiver = await startReceiver(whsec(2))
    await using own = await startTestService(engine, { DSYNC_WEBHOOK_SIGNATURE_HEADER: 'X-Product-Signature' })
    const directory = await own.createDirectory({ ...receiver.endpoint, webhook_secret: whsec(1) })
    await own.api('POST', `/${directory.id}/rotate-webhook-secret`, { grace_seconds: 60, webhook_secret: whsec(2) })
    await deliverOne(own, directory, receiver)
    const [attempt] = receiver.attempts
    const header = String(attempt?.headers['x-product-signature'])
    const [, at] = /^t=(\d{13}),s=[0-9a-f]{64}$/.exec(header) ?? []
    const expected = createHmac('sha256', whsec(2)).update(`${at}.${attempt?.body}`).digest('hex')
    assert.equal(header, `t=${at},s=${expected}`)
    assert.deepEqual(verifiedWith(receiver, [whsec(1), whsec(2)]), [[whsec(1), whsec(2)]])
  })

  for (const { given, body } of [
    { given: 'no body', body: undefined },
    { given: 'an empty secret', body: { webhook_secret: '' } },
    { given: 'a grace alone', body: { grace_seconds: 2_592_000 } },
  ]) {
    test(`${given} generates a Standard Webhooks secret and returns the directory`, async () => {
      const before = await create({ webhook_url: url })
      const { status, body: response } = await rotate(before.id, body)
      assert.equal(status, 200)
      const { previous_secret_expires_at: expiresAt, ...webhook } = response.data.webhook
      assert.equal(expiresAt === undefined, body?.grace_seconds === undefined)
      const previous = expiresAt === undefined ? {} : { previous_secret_expires_at: expiresAt }
      assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
      assert.notEqual(webhook.secret, before.webhook.secret)
      assert.deepEqual(response, {
        data: { ...before, webhook: { ...before.webhook, secret: webhook.secret, ...previous } },
        error: null,
      })
      assert.deepEqual((await service().api('GET', `/${before.id}`)).body, response)
    })
  }

  test('a directory without an endpoint must set webhook_url first', async () => {
    const { id } = await create({})
    const response = await rotate(id, { grace_seconds: 60 })
    assertApiError(response, 400)
    assert.match(response.body.error.message, /set webhook_url first/)
    assert.deepEqual((await service().api('GET', `/${id}`)).body.data.webhook, {
      endpoint: '',
      secret: '',
      headers: [],
    })
  })

  for (const { wrong, body, field } of [
    { wrong: 'a grace below 0', body: { grace_seconds: -1 }, field: 'grace_seconds' },
    { wrong: 'a grace of more than 30 days', body: { grace_seconds: 2_592_001 }, field: 'grace_seconds' },
    { wrong: 'a grace in parts of a second', body: { grace_seconds: 1.5 }, field: 'grace_seconds' },
    { wrong: 'a secret that is no text', body: { webhook_secret: 7 }, field: 'webhook_secret' },
    { wrong: 'a secret that is too long', body: { webhook_secret: 'x'.repeat(201) }, field: 'webhook_secret' },
    { wrong: 'a whsec_ secret without base64', body: { webhook_secret: 'whsec_?' }, field: 'webhook_secret' },
  ]) {
    test(`${wrong} is rejected, and the secret stays`, async () => {
      const { id, webhook } = await create({ webhook_url: url })
      const response = await rotate(id, body)
      assertApiError(response, 400)
      assert.deepEqual(
        response.body.error.problems?.map((problem) => problem.field),
        [field],
      )
      assert.deepEqual((await service().api('GET', `/${id}`)).body.data.webhook, webhook)
    })
  }

  test('an unknown directory is not found, and a rotation requires an API key', async () => {
    assertApiError(await rotate('nobody'), 404)
    const { id } = await create({ webhook_url: url })
    assertApiError(await service().request('POST', `/api/v1/directory-sync/${id}/rotate-webhook-secret`), 401)
  })

  test('secrets are neither in the database in plain text nor in the log', async () => {
    await using own = await startTestService(engine)
    const { id } = await own.createDirectory({ webhook_url: url, webhook_secret: 'the-old-secret-1' })
    const body = { grace_seconds: 60, webhook_secret: 'the-new-secret-2' }
    await own.api('POST', `/${id}/rotate-webhook-secret`, body)
    const text = (await storedText(own)) + JSON.stringify(own.log)
    assert.ok(text.includes(id), 'the directory is looked for in the right place')
    assert.doesNotMatch(text, /the-old-secret-1|the-new-secret-2/)
  })
})
