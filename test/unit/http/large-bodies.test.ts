import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { limitLargeBodies, smallBody } from '../../../src/http/large-bodies.ts'
import { sendApiError } from '../../../src/http/responses.ts'
import { eventually } from '../../support/eventually.ts'

const bodyLimit = 4 * smallBody

interface Limits {
  readonly waitMs?: number
  readonly maxReceptionMs?: () => number
  /** Resolves when the body of a request has been parsed. */
  readonly parse?: (path: string) => Promise<void>
}

/** A server whose requests do not end before `answer` is called for their path. */
async function startServer({ parse, ...limits }: Limits = {}) {
  const app = Fastify({ bodyLimit, forceCloseConnections: true })
  const arrived: string[] = []
  const entered: string[] = []
  const responses = new Map<string, () => void>()
  app.setErrorHandler(sendApiError)
  app.addHook('onRequest', async ({ url }) => {
    arrived.push(url.slice(1))
  })
  const tenantOf = ({ url }: { url: string }) => url.slice(1, 2)
  const largeBodies = limitLargeBodies(app, { bodyLimit, tenantOf, ...limits })
  app.addContentTypeParser('text/xml', { parseAs: 'string' }, async (request: FastifyRequest, content: string) => {
    await parse?.(request.url.slice(1))
    return largeBodies.of(request)?.toString() ?? content
  })
  app.post('/*', async ({ url, body }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    responses.set(url, resolve)
    entered.push(url.slice(1))
    await promise
    return `${url} ${String(body).length}`
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    entered,
    /** Sends a body; resolves with the status. */
    send(
      path: string,
      bytes: number,
      isChunked = false,
    ): { request: ClientRequest; status: Promise<number | undefined>; body: Promise<string> } {
      const headers = { 'content-type': 'text/xml', ...(isChunked ? {} : { 'content-length': bytes }) }
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: `/${path}`, headers })
      const answer = once(request, 'response').then(async ([response]) => {
        return { status: response.statusCode as number, body: await textOf(response) }
      })
      const [status, body] = [answer.then((one) => one.status), answer.then((one) => one.body)]
      for (const part of [status, body]) part.catch(() => {})
      request.on('error', () => {})
      request.end('x'.repeat(bytes))
      return { request, status, body }
    },
    /** Sends the beginning of a body. */
    begin(path: string, bytes: number): { request: ClientRequest; response: Promise<IncomingMessage> } {
      const headers = { 'content-type': 'text/xml', 'content-length': bytes }
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: `/${path}`, headers })
      request.on('error', () => {})
      request.write('x')
      const response = once(request, 'response').then(([response]) => response as IncomingMessage)
      response.catch(() => {})
      return { request, response }
    },
    async answer(path: string): Promise<void> {
      await eventually(`${path} to enter`, () => responses.has(`/${path}`))
      responses.get(`/${path}`)?.()
    },
    hasArrived: (path: string) => eventually(`${path} to arrive`, () => arrived.includes(path)),
    hasEntered: (path: string) => eventually(`${path} to enter`, () => entered.includes(path)),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('large bodies beyond the limit wait until others were answered; tenants take turns, small bodies do not wait', async () => {
  await using server = await startServer()
  for (const path of ['a1', 'a2', 'a3']) {
    server.send(path, bodyLimit)
    await server.hasEntered(path)
  }
  server.send('a4', bodyLimit, true)
  server.send('b1', bodyLimit)
  await server.hasEntered('b1')
  server.send('b2', bodyLimit)
  server.send('c1', bodyLimit)
  server.send('a5', smallBody)
  await server.hasEntered('a5')
  assert.deepEqual(server.entered, ['a1', 'a2', 'a3', 'b1', 'a5'])
  await server.answer('a1')
  await server.hasEntered('c1')
  await server.answer('b1')
  await server.hasEntered('b2')
  assert.ok(!server.entered.includes('a4'))
  for (const path of ['a2', 'a3', 'a4']) await server.answer(path)
})

test('a request whose client has gone frees what its body took when it ends, and what it waited for at once', async () => {
  await using server = await startServer()
  const first = server.send('a1', bodyLimit)
  for (const path of ['a2', 'a3']) server.send(path, bodyLimit)
  for (const path of ['a1', 'a2', 'a3']) await server.hasEntered(path)
  const waiting = server.send('a4', bodyLimit)
  server.send('a5', bodyLimit)
  waiting.request.destroy()
  first.request.destroy()
  server.send('b1', bodyLimit)
  await server.hasEntered('b1')
  assert.deepEqual(server.entered, ['a1', 'a2', 'a3', 'b1'])
  await server.answer('a1')
  await server.hasEntered('a5')
  assert.ok(!server.entered.includes('a4'))
})

test('the pieces in which a large body arrives are freed, unless they share their memory', async () => {
  const app = Fastify({ bodyLimit })
  const bodies = limitLargeBodies(app, { bodyLimit, tenantOf: () => 'a' })
  app.addContentTypeParser('text/xml', async (request: FastifyRequest, content: NodeJS.ReadableStream) => {
    await textOf(content)
    return bodies.of(request)?.toString()
  })
  app.post('/', async ({ body }) => body)
  const shared = new ArrayBuffer(smallBody + 1)
  const pieces = [Buffer.from(new ArrayBuffer(smallBody)).fill('x'), Buffer.from(shared, 0, smallBody).fill('y')]
  const headers = { 'content-type': 'text/xml', 'content-length': `${2 * smallBody}` }
  const { body } = await app.inject({ method: 'POST', url: '/', headers, payload: Readable.from(pieces) })
  assert.equal(body, `${'x'.repeat(smallBody)}${'y'.repeat(smallBody)}`)
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [0, smallBody],
  )
})

test('a body that has not arrived when its client goes frees what it took', async () => {
  await using server = await startServer()
  for (const path of ['a1', 'a2', 'a3']) {
    const { request } = server.begin(path, bodyLimit)
    await server.hasArrived(path)
    request.destroy()
  }
  server.send('a4', bodyLimit)
  await server.hasEntered('a4')
  await server.answer('a4')
})

test('a request that waits too long is answered with an error, and a body that is too large does not wait', async () => {
  await using server = await startServer({ waitMs: 1 })
  for (const path of ['a1', 'a2', 'a3']) {
    server.send(path, bodyLimit)
    await server.hasEntered(path)
  }
  assert.equal(await server.send('a4', bodyLimit).status, 503)
  assert.equal(await server.send('a5', bodyLimit + 1).status, 413)
  assert.deepEqual(server.entered, ['a1', 'a2', 'a3'])
})

test('a body that arrives too slowly is rejected, and no longer counts', async () => {
  await using server = await startServer({ maxReceptionMs: () => 1 })
  for (const path of ['a1', 'a2', 'a3', 'a4', 'a5']) {
    const { request, response } = server.begin(path, bodyLimit)
    const { statusCode, headers } = await response
    assert.deepEqual([statusCode, headers.connection], [503, 'close'])
    request.destroy()
  }
})

test('a large body arrives as it was sent, with and without its length in the header', async () => {
  await using server = await startServer()
  for (const { path, bytes, isChunked } of [
    { path: 'a1', bytes: smallBody, isChunked: false },
    { path: 'a2', bytes: smallBody + 1, isChunked: false },
    { path: 'a3', bytes: bodyLimit, isChunked: false },
    { path: 'a4', bytes: smallBody + 1, isChunked: true },
    { path: 'a5', bytes: 3, isChunked: true },
    { path: 'a6', bytes: bodyLimit, isChunked: true },
  ]) {
    const { status, body } = server.send(path, bytes, isChunked)
    await server.answer(path)
    assert.deepEqual([await status, await body], [200, `/${path} ${bytes}`])
  }
  assert.equal(await server.send('a7', bodyLimit + 1, true).status, 413)
})

test('bodies are parsed one after the other, and a client that leaves while its body waits does not delay the next one', async () => {
  const parsing = new Map<string, () => void>()
  const parse = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    parsing.set(path, resolve)
    await promise
  }
  await using server = await startServer({ parse })
  const isParsed = (path: string) => eventually(`${path} to be parsed`, () => parsing.has(path))
  server.send('a1', bodyLimit)
  await isParsed('a1')
  const gone = server.send('b1', smallBody + 1)
  server.send('c1', smallBody)
  await isParsed('c1')
  gone.request.destroy()
  const last = server.send('d1', bodyLimit)
  parsing.get('c1')?.()
  await server.answer('c1')
  assert.ok(!parsing.has('d1'))
  parsing.get('a1')?.()
  await isParsed('d1')
  parsing.get('d1')?.()
  await server.answer('d1')
  assert.equal(await last.body, `/d1 ${bodyLimit}`)
})
