import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'

/** An HTTP proxy on this machine, which resolves every name to it. */
export interface TestProxy extends AsyncDisposable {
  /** With the credentials that it requires, if any. */
  readonly url: string
  /** The hosts and ports that it was asked to connect to, in order. */
  readonly targets: readonly string[]
  /** Refuses all connections with a status from now on; `hang` sends no answer, and undefined connects again. */
  refuse(how: number | 'hang' | undefined): void
}

/** @param credentials `user:password`, percent-encoded as in a URL; without them, the proxy connects for everybody */
export async function startProxy(credentials?: string): Promise<TestProxy> {
  const targets: string[] = []
  const sockets = new Set<Socket>()
  let refusal: number | 'hang' | undefined
  const expected = credentials && `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`

  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    targets.push(url)
    const isAllowed = expected === undefined || headers['proxy-authorization'] === expected
    const status = isAllowed ? refusal : 407
    if (status === 'hang') return
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const upstream = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(upstream).pipe(socket)
    })
    const end = () => {
      socket.destroy()
      upstream.destroy()
    }
    upstream.on('error', end).on('close', end)
    socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    targets,
    refuse(how) {
      refusal = how
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
