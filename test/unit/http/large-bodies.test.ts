import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { limitLargeBodies, smallBody } from '../../../src/http/large-bodies.ts'
import { sendApiError } from '../../../src/http/responses.ts'
import { eventually } from '../../support/eventually.ts'

const bodyLimit = 4 * smallBody

/** A server whose requests do not end before `answer` is called for their path. */
async function startServer(limits: { readonly waitMs?: number; readonly maxReceptionMs?: () => number } = {}) {
  const app = Fastify({ bodyLimit, forceCloseConnections: true })
  const entered: string[] = []
  const responses = new Map<string, () => void>()
  app.setErrorHandler(sendApiError)
  const tenantOf = ({ url }: { url: string }) => url.slice(1, 2)
  limitLargeBodies(app, { bodyLimit, tenantOf, ...limits })
  app.post('/*', async ({ url }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    responses.set(url, resolve)
    entered.push(url.slice(1))
    await promise
    return url
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
    ): { request: ClientRequest; status: Promise<number | undefined> } {
      const headers = { 'content-type': 'text/plain', ...(isChunked ? {} : { 'content-length': bytes }) }
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: `/${path}`, headers })
      const status = once(request, 'response').then(([response]) => {
        response.resume()
        return response.statusCode as number
      })
      status.catch(() => {})
      request.on('error', () => {})
      request.end('x'.repeat(bytes))
      return { request, status }
    },
    /** Sends the beginning of a body. */
    begin(path: string, bytes: number): { request: ClientRequest; response: Promise<IncomingMessage> } {
      const headers = { 'content-type': 'text/plain', 'content-length': bytes }
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: `/${path}`, headers })
      request.on('error', () => {})
      request.write('x')
      return { request, response: once(request, 'response').then(([response]) => response as IncomingMessage) }
    },
    async answer(path: string): Promise<void> {
      await eventually(`${path} to enter`, () => responses.has(`/${path}`))
      responses.get(`/${path}`)?.()
    },
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

test('a request whose client has gone frees what its body took, and what it waited for', async () => {
  await using server = await startServer()
  const first = server.send('a1', bodyLimit)
  for (const path of ['a2', 'a3']) server.send(path, bodyLimit)
  for (const path of ['a1', 'a2', 'a3']) await server.hasEntered(path)
  const waiting = server.send('a4', bodyLimit)
  server.send('a5', bodyLimit)
  waiting.request.destroy()
  first.request.destroy()
  await server.hasEntered('a5')
  assert.ok(!server.entered.includes('a4'))
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
