import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { ConnectionLimits } from '../../../src/http/connections.ts'
import { limitConnections } from '../../../src/http/connections.ts'
import { eventually } from '../../support/eventually.ts'

/** A server that answers with the path when `answer` is called, at once without `isHeld`. */
async function startServer({
  isHeld = false,
  ...limits
}: Partial<ConnectionLimits> & { readonly isHeld?: boolean } = {}) {
  const requests: { readonly path: string; readonly body: string; answer(): void }[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.on('data', (bytes: Buffer) => {
      body += bytes
    })
    request.on('error', () => {})
    request.on('end', () => {
      const answer = () => void response.end(`${request.url} ${body.length}\n`)
      requests.push({ path: request.url ?? '', body, answer })
      if (!isHeld) answer()
    })
  })
  limitConnections(server, limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  return {
    requests,
    async open(): Promise<Socket> {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** The text that arrives until it contains an end. */
async function received(socket: Socket, end: string): Promise<string> {
  let text = ''
  for await (const bytes of socket) {
    text += bytes
    if (text.includes(end)) break
  }
  return text
}

const paths = (text: string) => text.match(/^\/\d+ \d+$/gm)

test('a thousand requests that arrive together are answered one after the other, in order', async () => {
  await using server = await startServer()
  const socket = await server.open()
  socket.write(Array.from({ length: 1_000 }, (_, n) => get(`/${n}`)).join(''))
  assert.deepEqual(
    paths(await received(socket, '/999 ')),
    Array.from({ length: 1_000 }, (_, n) => `/${n} 0`),
  )
})

test('requests with bodies, which may contain empty lines, are answered in order', async () => {
  await using server = await startServer()
  const socket = await server.open()
  const bodies = ['', '\r\n\r\n'.repeat(9_000), 'x'.repeat(300_000), get('/none'), 'y']
  socket.write(bodies.map((body, n) => post(`/${n}`, body)).join(''))
  assert.deepEqual(
    paths(await received(socket, '/4 ')),
    bodies.map((body, n) => `/${n} ${body.length}`),
  )
})

test('a request that arrives byte by byte is answered', async () => {
  await using server = await startServer()
  const socket = await server.open()
  socket.setNoDelay()
  for (const character of get('/1')) {
    socket.write(character)
    await new Promise(setImmediate)
  }
  assert.deepEqual(paths(await received(socket, '/1 ')), ['/1 0'])
})

test('two requests of a connection are processed at a time, however many arrive', async () => {
  await using server = await startServer({ isHeld: true })
  const socket = await server.open()
  socket.write(Array.from({ length: 500 }, (_, n) => get(`/${n}`)).join(''))
  for (let answered = 0; answered < 20; answered += 1) {
    await eventually('the next request', () => server.requests.length === answered + 2)
    // Whatever else the server has received is not processed either.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    assert.equal(server.requests.length, answered + 2)
    server.requests[answered]?.answer()
  }
})

test('the body of the next request is received when the request before it is answered', async () => {
  await using server = await startServer({ isHeld: true })
  const socket = await server.open()
  socket.write(get('/0') + post('/1', 'x'.repeat(500_000)) + get('/2'))
  for (let n = 0; n < 3; n += 1) {
    await eventually('the request', () => server.requests.length > n)
    server.requests[n]?.answer()
  }
  assert.deepEqual(paths(await received(socket, '/2 ')), ['/0 0', '/1 500000', '/2 0'])
})

test('of too many connections with waiting requests, the one that has waited for the longest is closed', async () => {
  await using server = await startServer({ isHeld: true, waiting: 3 })
  const sockets: Socket[] = []
  for (let n = 0; n < 4; n += 1) {
    const socket = await server.open()
    sockets.push(socket)
    socket.write(get(`/${n}`).repeat(10))
    await eventually('its first requests', () => server.requests.length === 2 * (n + 1))
  }
  await eventually('the first connection to close', () => sockets[0]?.closed === true)
  assert.deepEqual(
    sockets.map(({ closed }) => closed),
    [true, false, false, false],
  )
})

test('of too many connections, the one that has begun no request for the longest is closed', async () => {
  await using server = await startServer({ isHeld: true, connections: 4 })
  const busy = await server.open()
  busy.write(get('/busy'))
  await eventually('its request', () => server.requests.length === 1)
  const sockets = [await server.open(), await server.open()]
  const recent = await server.open()
  sockets[0]?.write(get('/first'))
  await eventually('its request', () => server.requests.length === 2)
  server.requests[1]?.answer()
  await once(sockets[0] as Socket, 'data')
  await server.open()
  await eventually('a connection to close', () => sockets[1]?.closed === true)
  assert.deepEqual(
    [busy, sockets[0], recent].map((socket) => socket?.closed),
    [false, false, false],
  )
})

test('of too many connections, one whose request has not arrived as a whole is closed like one without a request', async () => {
  await using server = await startServer({ isHeld: true, connections: 3 })
  const busy = await server.open()
  busy.write(get('/busy'))
  await eventually('its request', () => server.requests.length === 1)
  const unfinished = [await server.open(), await server.open()]
  for (const socket of unfinished) {
    socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n')
    await once(socket, 'data')
  }
  const next = await server.open()
  await eventually('the first of them to close', () => unfinished[0]?.closed === true)
  assert.deepEqual(
    [busy, unfinished[1], next].map((socket) => socket?.closed),
    [false, false, false],
  )
})

test('a connection is closed when all others are busy and there are too many', async () => {
  await using server = await startServer({ isHeld: true, connections: 1 })
  const busy = await server.open()
  busy.write(get('/busy'))
  await eventually('its request', () => server.requests.length === 1)
  const second = await server.open()
  await eventually('it to close', () => second.closed)
  assert.equal(busy.closed, false)
})

for (const { title, text } of [
  { title: 'without a host', text: 'GET / HTTP/1.1\r\n\r\n' },
  { title: 'that are not HTTP', text: 'hello\r\n\r\n' },
  { title: 'to connect to another host', text: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n' },
  { title: 'of HTTP/0.9', text: 'GET /\r\n\r\n' },
]) {
  test(`many requests ${title} close their connection and leave others alone`, async () => {
    await using server = await startServer()
    const [bad, good] = [await server.open(), await server.open()]
    bad.resume().write(text.repeat(5_000))
    await eventually('it to close', () => bad.closed)
    good.write(get('/1'))
    assert.deepEqual(paths(await received(good, '/1 ')), ['/1 0'])
  })
}
