import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createObservedList } from './observed-list.ts'

export interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Responds to a request that was received completely. */
export type Answer = (response: ServerResponse, request: Received) => void

export const ok: Answer = (response) => response.end()

/** An endpoint over HTTP, on a port of its own. */
export async function openReceiver(answer: Answer = ok) {
  const received = createObservedList<Received>()
  let connections = 0
  const listener: RequestListener = async (request, response) => {
    const all = { url: request.url, headers: request.headers, body: await text(request) }
    received.add(all)
    answer(response, all)
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  server.on('connection', () => {
    connections += 1
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    received,
    countConnections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
