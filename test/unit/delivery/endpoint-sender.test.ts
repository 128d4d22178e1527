import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import { createEndpointSender } from '../../../src/delivery/endpoint/sender.ts'
import { eventPayload } from '../../../src/delivery/payload.ts'
import { localEgress } from './support/egress.ts'
import { openReceiver } from './support/receiver.ts'
import { endpointSecret, someDirectory, someEndpoint, someEvent } from './support/samples.ts'

const { signal } = new AbortController()

/** Sends one event to a receiver and returns the received request. */
async function deliver(secret: string, olderSignatureHeaders?: readonly string[]) {
  await using receiver = await openReceiver()
  const client = createEndpointClient({ egress: localEgress })
  const directory = someDirectory({ endpoint: someEndpoint(receiver.url, secret) })
  const send = createEndpointSender({ client, clock: Date.now, version: '1.2.3', olderSignatureHeaders })
  const delivery = await send(directory, [someEvent()], 1, signal)
  await client.close()
  const [request] = receiver.received.items
  assert.ok(request)
  return { delivery, headers: request.headers as Record<string, string>, body: request.body }
}

for (const { name, secret, verifier } of [
  { name: 'a whsec_ secret', secret: endpointSecret, verifier: new Webhook(endpointSecret) },
  { name: 'a plain secret', secret: 'plain secret', verifier: new Webhook('plain secret', { format: 'raw' }) },
]) {
  test(`the endpoint verifies the request with ${name}`, async () => {
    const { delivery, headers, body } = await deliver(secret)
    assert.equal(delivery.kind, 'response')
    assert.equal(body, eventPayload(someEvent(), someDirectory()))
    assert.deepEqual(verifier.verify(body, headers), JSON.parse(body))
    assert.equal(headers['webhook-id'], 'event-1')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], 'Rollcall/1.2.3')
  })
}

test('the older form of the signature is sent in the configured headers', async () => {
  const { headers, body } = await deliver('plain secret', ['X-Older-Signature', 'X-Oldest-Signature'])
  assert.equal(headers['x-oldest-signature'], headers['x-older-signature'])
  const [, atMs, signature] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(headers['x-older-signature'] ?? '') ?? []
  assert.equal(signature, createHmac('sha256', 'plain secret').update(`${atMs}.${body}`).digest('hex'))
})

test('without an endpoint the attempt fails', async () => {
  const client = createEndpointClient({ egress: localEgress })
  const send = createEndpointSender({ client, clock: Date.now, version: '1.2.3' })
  assert.equal((await send(someDirectory({ endpoint: undefined }), [someEvent()], 1, signal)).kind, 'failed')
})
