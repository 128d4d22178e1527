import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createHttpClient } from '../../../../src/google/client/http.ts'

const maxBytes = 10_000
const withGzip = { 'content-encoding': 'gzip' }

/** The client's result for a response, or for a request that it cannot send. */
async function received(respond: (response: ServerResponse) => void, { path = '/', headers = {} } = {}) {
  const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const send = createHttpClient({ timeoutMs: 10_000, maxBytes, signal: new AbortController().signal })
    return await send({ url, method: 'GET', headers })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('reads a compressed response', async () => {
  const body = { kind: 'admin#directory#users' }
  const result = await received((response) => response.writeHead(200, withGzip).end(gzipSync(JSON.stringify(body))))
  assert.deepEqual(result, { status: 200, retryAfter: undefined, body })
})

for (const { what, respond } of [
  { what: 'is too large', respond: (response: ServerResponse) => response.end('x'.repeat(maxBytes + 1)) },
  {
    what: 'is too large when it is decompressed',
    respond: (response: ServerResponse) => response.writeHead(200, withGzip).end(gzipSync('x'.repeat(maxBytes + 1))),
  },
  {
    what: 'is not UTF-8',
    respond: (response: ServerResponse) => response.end(Buffer.from('{"fullName":"jörg"}', 'latin1')),
  },
  {
    what: 'is not compressed as it says',
    respond: (response: ServerResponse) => response.writeHead(200, withGzip).end('{}'),
  },
]) {
  test(`a response that ${what} counts as none`, async () => {
    assert.equal((await received(respond)).status, undefined)
  })
}

test('a request with an invalid header is not sent', async () => {
  const result = await received((response) => response.end('{}'), { headers: { authorization: 'a\nb' } })
  assert.deepEqual(result, { status: undefined, reason: 'unsendable' })
})

test('requests go through the proxy that the environment names', async () => {
  const proxied: string[] = []
  const proxy = createServer().listen(0, '127.0.0.1')
  proxy.on('connect', (request, socket) => {
    proxied.push(String(request.url))
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await once(proxy, 'listening')
  const before = process.env['HTTPS_PROXY']
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    const send = createHttpClient({ timeoutMs: 10_000, maxBytes, signal: new AbortController().signal })
    await send({ url: 'https://admin.example.invalid/', method: 'GET', headers: {} })
    assert.deepEqual(proxied, ['admin.example.invalid:443'])
  } finally {
    if (before === undefined) delete process.env['HTTPS_PROXY']
    else process.env['HTTPS_PROXY'] = before
    proxy.close()
  }
})
