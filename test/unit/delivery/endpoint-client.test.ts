import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer } from 'node:net'
import test from 'node:test'
import type { Dispatcher } from 'undici'
import type { AttemptResult } from '../../../src/delivery/attempt.ts'
import type { EndpointClientOptions } from '../../../src/delivery/endpoint/client.ts'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import { createResponseHandler } from '../../../src/delivery/endpoint/response-handler.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { localEgress, publicEgress } from './support/egress.ts'
import { openReceiver } from './support/receiver.ts'

function openClient(options: Partial<EndpointClientOptions> = {}) {
  const client = createEndpointClient({ egress: localEgress, ...options })
  return { ...client, [Symbol.asyncDispose]: client.close }
}

/** A lookup that returns one list of addresses per call, and the last list from then on. */
function lookupReturning(...results: string[][]): LookupFunction {
  let calls = 0
  return (_hostname, _options, callback) => {
    const addresses = results[Math.min(calls, results.length - 1)] ?? []
    calls += 1
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

function reasonOf(result: AttemptResult): string {
  return result.kind === 'failed' ? result.reason : `status ${result.status}`
}

for (const { status, headers, retryAfter } of [
  { status: 200, headers: {}, retryAfter: null },
  { status: 204, headers: {}, retryAfter: null },
  { status: 302, headers: { location: '/elsewhere' }, retryAfter: null },
  { status: 410, headers: {}, retryAfter: null },
  { status: 503, headers: { 'retry-after': '7' }, retryAfter: '7' },
]) {
  test(`a response with status ${status} is returned as it is, after a single request`, async () => {
    await using receiver = await openReceiver((response) => response.writeHead(status, headers).end())
    await using client = openClient()
    const result = await client.post(receiver.url, { 'x-test': 'yes' }, '{"a":"é"}')
    assert.deepEqual({ ...result, latencyMs: 0 }, { kind: 'response', status, retryAfter, body: '', latencyMs: 0 })
    assert.equal(receiver.received.items.length, 1)
    const [request] = receiver.received.items
    assert.equal(request?.url, '/events')
    assert.equal(request?.body, '{"a":"é"}')
    assert.equal(request?.headers['x-test'], 'yes')
    assert.equal(request?.headers['content-length'], '10')
  })
}

test('consecutive requests share a connection', async () => {
  await using receiver = await openReceiver((response) => response.end('x'.repeat(60_000)))
  await using client = openClient()
  for (let i = 0; i < 5; i += 1) await client.post(receiver.url, {}, '{}')
  assert.equal(receiver.countConnections(), 1)
})

for (const { what, sent, kept } of [
  { what: 'a short one', sent: ['{"error":', '"é"}'], kept: '{"error":"é"}' },
  { what: 'a long one', sent: ['x'.repeat(2_000), 'y'.repeat(2_000)], kept: 'x'.repeat(2_000) + 'y'.repeat(48) },
  { what: 'one cut within a character', sent: ['x'.repeat(2_047), 'é'], kept: 'x'.repeat(2_047) },
  { what: 'one that is not text', sent: [Buffer.from([0xff, 0x00, 0x41])], kept: '\u{FFFD}\0A' },
]) {
  test(`the beginning of a response body is kept as text: ${what}`, async () => {
    await using receiver = await openReceiver((response) => {
      response.writeHead(400)
      for (const part of sent) response.write(part)
      response.end()
    })
    await using client = openClient()
    const result = await client.post(receiver.url, {}, '{}')
    assert.equal(result.kind === 'response' && result.body, kept)
  })
}

test('an early hint is not the response', async () => {
  await using receiver = await openReceiver((response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(201).end())
  })
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'status 201')
})

test('an endless response is cut off, and its status counts', async () => {
  await using receiver = await openReceiver((response) => {
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  })
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'status 200')
})

test('an endpoint that does not respond times out', async () => {
  await using receiver = await openReceiver(() => {})
  const { schedule, advance } = createManualTime()
  await using client = openClient({ timeoutMs: 15_000, schedule })
  const result = client.post(receiver.url, {}, '{}')
  await receiver.received.until(1)
  advance(15_000)
  assert.equal(reasonOf(await result), 'no response within 15000 ms')
})

test('a response whose body does not end counts by its status when the attempt times out', () => {
  const results: unknown[] = []
  const { handler, abort } = createResponseHandler(65_536, (result) => results.push(result))
  const aborted: Error[] = []
  const controller = { abort: (error: Error) => aborted.push(error) } as unknown as Dispatcher.DispatchController
  handler.onRequestStart?.(controller, undefined)
  handler.onResponseStart?.(controller, 200, {}, 'OK')
  handler.onResponseData?.(controller, Buffer.from('x'))
  abort(new Error('timeout'))
  assert.deepEqual(results, [{ status: 200, retryAfter: null, body: 'x' }])
  assert.equal(aborted.length, 1)
})

test('the timeout includes the lookup', async () => {
  const { schedule, advance } = createManualTime()
  await using client = openClient({ timeoutMs: 15_000, schedule, lookup: () => {} })
  const result = client.post('http://endpoint.example/', {}, '{}')
  advance(15_000)
  assert.equal(reasonOf(await result), 'no response within 15000 ms')
})

test('a request that times out while its connection opens is never sent', async () => {
  await using receiver = await openReceiver()
  const { schedule, advance } = createManualTime()
  const lookup = Promise.withResolvers<() => void>()
  await using client = openClient({
    timeoutMs: 15_000,
    schedule,
    lookup: (_hostname, _options, callback) =>
      lookup.resolve(() => callback(null, [{ address: '127.0.0.1', family: 4 }])),
  })
  const first = client.post(`http://endpoint.example:${receiver.port}/`, {}, 'first')
  const completeLookup = await lookup.promise
  advance(15_000)
  assert.equal(reasonOf(await first), 'no response within 15000 ms')
  completeLookup()
  await client.post(receiver.url, {}, 'second')
  assert.deepEqual(
    receiver.received.items.map(({ body }) => body),
    ['second'],
  )
})

test('a signal aborts a request in flight', async () => {
  await using receiver = await openReceiver(() => {})
  await using client = openClient()
  const stop = new AbortController()
  const delivery = client.post(receiver.url, {}, '{}', stop.signal)
  await receiver.received.until(1)
  stop.abort()
  assert.equal(reasonOf(await delivery), 'canceled because the service is shutting down')
})

test('a request that cannot be sent is a failed attempt with a reason', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await using client = openClient()
  assert.match(reasonOf(await client.post(`http://127.0.0.1:${port}/`, {}, '{}')), /ECONNREFUSED/)
  assert.match(reasonOf(await client.post('not a URL', {}, '{}')), /Invalid URL/)
  assert.match(reasonOf(await client.post('ftp://127.0.0.1/', {}, '{}')), /protocol/i)
  assert.match(reasonOf(await client.post('http://127.0.0.1/', { 'bad name': 'x' }, '{}')), /header/)
})

test('a closed connection is a failed attempt, and the next attempt succeeds', async () => {
  let requests = 0
  await using receiver = await openReceiver((response) => {
    requests += 1
    if (requests === 1) response.destroy()
    else response.end()
  })
  await using client = openClient()
  assert.equal((await client.post(receiver.url, {}, '{}')).kind, 'failed')
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'status 200')
})

test('credentials in the URL are sent as basic authentication', async () => {
  await using receiver = await openReceiver()
  await using client = openClient()
  await client.post(`http://rollcall:p%40ss@127.0.0.1:${receiver.port}/a?b=c`, {}, '{}')
  const [request] = receiver.received.items
  assert.equal(request?.url, '/a?b=c')
  assert.equal(request?.headers.authorization, `Basic ${Buffer.from('rollcall:p@ss').toString('base64')}`)
})

for (const { host, egress } of [
  { host: '169.254.169.254', egress: localEgress },
  { host: '[fd00:ec2::254]', egress: localEgress },
  { host: '[fe80::1]', egress: localEgress },
  { host: '0.0.0.0', egress: localEgress },
  { host: '[::ffff:169.254.169.254]', egress: localEgress },
  { host: '169.254.169.254.', egress: localEgress },
  { host: '2852039166', egress: localEgress },
  { host: '0xa9fea9fe', egress: localEgress },
  { host: '0251.0376.0251.0376', egress: localEgress },
  { host: '0xa9.254.43518', egress: localEgress },
  { host: '①⑥⑨.②⑤④.①⑥⑨.②⑤④', egress: localEgress },
  { host: '0', egress: localEgress },
  { host: '100.100.100.200', egress: localEgress },
  { host: '[::]', egress: localEgress },
  { host: '[64:ff9b::a9fe:a9fe]', egress: localEgress },
  { host: '127.0.0.1', egress: publicEgress },
  { host: '127.1', egress: publicEgress },
  { host: '0x7f000001', egress: publicEgress },
  { host: '[::1]', egress: publicEgress },
  { host: '[::ffff:127.0.0.1]', egress: publicEgress },
  { host: '10.0.0.1', egress: publicEgress },
  { host: '192.168.1.1', egress: publicEgress },
  { host: '[fd12:3456::1]', egress: publicEgress },
]) {
  for (const scheme of ['http', 'https']) {
    test(`${scheme}://${host}/ is blocked${egress === localEgress ? ', even where loopback addresses are allowed' : ''}`, async () => {
      await using client = openClient({ egress })
      assert.match(reasonOf(await client.post(`${scheme}://${host}/`, {}, '{}')), /must not be sent to/)
    })
  }
}

for (const { addresses, egress } of [
  { addresses: ['169.254.169.254'], egress: localEgress },
  { addresses: ['fe80::1', '0.0.0.0'], egress: localEgress },
  { addresses: ['127.0.0.1', '::1'], egress: publicEgress },
]) {
  test(`a host name that resolves to ${addresses.join(' and ')} is blocked`, async () => {
    await using receiver = await openReceiver()
    await using client = openClient({ egress, lookup: lookupReturning(addresses) })
    const result = await client.post(`http://endpoint.example:${receiver.port}/`, {}, '{}')
    assert.equal(reasonOf(result), 'endpoint.example has an address that requests must not be sent to')
    assert.equal(receiver.countConnections(), 0)
  })
}

test('only the allowed addresses of a host name are used', async () => {
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: lookupReturning(['169.254.169.254', '127.0.0.1']) })
  const result = await client.post(`http://endpoint.example:${receiver.port}/`, {}, '{}')
  assert.equal(reasonOf(result), 'status 200')
})

test('a host name is checked for every connection', async () => {
  await using receiver = await openReceiver((response) => response.setHeader('connection', 'close').end())
  await using client = openClient({ lookup: lookupReturning(['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  assert.equal(reasonOf(await client.post(url, {}, '{}')), 'status 200')
  assert.match(reasonOf(await client.post(url, {}, '{}')), /must not be sent to/)
})

test('a kept connection stays with its checked address when the host name resolves to another one', async () => {
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: lookupReturning(['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  for (let i = 0; i < 3; i += 1) assert.equal(reasonOf(await client.post(url, {}, '{}')), 'status 200')
  assert.equal(receiver.countConnections(), 1)
})

test('a host name is looked up and checked again after a minute, even if its connection is in use', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: lookupReturning(['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  const reasons: string[] = []
  for (let minute = 0; minute < 3; minute += 1) {
    reasons.push(reasonOf(await client.post(url, {}, '{}')))
    t.mock.timers.tick(61_000)
  }
  assert.deepEqual(reasons.slice(0, 2), ['status 200', 'status 200'])
  assert.match(reasons[2] ?? '', /must not be sent to/)
  assert.equal(receiver.countConnections(), 2)
})

test('a kept connection is not used for another host name with the same address', async () => {
  await using receiver = await openReceiver()
  const hostnames: string[] = []
  const lookup: LookupFunction = (hostname, _options, callback) => {
    hostnames.push(hostname)
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  await using client = openClient({ lookup })
  for (const name of ['one.example', 'two.example']) await client.post(`http://${name}:${receiver.port}/`, {}, '{}')
  assert.deepEqual(hostnames, ['one.example', 'two.example'])
  assert.equal(receiver.countConnections(), 2)
})

test('redirects are not followed', async () => {
  await using elsewhere = await openReceiver()
  await using receiver = await openReceiver((response) => response.writeHead(307, { location: elsewhere.url }).end())
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'status 307')
  assert.equal(elsewhere.countConnections(), 0)
})
