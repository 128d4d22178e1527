import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** The proxy in front of a service, by whose address identity providers and products know it. */
export interface AddressProxy extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly url: string
  /** Answers 503 with `Retry-After` from now on, and waits for the requests that are being answered. */
  freeze(): Promise<void>
  /** Sends requests to this service from now on, and no longer answers 503. */
  switchTo(target: string): void
}

/** Listens on a port, or on a free one if that is in use. */
export async function startProxy(port: number): Promise<AddressProxy> {
  let target: string | undefined
  const open = new Set<Promise<void>>()
  const server = createServer((incoming, response) => {
    if (target === undefined) return refuse(incoming, response)
    const answered = forward(target, incoming, response)
    open.add(answered)
    answered.finally(() => open.delete(answered))
  })
  await listen(server, port).catch(() => listen(server, 0))
  const { port: ownPort } = server.address() as AddressInfo
  return {
    url: `http://localhost:${ownPort}`,
    async freeze() {
      target = undefined
      await Promise.all(open)
    },
    switchTo(to) {
      target = to
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      server.off('error', settle).off('listening', settle)
      if (error === undefined) resolve()
      else reject(error)
    }
    server.once('error', settle).once('listening', settle).listen(port, 'localhost')
  })
}

function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume()
  response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' }).end('{"detail":"moving"}')
}

/** Forwards one request; resolves when it is answered or its connection ends. */
async function forward(target: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const outgoing = request(new URL(url, target), { method, headers })
  try {
    const [, [answer]] = await Promise.all([pipeline(incoming, outgoing), once(outgoing, 'response')])
    response.writeHead(answer.statusCode, answer.headers)
    await pipeline(answer, response)
  } catch {
    response.destroy()
  }
}
