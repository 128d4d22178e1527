import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEndpointSecret, olderSignature, signatureHeaders } from '../../../src/delivery/endpoint/signature.ts'
import type { WebhookDirectory } from '../../../src/webhooks/index.ts'
import { verifyWebhook, verifyWebhookBatch, WebhookVerificationError } from '../../../src/webhooks/index.ts'
import { someWebhookEvent } from './events.ts'

const [secret, otherSecret] = [newEndpointSecret(), newEndpointSecret()]
const event = someWebhookEvent({ sequence: 7, event: 'user.created' })
const body = JSON.stringify({ ...event, note: 'Zoë' })
const now = 1_770_000_000_000

function signed(secrets: readonly string[] = [secret], text = body, atMs = now) {
  return signatureHeaders({ id: event.id, timestamp: Math.floor(atMs / 1000), body: text, secrets })
}

const options = { now: () => now }

for (const { what, sent, headers, secrets } of [
  { what: 'a text', sent: body, headers: signed(), secrets: secret },
  { what: 'bytes', sent: new TextEncoder().encode(body), headers: signed(), secrets: secret },
  { what: 'a buffer', sent: Buffer.from(body), headers: signed(), secrets: secret },
  { what: 'headers of the Web', sent: body, headers: new Headers(signed()), secrets: secret },
  { what: 'two signatures', sent: body, headers: signed([otherSecret, secret]), secrets: secret },
  { what: 'two secrets', sent: body, headers: signed(), secrets: [otherSecret, secret] },
  { what: 'a chosen secret', sent: body, headers: signed(['Geheimnis ü']), secrets: 'Geheimnis ü' },
  {
    what: 'a request of five minutes ago',
    sent: body,
    headers: signed([secret], body, now - 300_000),
    secrets: secret,
  },
]) {
  test(`accepts ${what}`, () => assert.deepEqual(verifyWebhook(sent, headers, secrets, options), JSON.parse(body)))
}

for (const { what, sent, headers, secrets } of [
  { what: 'another secret', sent: body, headers: signed(), secrets: otherSecret },
  { what: 'another body', sent: body.replace('acme', 'evil'), headers: signed(), secrets: secret },
  { what: 'another id', sent: body, headers: { ...signed(), 'webhook-id': 'other' }, secrets: secret },
  { what: 'another time', sent: body, headers: { ...signed(), 'webhook-timestamp': '1770000001' }, secrets: secret },
  { what: 'no headers', sent: body, headers: {}, secrets: secret },
  { what: 'an empty signature', sent: body, headers: { ...signed(), 'webhook-signature': '' }, secrets: secret },
  { what: 'a request that is too old', sent: body, headers: signed([secret], body, now - 301_000), secrets: secret },
  { what: 'a request of the future', sent: body, headers: signed([secret], body, now + 301_000), secrets: secret },
  { what: 'a body that is no JSON', sent: 'x', headers: signed([secret], 'x'), secrets: secret },
  { what: 'a body that is no event', sent: '{}', headers: signed([secret], '{}'), secrets: secret },
  { what: 'several events', sent: '[1,2]', headers: signed([secret], '[1,2]'), secrets: secret },
]) {
  test(`rejects ${what}`, () =>
    assert.throws(() => verifyWebhook(sent, headers, secrets, options), WebhookVerificationError))
}

test('rejects a body that was parsed, and an empty secret, as errors of the caller', () => {
  assert.throws(() => verifyWebhook(event as never, signed(), secret, options), /not the parsed JSON/)
  assert.throws(() => verifyWebhook(body, signed(), '', options), /The secret is empty/)
  assert.throws(() => verifyWebhook(body, signed(), [], options), /The secret is empty/)
})

for (const missing of [undefined, null, [undefined], 7, {}]) {
  test(`says what a secret may be when it is ${JSON.stringify(missing) ?? 'undefined'}`, () => {
    const verify = () => verifyWebhook(body, signed(), missing as never, options)
    assert.throws(verify, {
      name: 'TypeError',
      message: /^The secret is missing: pass the webhook.secret .* OPERATOR_/,
    })
  })
}

test('says what headers may be when there are none', () => {
  assert.throws(() => verifyWebhook(body, undefined as never, secret, options), /^TypeError: Pass the headers/)
})

const notice = {
  type: 'directory.event_dead',
  timestamp: '2026-03-02T09:30:00.000Z',
  data: {
    directory_id: event.directory_id,
    directory_name: 'Acme',
    tenant: 'acme',
    product: 'crm',
    message: 'Fix it.',
  },
}
const noticeText = JSON.stringify(notice)

test('accepts a notice to the operator, which its type distinguishes from an event', () => {
  const received = verifyWebhook(noticeText, signed([secret], noticeText), secret, options)
  assert.deepEqual(received, notice)
  assert(received.type === 'directory.event_dead')
  assert.equal(received.data.message, 'Fix it.')
  assert.equal(received.event, undefined)
  const otherBatch = () => verifyWebhookBatch(noticeText, signed([secret], noticeText), secret, options)
  assert.throws(otherBatch, { name: 'WebhookVerificationError', message: /notice to the operator: use verifyWebhook/ })
})

const named = (tenant = 'acme') => ({
  ...{ 'rollcall-directory-id': event.directory_id, 'rollcall-tenant': tenant, 'rollcall-product': 'crm' },
})

for (const { what, text, verify } of [
  { what: 'an event', text: body, verify: verifyWebhook },
  { what: 'a notice', text: noticeText, verify: verifyWebhook },
  { what: 'a batch', text: `[${body}]`, verify: verifyWebhookBatch },
]) {
  test(`finds the secret of ${what} by the directory that the headers name, at once or later`, async () => {
    const asked: WebhookDirectory[] = []
    const find = (directory: WebhookDirectory) => {
      asked.push(directory)
      return [otherSecret, secret]
    }
    const headers = { ...named(), ...signed([secret], text) }
    const expected = JSON.parse(text)
    assert.deepEqual(verify(text, headers, find, options), expected)
    const later = verify(text, new Headers(headers), async (directory) => find(directory), options)
    assert(later instanceof Promise)
    assert.deepEqual(await later, expected)
    assert.deepEqual(asked, Array(2).fill({ directoryId: event.directory_id, tenant: 'acme', product: 'crm' }))
  })
}

test('decodes the tenant of the headers', () => {
  const text = JSON.stringify({ ...event, tenant: 'Zoë & Söhne, 100%' })
  const headers = { ...named(encodeURIComponent('Zoë & Söhne, 100%')), ...signed([secret], text) }
  const find = ({ tenant }: WebhookDirectory) => (tenant === 'Zoë & Söhne, 100%' ? secret : undefined)
  assert.equal(verifyWebhook(text, headers, find, options).event, 'user.created')
})

for (const { what, headers, find = () => secret } of [
  { what: 'headers that name no directory', headers: signed() },
  { what: 'a tenant that is not encoded correctly', headers: { ...signed(), ...named('%zz') } },
  { what: 'a directory without a secret', headers: { ...signed(), ...named() }, find: () => undefined },
  { what: 'headers that name another tenant than the body', headers: { ...signed(), ...named('evil') } },
]) {
  test(`rejects ${what}, at once or later`, async () => {
    assert.throws(() => verifyWebhook(body, headers, find, options), WebhookVerificationError)
    const later = async () => verifyWebhook(body, headers, async () => find(), options)
    await assert.rejects(later, WebhookVerificationError)
  })
}

test('reads the events of a batch, and a single event as a batch of one', () => {
  const text = JSON.stringify([event, { ...event, sequence: 8 }])
  const sequences = (sent: string) =>
    verifyWebhookBatch(sent, signed([secret], sent), secret, options).map(({ sequence }) => sequence)
  assert.deepEqual(sequences(text), [7, 8])
  assert.deepEqual(sequences(body), [7])
  assert.throws(() => verifyWebhook(text, signed([secret], text), secret, options), /use verifyWebhookBatch/)
})

test('verifies the older signature in the configured header', () => {
  const older = { ...options, signatureHeader: 'X-Signature' }
  const headers = { 'x-signature': olderSignature({ secret, body, atMs: now }) }
  assert.equal(verifyWebhook(body, headers, [otherSecret, secret], older).sequence, 7)
  for (const [text, sent] of [
    [body, { 'x-signature': olderSignature({ secret: otherSecret, body, atMs: now }) }],
    [body, { 'x-signature': olderSignature({ secret, body, atMs: now - 400_000 }) }],
    [`${body} `, headers],
    [body, signed()],
  ] as const) {
    assert.throws(() => verifyWebhook(text, sent, secret, older), WebhookVerificationError)
  }
})
