import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { limitRequests } from '../../../src/http/limit-requests.ts'
import { sendApiError, TextStream } from '../../../src/http/responses.ts'
import { eventually } from '../../support/eventually.ts'

const megabyte = 1_048_576
/** More than the operating system holds of a response. */
const long = 'x'.repeat(16 * megabyte)
const limits = {
  perKey: 20 * megabyte,
  waiting: 2,
  waitAbove: 36 * megabyte,
  closeOldAbove: 50 * megabyte,
  graceMs: -1,
  closeAnyAbove: 99 * megabyte,
}

async function* longChunks() {
  yield long
  yield long
}

/** A server whose responses are long, except those of `/small`; the first letter behind the slash is the key. */
async function startServer(waitMs?: number) {
  const app = Fastify({ forceCloseConnections: true })
  const entered: string[] = []
  /** The streams that were closed. */
  const closed: string[] = []
  app.setErrorHandler(sendApiError)
  limitRequests(app, {
    keyOf: ({ url }) => url.slice(1, 2),
    slices: createTimeSlices(),
    limits,
    ...(waitMs === undefined ? {} : { waitMs }),
  })
  app.get('/:name', async ({ params }) => {
    const { name } = params as { name: string }
    entered.push(name)
    return name.endsWith('small') ? 'small' : long
  })
  app.get('/:name/stream', async ({ params }, reply) => {
    const { name } = params as { name: string }
    entered.push(name)
    reply.raw.once('close', () => closed.push(name))
    return reply.header('content-type', 'text/event-stream').send(new TextStream(longChunks()))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  /** Sends a request whose response is not read. */
  const send = (path: string): { request: ClientRequest; response: Promise<IncomingMessage> } => {
    const request = httpRequest({ port, host: '127.0.0.1', path: `/${path}`, agent: false })
    const response = once(request, 'response').then(([one]) => (one as IncomingMessage).on('error', () => {}))
    response.catch(() => {})
    request.on('error', () => {})
    request.end()
    return { request, response }
  }
  return {
    entered,
    closed,
    port,
    send,
    hasEntered: (name: string) => eventually(`${name} to enter`, () => entered.includes(name)),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('a request waits until its key has read earlier responses, while requests of others run', async () => {
  await using server = await startServer()
  const [first, second] = [server.send('a1'), server.send('a2')]
  const response = await first.response
  await second.response
  server.send('a3-small')
  await server.send('b-small').response
  assert.deepEqual(server.entered, ['a1', 'a2', 'b-small'])
  response.resume()
  await server.hasEntered('a3-small')
})

test('a client that goes gives its share back', async () => {
  await using server = await startServer()
  const [first, second] = [server.send('a1'), server.send('a2')]
  await Promise.all([first.response, second.response])
  const waiting = server.send('a3')
  server.send('a4-small')
  waiting.request.destroy()
  first.request.destroy()
  await server.hasEntered('a4-small')
  assert.ok(!server.entered.includes('a3'))
})

test('the responses to pipelined requests of a client that has gone are not counted', async () => {
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

test('a request that waits too long is answered with 503 and when to try again', async () => {
  await using server = await startServer(1)
  for (const path of ['a1', 'a2']) await server.send(path).response
  const { statusCode, headers } = await server.send('a3').response
  assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
  assert.equal((await server.send('b-small').response).statusCode, 200)
})

test('a request is refused at once when too many of its key wait', async () => {
  await using server = await startServer()
  for (const path of ['a1', 'a2']) await server.send(path).response
  for (const path of ['a3', 'a4']) server.send(path)
  const { statusCode, headers } = await server.send('a5').response
  assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
})

test('when too much is unread, the oldest response of the key with most of it is closed', async () => {
  await using server = await startServer()
  const first = await server.send('a1').response
  const others: IncomingMessage[] = []
  for (const path of ['a2', 'b1', 'c1']) others.push(await server.send(path).response)
  first.resume()
  await eventually('the first response to be closed', () => first.destroyed)
  assert.ok(!first.complete)
  assert.deepEqual(
    others.map(({ destroyed }) => destroyed),
    [false, false, false],
  )
})

test('streams of events that are not read do not hold up other requests of their key', async () => {
  await using server = await startServer()
  for (const path of ['a1/stream', 'a2/stream', 'a3/stream']) await server.send(path).response
  await server.send('a4-small').response
  assert.equal(server.entered.length, 4)
})

test('when too much is unread, the oldest stream of events of the key with most of it is closed', async () => {
  await using server = await startServer()
  for (const path of ['a1/stream', 'a2/stream', 'b1/stream', 'a3/stream']) await server.send(path).response
  await eventually('a stream to be closed', () => server.closed.length > 0)
  assert.deepEqual(server.closed, ['a1'])
})
