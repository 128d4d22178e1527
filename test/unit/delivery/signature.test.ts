import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  newEndpointSecret,
  olderSignature,
  signatureHeaders,
  signingSecrets,
} from '../../../src/delivery/endpoint/signature.ts'
import { endpointSecret } from './support/samples.ts'

const plainSecret = 'a plain secret of the product'
const body = '{"name":"Zoë"}'
/** A consumer accepts a signature for five minutes: it is made by the test, which may run long after the file is loaded. */
const now = () => Math.floor(Date.now() / 1000)

for (const { name, secrets, verifier } of [
  { name: 'a whsec_ secret', secrets: [endpointSecret], verifier: new Webhook(endpointSecret) },
  { name: 'a plain secret', secrets: [plainSecret], verifier: new Webhook(plainSecret, { format: 'raw' }) },
  {
    name: 'the old secret during a rotation',
    secrets: [endpointSecret, plainSecret],
    verifier: new Webhook(plainSecret, { format: 'raw' }),
  },
  {
    name: 'the new secret during a rotation',
    secrets: [endpointSecret, plainSecret],
    verifier: new Webhook(endpointSecret),
  },
]) {
  test(`a consumer verifies with ${name}`, () => {
    const headers = signatureHeaders({ id: 'event-1', timestamp: now(), body, secrets })
    assert.deepEqual(verifier.verify(body, headers), { name: 'Zoë' })
  })
}

test('a consumer rejects a different body and a different secret', () => {
  const headers = signatureHeaders({ id: 'event-1', timestamp: now(), body, secrets: [endpointSecret] })
  assert.throws(() => new Webhook(endpointSecret).verify('{"name":"Eve"}', headers))
  assert.throws(() => new Webhook(newEndpointSecret()).verify(body, headers))
})

test('there is one signature per secret, separated by a space', () => {
  const timestamp = now()
  const headers = signatureHeaders({ id: 'event-1', timestamp, body, secrets: [endpointSecret, plainSecret] })
  assert.match(headers['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  assert.equal(headers['webhook-id'], 'event-1')
  assert.equal(headers['webhook-timestamp'], String(timestamp))
})

test('a new secret has 24 random bytes and works with the verifier', () => {
  const [first, second] = [newEndpointSecret(), newEndpointSecret()]
  assert.match(first, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.notEqual(first, second)
  const headers = signatureHeaders({ id: 'event-1', timestamp: now(), body, secrets: [first] })
  assert.deepEqual(new Webhook(first).verify(body, headers), { name: 'Zoë' })
})

test('the older form signs time and body with the whole secret', () => {
  const expected = createHmac('sha256', endpointSecret).update(`1700000000123.${body}`).digest('hex')
  assert.equal(
    olderSignature({ secret: endpointSecret, body, atMs: 1_700_000_000_123 }),
    `t=1700000000123,s=${expected}`,
  )
})

const url = 'https://acme.example/events'
const previousSecret = { secret: 'old', expiresAt: 1_000 }

for (const { when, previous, nowMs, secrets } of [
  { when: 'without a rotation', previous: undefined, nowMs: 0, secrets: ['new'] },
  { when: 'within the grace period of a rotation', previous: previousSecret, nowMs: 999, secrets: ['new', 'old'] },
  { when: 'at the end of the grace period', previous: previousSecret, nowMs: 1_000, secrets: ['new'] },
]) {
  test(`${when} events are signed with ${secrets.join(' and ')}`, () => {
    assert.deepEqual(signingSecrets({ url, secret: 'new', previousSecret: previous }, nowMs), secrets)
  })
}
