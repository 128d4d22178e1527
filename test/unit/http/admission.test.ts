import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { admitRequests } from '../../../src/http/admission.ts'
import { JsonStream, sendApiError, TextStream } from '../../../src/http/responses.ts'
import { eventually } from '../../support/eventually.ts'

const megabyte = 1_048_576
/**
 * More than the operating system buffers of a response, and more than the share of a key; two streams of a key may be
 * open.
 */
const long = 'x'.repeat(16 * megabyte)
const largestBody = 28 * megabyte

async function* longChunks() {
  yield long
  yield long
}

/** A server whose responses are long, except those of `/small`; the first letter behind the slash is the key. */
async function startServer(waitMs?: number) {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: largestBody })
  const entered: string[] = []
  /** The closed streams, and the closed responses to requests without a key. */
  const closed: string[] = []
  /** The requests to `/held` and `/page`, which end when these are called. */
  const held = new Map<string, () => void>()
  app.setErrorHandler(sendApiError)
  admitRequests(app, {
    keyOf: ({ url }) => (url.startsWith('/nobody') ? undefined : url.slice(1, 2)),
    largestBody,
    slices: createTimeSlices(),
    ...(waitMs === undefined ? {} : { waitMs }),
  })
  app.get('/:name', async ({ params }, reply) => {
    const { name } = params as { name: string }
    entered.push(name)
    if (name.startsWith('nobody')) reply.raw.once('close', () => closed.push(name))
    return name.endsWith('small') ? 'small' : long
  })
  app.get('/:name/stream', async ({ params }, reply) => {
    const { name } = params as { name: string }
    entered.push(name)
    reply.raw.once('close', () => closed.push(name))
    return reply.header('content-type', 'text/event-stream').send(new TextStream(longChunks()))
  })
  app.get('/:name/pieces', async ({ params }) => {
    entered.push((params as { name: string }).name)
    return new JsonStream(longChunks())
  })
  app.addContentTypeParser('text/xml', { parseAs: 'buffer' }, async (_request: unknown, content: Buffer) => content)
  const enterAndWait = async (params: unknown) => {
    const { name } = params as { name: string }
    entered.push(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.set(name, resolve)
    await promise
  }
  app.post('/:name/held', async ({ params, body }) => {
    await enterAndWait(params)
    return `${(body as Buffer).length}`
  })
  app.get('/:name/page', async ({ params }) => {
    await enterAndWait(params)
    return []
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  /** Sends a request whose response is not read. */
  const send = (
    path: string,
    options: { readonly body?: Buffer; readonly isChunked?: boolean } = {},
  ): { request: ClientRequest; response: Promise<IncomingMessage> } => {
    const { body, isChunked = false } = options
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'text/xml' }),
      ...(body === undefined || isChunked ? {} : { 'content-length': body.length }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const request = httpRequest({ port, host: '127.0.0.1', path: `/${path}`, method, headers, agent: false })
    const response = once(request, 'response').then(([one]) => (one as IncomingMessage).on('error', () => {}))
    response.catch(() => {})
    request.on('error', () => {})
    request.end(body)
    return { request, response }
  }
  return {
    entered,
    closed,
    port,
    send,
    hasEntered: (name: string) => eventually(`${name} to enter`, () => entered.includes(name)),
    async answer(name: string): Promise<void> {
      await eventually(`${name} to enter`, () => held.has(name))
      held.get(name)?.()
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('a request waits until its key has read earlier responses, while requests of others run', async () => {
  await using server = await startServer()
  const response = await server.send('a1').response
  server.send('a2-small')
  await server.send('b-small').response
  assert.deepEqual(server.entered, ['a1', 'b-small'])
  response.resume()
  await server.hasEntered('a2-small')
})

test('a piece of a response that is longer than expected counts by its actual length', async () => {
  await using server = await startServer()
  const response = await server.send('a1/pieces').response
  server.send('a2-small')
  await server.send('b-small').response
  assert.deepEqual(server.entered, ['a1', 'b-small'])
  response.resume()
  await server.hasEntered('a2-small')
})

test('of the unread responses to requests without a key, the one that is unread for the longest is closed', async () => {
  await using server = await startServer()
  await server.send('nobody-1').response
  const second = await server.send('nobody-2').response
  await eventually('the first one to be closed', () => server.closed.includes('nobody-1'))
  await server.send('nobody-small').response
  assert.equal((await text(second)).length, long.length)
  assert.deepEqual(server.closed.sort(), ['nobody-1', 'nobody-2', 'nobody-small'])
})

test('the body of a request that is read, but not its body, does not wait for the response to be read', async () => {
  await using server = await startServer()
  const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${16 * megabyte}\r\n\r\n`)
  // The server takes all of it, although it can send only a part of the response.
  await new Promise((resolve) => socket.write(Buffer.alloc(16 * megabyte), resolve))
  socket.destroy()
})

test('a client that disconnects frees its share', async () => {
  await using server = await startServer()
  const first = server.send('a1')
  await first.response
  const waiting = server.send('a2')
  server.send('a3-small')
  waiting.request.destroy()
  first.request.destroy()
  await server.hasEntered('a3-small')
  assert.ok(!server.entered.includes('a2'))
})

test('the responses to pipelined requests of a disconnected client are not counted', async () => {
  await using server = await startServer()
  for (const names of [
    ['a1', 'a2'],
    ['a3', 'a4'],
  ]) {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    await server.hasEntered(names[1] ?? '')
    socket.destroy()
  }
  const { statusCode } = await server.send('a5-small').response
  assert.equal(statusCode, 200)
})

test('a request that waits too long is answered with 503 and Retry-After', async () => {
  await using server = await startServer(1)
  await server.send('a1').response
  const { statusCode, headers } = await server.send('a2').response
  assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
  assert.equal((await server.send('b-small').response).statusCode, 200)
})

test('a request is rejected at once when too many of its key wait', async () => {
  await using server = await startServer()
  await server.send('a1').response
  const sent = Array.from({ length: 129 }, (_, index) => server.send(`a-small?${index}`))
  const { statusCode, headers } = await Promise.race(sent.map(({ response }) => response))
  assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
  for (const { request } of sent) request.destroy()
})

test('unread streams of events do not delay other requests of their key', async () => {
  await using server = await startServer()
  for (const path of ['a1/stream', 'a2/stream']) await server.send(path).response
  await server.send('a3-small').response
  assert.equal(server.entered.length, 3)
})

test('a stream of events is closed when the streams of its key hold too much unread data', async () => {
  await using server = await startServer()
  for (const path of ['a1/stream', 'a2/stream', 'b1/stream']) await server.send(path).response
  server.send('a3/stream')
  await eventually('a stream to be closed', () => server.closed.length > 0)
  assert.deepEqual(server.closed, ['a3'])
})

test('a second large body of a key waits for the first, while small ones and those of other keys do not', async () => {
  await using server = await startServer()
  const [large, small] = [Buffer.alloc(largestBody, 'x'), Buffer.alloc(65_536, 'x')]
  server.send('a1/held', { body: large })
  await server.hasEntered('a1')
  server.send('a2/held', { body: small })
  server.send('b1/held', { body: small })
  await server.hasEntered('a2')
  await server.hasEntered('b1')
  const waiting = server.send('a3/held', { body: large, isChunked: true })
  server.send('b2/held', { body: small })
  await server.hasEntered('b2')
  assert.ok(!server.entered.includes('a3'))
  await server.answer('a1')
  await server.answer('a3')
  const { statusCode } = await waiting.response
  assert.equal(statusCode, 200)
})

test('a page of 64 resources or more counts half a megabyte until it is made', async () => {
  await using server = await startServer()
  // As many as the largest body and one page have room for, and one more.
  const names = Array.from({ length: 2 * (largestBody / megabyte) + 2 }, (_, n) => `a${n}`)
  for (const name of names) server.send(`${name}/page?pageLimit=64`)
  await eventually('all but one to enter', () => server.entered.length >= names.length - 1)
  await server.send('b-small').response
  assert.equal(server.entered.length, names.length)
  const [first = ''] = server.entered
  await server.answer(first)
  await eventually('the last one to enter', () => server.entered.length === names.length + 1)
})

test('a body that is too large is rejected without waiting', async () => {
  await using server = await startServer()
  server.send('a1/held', { body: Buffer.alloc(largestBody, 'x') })
  await server.hasEntered('a1')
  const { response } = server.send('a2/held', { body: Buffer.alloc(largestBody + 1, 'x') })
  assert.equal((await response).statusCode, 413)
})

test('requests whose clients disconnect while they are authorized do not count afterwards', async () => {
  const app = Fastify({ forceCloseConnections: true })
  const { promise: authorized, resolve: authorize } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  let [arrived, gone] = [0, 0]
  app.addHook('onRequest', async ({ method, raw }) => {
    if (method !== 'POST') return
    arrived += 1
    raw.socket.once('close', () => {
      gone += 1
    })
    await authorized
  })
  admitRequests(app, { keyOf: () => 'a', largestBody, slices: createTimeSlices(), waitMs: 1 })
  app.post('/', async () => 'read')
  app.get('/:id', async () => 'small')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // As many as may be processed at a time.
  for (let n = 0; n < 64; n += 1) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
    sockets.push(socket)
  }
  await eventually('the requests to arrive', () => arrived === 64)
  for (const socket of sockets) socket.resetAndDestroy()
  await eventually('the server to notice', () => gone === 64)
  authorize()
  await eventually('another request to be processed', async () => (await app.inject('/1')).statusCode === 200)
  await app.close()
})
