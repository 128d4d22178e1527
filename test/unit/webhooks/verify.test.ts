import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEndpointSecret, olderSignature, signatureHeaders } from '../../../src/delivery/endpoint/signature.ts'
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

test('reads the events of a batch, and a single event as a batch of one', () => {
  const text = JSON.stringify([event, { ...event, sequence: 8 }])
  const sequences = (sent: string) =>
    verifyWebhookBatch(sent, signed([secret], sent), secret, options).map(({ sequence }) => sequence)
  assert.deepEqual(sequences(text), [7, 8])
  assert.deepEqual(sequences(body), [7])
  assert.throws(() => verifyWebhook(text, signed([secret], text), secret, options), /use verifyWebhookBatch/)
})

test('verifies the older signature in the header that is named', () => {
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
