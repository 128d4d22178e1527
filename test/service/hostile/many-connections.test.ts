import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, testApiKey } from '../../support/service.ts'

const body = JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann' })
/** As many as a tenant or an API key may have at a time. */
const most = 64

/** Sends requests over one connection each whose bodies do not arrive, one after the other. */
async function beginRequests({ origin }: TestService, method: string, path: string, authorization: string) {
  const { hostname, port } = new URL(origin)
  const sockets: Socket[] = []
  for (let n = 0; n < most; n += 1) {
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
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

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('requests of a tenant whose bodies do not arrive delay its own further requests, and nobody else', async () => {
    const [own, other] = [
      await service().createDirectory({ tenant: 'slow' }),
      await service().createDirectory({ tenant: 'quick' }),
    ]
    using begun = await beginRequests(service(), 'POST', `${own.scim.path}/Users`, `Bearer ${own.scim.secret}`)
    let isAnswered = false
    const waiting = service()
      .scim(own, 'GET', '/Users?count=1')
      .finally(() => {
        isAnswered = true
      })
    assert.equal((await service().scim(other, 'GET', '/Users')).status, 200)
    assert.equal((await service().api('GET', `?tenant=slow&product=${own.product}`)).status, 200)
    assert.equal(isAnswered, false)
    begun.sockets[0]?.write(body)
    const { status, body: list } = await waiting
    assert.deepEqual([status, list.totalResults], [200, 1])
  })

  test('requests with an API key whose bodies do not arrive do not delay SCIM, probes or metrics', async () => {
    const directory = await service().createDirectory({ tenant: 'third' })
    using _begun = await beginRequests(service(), 'POST', '/api/v1/directory-sync', `Api-Key ${testApiKey}`)
    assert.equal((await service().scim(directory, 'GET', '/Users')).status, 200)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      assert.equal((await service().request('GET', path)).status, 200)
  })
})
