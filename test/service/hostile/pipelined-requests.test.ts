import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { NetConnectOpts, Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { databaseFile, socketFile } from '../../../src/store/files.ts'
import { serviceForSuite } from '../../support/service.ts'

const service = serviceForSuite('sqlite', { METRICS_PORT: '0', LOG_LEVEL: 'info' })

const sent = 30
/** How many requests of a connection may be processed at a time. */
const most = 2

interface Exchange {
  readonly request: IncomingMessage
}

/** The requests that this process has received and not answered, and the most at a time, by a text in their URL. */
const counts = new Map<string, { now: number; most: number }>()
const countOf = ({ request }: Exchange) => counts.get(/pipelined-\w+/.exec(request.url ?? '')?.[0] ?? '')
const [started, finished] = [channel('http.server.request.start'), channel('http.server.response.finish')]
const onStart = (exchange: unknown) => {
  const count = countOf(exchange as Exchange)
  if (count !== undefined) count.most = Math.max(count.most, ++count.now)
}
const onFinish = (exchange: unknown) => {
  const count = countOf(exchange as Exchange)
  if (count !== undefined) count.now -= 1
}
before(() => {
  started.subscribe(onStart)
  finished.subscribe(onFinish)
})
after(() => {
  started.unsubscribe(onStart)
  finished.unsubscribe(onFinish)
})

const mainPort = () => ({ port: Number(new URL(service().origin).port), host: '127.0.0.1' })
const metricsPort = () => {
  const line = service().log.find(({ msg }) => String(msg).startsWith('/metrics is on port'))
  return { port: Number(/\d+$/.exec(String(line?.['msg']))?.[0]), host: '127.0.0.1' }
}
const localSocket = () => ({ path: socketFile(databaseFile(service().database.env['DATABASE_URL'] ?? '') ?? '') })

const targets: { readonly path: string; readonly at: () => NetConnectOpts; readonly where?: string }[] = [
  ...[
    '/openapi.json',
    '/openapi-product.json',
    '/docs/',
    '/console/assets/scalar.js',
    '/console/',
    '/setup/none',
    '/healthz',
  ],
  ...['/api/v1/directory-sync', '/api/scim/v2.0/none/Users', '/.well-known/none', '/none'],
].map((path) => ({ path, at: mainPort }))
targets.push({ path: '/metrics', at: metricsPort, where: ' of METRICS_PORT' })
targets.push({ path: '/none', at: localSocket, where: ' of the local socket' })

targets.forEach(({ path, at, where = '' }, n) => {
  test(`two requests for ${path}${where} are processed at a time, and all are answered`, async () => {
    const name = `pipelined-${n}`
    const count = { now: 0, most: 0 }
    counts.set(name, count)
    const socket = connect(at())
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET ${path}?${name} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`.repeat(sent))
    // Other requests are answered while nothing is read.
    for (let other = 0; other < 10; other += 1) assert.equal((await service().request('GET', '/healthz')).status, 200)
    assert.equal(await responsesOf(socket), sent)
    assert(count.most > 0 && count.most <= most, `${count.most} at a time`)
  })
})

/** Reads all responses, and returns their number. */
async function responsesOf(socket: Socket): Promise<number> {
  let found = 0
  let end = ''
  for await (const bytes of socket) {
    const text = end + (bytes as Buffer).toString('latin1')
    found += text.split('HTTP/1.1 ').length - 1
    end = text.slice(-8)
    if (found === sent) break
  }
  return found
}
