import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import test from 'node:test'
import type { EndpointClientOptions } from '../../../src/delivery/endpoint/client.ts'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import type { Lookup } from '../../../src/delivery/endpoint/guarded-connector.ts'
import type { AttemptResult } from '../../../src/delivery/policy.ts'
import { openReceiver } from './support/receiver.ts'

function openClient(options: EndpointClientOptions = {}) {
  const client = createEndpointClient(options)
  return { ...client, [Symbol.asyncDispose]: client.close }
}

/** A resolver that gives these addresses, one list per look-up; the last one for ever. */
function resolverOf(...answers: string[][]): Lookup {
  let asked = 0
  return (_hostname, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

function reasonOf(delivery: AttemptResult): string {
  return delivery.kind === 'failed' ? delivery.reason : `answered ${delivery.status}`
}

for (const { status, headers, retryAfter } of [
  { status: 200, headers: {}, retryAfter: null },
  { status: 204, headers: {}, retryAfter: null },
  { status: 302, headers: { location: '/elsewhere' }, retryAfter: null },
  { status: 410, headers: {}, retryAfter: null },
  { status: 503, headers: { 'retry-after': '7' }, retryAfter: '7' },
]) {
  test(`an answer ${status} is told as it came, and nothing else is asked`, async () => {
    await using receiver = await openReceiver((response) => response.writeHead(status, headers).end())
    await using client = openClient()
    const delivery = await client.post(receiver.url, { 'x-test': 'yes' }, '{"a":"é"}')
    assert.deepEqual({ ...delivery, latencyMs: 0 }, { kind: 'answered', status, retryAfter, body: '', latencyMs: 0 })
    assert.equal(receiver.received.items.length, 1)
    const [request] = receiver.received.items
    assert.equal(request?.url, '/events')
    assert.equal(request?.body, '{"a":"é"}')
    assert.equal(request?.headers['x-test'], 'yes')
    assert.equal(request?.headers['content-length'], '10')
  })
}

test('requests that follow each other share a connection', async () => {
  await using receiver = await openReceiver((response) => response.end('x'.repeat(60_000)))
  await using client = openClient()
  for (let i = 0; i < 5; i += 1) await client.post(receiver.url, {}, '{}')
  assert.equal(receiver.countConnections(), 1)
})

for (const { what, sent, kept } of [
  { what: 'short', sent: ['{"error":', '"é"}'], kept: '{"error":"é"}' },
  { what: 'long', sent: ['x'.repeat(2_000), 'y'.repeat(2_000)], kept: 'x'.repeat(2_000) + 'y'.repeat(48) },
  { what: 'cut within a character', sent: ['x'.repeat(2_047), 'é'], kept: 'x'.repeat(2_047) },
  { what: 'not text', sent: [Buffer.from([0xff, 0x00, 0x41])], kept: '\u{FFFD}\0A' },
]) {
  test(`the beginning of an answer is kept as text: one that is ${what}`, async () => {
    await using receiver = await openReceiver((response) => {
      response.writeHead(400)
      for (const part of sent) response.write(part)
      response.end()
    })
    await using client = openClient()
    const delivery = await client.post(receiver.url, {}, '{}')
    assert.equal(delivery.kind === 'answered' && delivery.body, kept)
  })
}

test('an early hint is not the answer', async () => {
  await using receiver = await openReceiver((response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(201).end())
  })
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'answered 201')
})

test('an answer without an end is cut off, and its status counts', async () => {
  await using receiver = await openReceiver((response) => {
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  })
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'answered 200')
})

test('an endpoint that does not answer is given up, and so is one whose answer does not end', async () => {
  await using silent = await openReceiver(() => {})
  await using endless = await openReceiver((response) => response.writeHead(200).write('x'))
  await using client = openClient({ timeoutMs: 30 })
  assert.equal(reasonOf(await client.post(silent.url, {}, '{}')), 'no answer within 30 ms')
  assert.equal(reasonOf(await client.post(endless.url, {}, '{}')), 'answered 200')
})

test('the time limit includes the look-up', async () => {
  await using client = openClient({ timeoutMs: 30, lookup: () => {} })
  const delivery = await client.post('http://endpoint.example/', {}, '{}')
  assert.equal(reasonOf(delivery), 'no answer within 30 ms')
  assert.ok(delivery.latencyMs >= 25)
})

test('a request that was given up while its connection opened is never sent', async () => {
  await using receiver = await openReceiver()
  const lookup = Promise.withResolvers<() => void>()
  await using client = openClient({
    timeoutMs: 20,
    lookup: (_hostname, _options, callback) =>
      lookup.resolve(() => callback(null, [{ address: '127.0.0.1', family: 4 }])),
  })
  const url = `http://endpoint.example:${receiver.port}/`
  assert.equal(reasonOf(await client.post(url, {}, 'first')), 'no answer within 20 ms')
  const answerLookup = await lookup.promise
  answerLookup()
  await client.post(receiver.url, {}, 'second')
  assert.deepEqual(
    receiver.received.items.map(({ body }) => body),
    ['second'],
  )
})

test('a signal gives up a request in flight', async () => {
  await using receiver = await openReceiver(() => {})
  await using client = openClient()
  const stop = new AbortController()
  const delivery = client.post(receiver.url, {}, '{}', stop.signal)
  await receiver.received.until(1)
  stop.abort()
  assert.equal(reasonOf(await delivery), 'given up because the service stops')
})

test('what cannot be sent is a failed delivery with its reason', async () => {
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

test('an endpoint that hangs up is a failed delivery, and the next one goes through', async () => {
  let requests = 0
  await using receiver = await openReceiver((response) => {
    requests += 1
    if (requests === 1) response.destroy()
    else response.end()
  })
  await using client = openClient()
  assert.equal((await client.post(receiver.url, {}, '{}')).kind, 'failed')
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'answered 200')
})

test('user and password in the URL become basic authentication', async () => {
  await using receiver = await openReceiver()
  await using client = openClient()
  await client.post(`http://rollcall:p%40ss@127.0.0.1:${receiver.port}/a?b=c`, {}, '{}')
  const [request] = receiver.received.items
  assert.equal(request?.url, '/a?b=c')
  assert.equal(request?.headers.authorization, `Basic ${Buffer.from('rollcall:p@ss').toString('base64')}`)
})

for (const { host, blockPrivate } of [
  { host: '169.254.169.254', blockPrivate: false },
  { host: '[fd00:ec2::254]', blockPrivate: false },
  { host: '[fe80::1]', blockPrivate: false },
  { host: '0.0.0.0', blockPrivate: false },
  { host: '[::ffff:169.254.169.254]', blockPrivate: false },
  { host: '169.254.169.254.', blockPrivate: false },
  { host: '2852039166', blockPrivate: false },
  { host: '0xa9fea9fe', blockPrivate: false },
  { host: '0251.0376.0251.0376', blockPrivate: false },
  { host: '0xa9.254.43518', blockPrivate: false },
  { host: '①⑥⑨.②⑤④.①⑥⑨.②⑤④', blockPrivate: false },
  { host: '0', blockPrivate: false },
  { host: '100.100.100.200', blockPrivate: false },
  { host: '[::]', blockPrivate: false },
  { host: '[64:ff9b::a9fe:a9fe]', blockPrivate: false },
  { host: '127.0.0.1', blockPrivate: true },
  { host: '127.1', blockPrivate: true },
  { host: '0x7f000001', blockPrivate: true },
  { host: '[::1]', blockPrivate: true },
  { host: '[::ffff:127.0.0.1]', blockPrivate: true },
  { host: '10.0.0.1', blockPrivate: true },
  { host: '192.168.1.1', blockPrivate: true },
  { host: '[fd12:3456::1]', blockPrivate: true },
]) {
  for (const scheme of ['http', 'https']) {
    test(`${scheme}://${host}/ is refused${blockPrivate ? ' when private addresses are' : ''}`, async () => {
      await using client = openClient({ blockPrivate })
      assert.match(reasonOf(await client.post(`${scheme}://${host}/`, {}, '{}')), /must not be sent to/)
    })
  }
}

for (const { addresses, blockPrivate } of [
  { addresses: ['169.254.169.254'], blockPrivate: false },
  { addresses: ['fe80::1', '0.0.0.0'], blockPrivate: false },
  { addresses: ['127.0.0.1', '::1'], blockPrivate: true },
]) {
  test(`a name that leads to ${addresses.join(' and ')} is refused`, async () => {
    await using receiver = await openReceiver()
    await using client = openClient({ blockPrivate, lookup: resolverOf(addresses) })
    const delivery = await client.post(`http://endpoint.example:${receiver.port}/`, {}, '{}')
    assert.equal(reasonOf(delivery), 'endpoint.example is at an address that events must not be sent to')
    assert.equal(receiver.countConnections(), 0)
  })
}

test('of several addresses only the allowed ones are tried', async () => {
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: resolverOf(['169.254.169.254', '127.0.0.1']) })
  const delivery = await client.post(`http://endpoint.example:${receiver.port}/`, {}, '{}')
  assert.equal(reasonOf(delivery), 'answered 200')
})

test('a name is checked again for every connection', async () => {
  await using receiver = await openReceiver((response) => response.setHeader('connection', 'close').end())
  await using client = openClient({ lookup: resolverOf(['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  assert.equal(reasonOf(await client.post(url, {}, '{}')), 'answered 200')
  assert.match(reasonOf(await client.post(url, {}, '{}')), /must not be sent to/)
})

test('a connection that is kept stays with the address that was checked, wherever the name leads meanwhile', async () => {
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: resolverOf(['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  for (let i = 0; i < 3; i += 1) assert.equal(reasonOf(await client.post(url, {}, '{}')), 'answered 200')
  assert.equal(receiver.countConnections(), 1)
})

test('a name is looked up and checked again after a minute, though its connection is kept', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await using receiver = await openReceiver()
  await using client = openClient({ lookup: resolverOf(['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']) })
  const url = `http://endpoint.example:${receiver.port}/`
  const reasons: string[] = []
  for (let minute = 0; minute < 3; minute += 1) {
    reasons.push(reasonOf(await client.post(url, {}, '{}')))
    t.mock.timers.tick(61_000)
  }
  assert.deepEqual(reasons.slice(0, 2), ['answered 200', 'answered 200'])
  assert.match(reasons[2] ?? '', /must not be sent to/)
  assert.equal(receiver.countConnections(), 2)
})

test('a connection that is kept for one name is not used for another that leads to the same address', async () => {
  await using receiver = await openReceiver()
  const asked: string[] = []
  const lookup: Lookup = (hostname, _options, callback) => {
    asked.push(hostname)
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  await using client = openClient({ lookup })
  for (const name of ['one.example', 'two.example']) await client.post(`http://${name}:${receiver.port}/`, {}, '{}')
  assert.deepEqual(asked, ['one.example', 'two.example'])
  assert.equal(receiver.countConnections(), 2)
})

test('where a redirect leads is never asked', async () => {
  await using elsewhere = await openReceiver()
  await using receiver = await openReceiver((response) => response.writeHead(307, { location: elsewhere.url }).end())
  await using client = openClient()
  assert.equal(reasonOf(await client.post(receiver.url, {}, '{}')), 'answered 307')
  assert.equal(elsewhere.countConnections(), 0)
})
