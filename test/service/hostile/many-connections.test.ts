import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, testApiKey } from '../../support/service.ts'

const body = JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann' })
/** The maximum number of concurrent requests of a tenant or an API key. */
const most = 64

async function open({ origin }: TestService): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends requests over one connection each whose bodies do not arrive, one after the other. */
async function beginRequests(service: TestService, { method, path, authorization, count = most }: Begun) {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n += 1) {
    const socket = await open(service)
    // The response to an Expect header shows that the server has the request.
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await once(socket, 'data')
    sockets.push(socket)
  }
  return {
    sockets,
    [Symbol.dispose](): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Begun {
  readonly method: string
  readonly path: string
  readonly authorization: string
  readonly count?: number
}

/** Requests that are aborted or invalid: the data that is sent before the client disconnects. */
function abandonedRequests({ scim: { path, secret } }: DirectoryView, largeId: string): string[] {
  const authorization = `Host: x\r\nAuthorization: Bearer ${secret}\r\n`
  const post = `POST ${path}/Users HTTP/1.1\r\n${authorization}Content-Type: application/scim+json\r\n`
  const get = (below: string) => `GET ${path}${below} HTTP/1.1\r\n${authorization}\r\n`
  const withLength = (text: string, length = text.length) => `${post}Content-Length: ${length}\r\n\r\n${text}`
  const long = JSON.stringify({ userName: 'long', nickName: 'x'.repeat(100_000) })
  return [
    post,
    withLength('', 10),
    withLength('{"userName":', 100),
    withLength('{"userName":'),
    withLength(body),
    withLength(long.slice(0, 50_000), long.length),
    withLength(long),
    withLength('', 6_000_000),
    `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"us`,
    `${post}Transfer-Encoding: chunked\r\n\r\nno length`,
    withLength(body).replace('application/scim+json', 'text/plain'),
    withLength(body).replace(secret, 'wrong'),
    withLength(body).replace('POST', 'PATCH'),
    get('/Users'),
    get('/Users?filter=no'),
    get('/Users?count=1000').repeat(5),
    get(`/Users/${largeId}`),
    get(`/Users/${largeId}`).replace('GET', 'HEAD'),
    get(`/Users/${largeId}`).repeat(20),
    get('/Nothing'),
  ]
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('requests whose bodies do not arrive delay further requests of their own tenant only', async () => {
    const [own, other] = [
      await service().createDirectory({ tenant: 'slow' }),
      await service().createDirectory({ tenant: 'quick' }),
    ]
    // The last ones may still be authorized when the next request arrives: there are more than can be processed.
    const more = 8
    using begun = await beginRequests(service(), {
      ...{ method: 'POST', path: `${own.scim.path}/Users`, authorization: `Bearer ${own.scim.secret}` },
      count: most + more,
    })
    let isAnswered = false
    const waiting = service()
      .scim(own, 'GET', '/Users?count=1')
      .finally(() => {
        isAnswered = true
      })
    assert.equal((await service().scim(other, 'GET', '/Users')).status, 200)
    assert.equal((await service().api('GET', `?tenant=slow&product=${own.product}`)).status, 200)
    assert.equal(isAnswered, false)
    for (const socket of begun.sockets.slice(0, more + 1)) socket.write(body)
    const { status, body: list } = await waiting
    assert.deepEqual([status, list.totalResults], [200, 1])
  })

  test('requests with an API key whose bodies do not arrive do not delay SCIM, probes or metrics', async () => {
    const directory = await service().createDirectory({ tenant: 'third' })
    using _begun = await beginRequests(service(), {
      ...{ method: 'POST', path: '/api/v1/directory-sync', authorization: `Api-Key ${testApiKey}` },
    })
    assert.equal((await service().scim(directory, 'GET', '/Users')).status, 200)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      assert.equal((await service().request('GET', path)).status, 200)
  })

  test('requests that are aborted at any moment, or rejected, do not count afterwards', async () => {
    const directory = await service().createDirectory({ tenant: 'hasty' })
    const large = { userName: 'large', nickName: 'x'.repeat(200_000) }
    const { id } = (await service().scim(directory, 'POST', '/Users', large)).body
    const requests = abandonedRequests(directory, id)
    const leave = async (request: string, afterResponse: boolean): Promise<void> => {
      const socket = await open(service())
      socket.write(request)
      if (afterResponse) await Promise.race([once(socket, 'data'), once(socket, 'close'), new Promise(setImmediate)])
      socket.resetAndDestroy()
    }
    for (let round = 0; round < 8; round += 1)
      await Promise.all(requests.map((request, n) => leave(request, (n + round) % 2 === 0)))
    using _begun = await beginRequests(service(), {
      ...{ method: 'POST', path: `${directory.scim.path}/Users`, authorization: `Bearer ${directory.scim.secret}` },
      count: most - 1,
    })
    await eventually('the share of the tenant to be free', async () => {
      return (await service().scim(directory, 'GET', `/Users/${id}`)).status === 200
    })
  })
})
