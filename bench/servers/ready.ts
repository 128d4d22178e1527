import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { request } from '../../src/node-http.ts'

/** Whether the service at this port is ready. */
export function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', agent: false }
    request(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .once('error', () => resolve(false))
      .end()
  })
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
