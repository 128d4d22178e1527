import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from '../node-http.ts'
import { limitConnections } from './connections.ts'
import type { Metrics } from './metrics.ts'

/** Serves `GET /metrics`, and nothing else, on a port of its own. */
export interface MetricsServer {
  readonly server: Server
  close(): Promise<void>
}

/** Each may hold the metrics twice, as text. */
const maxConnections = 64
/** Time after which a connection is closed if nothing is read or sent, in milliseconds. */
const stalledAfterMs = 30_000

/**
 * Starts listening; the server does not keep the process running.
 *
 * @throws Error of `listen`, for example when the port is in use
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'contentType' | 'collect'>,
  address: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    void answer(metrics, request, response)
  })
  limitConnections(server, { connections: maxConnections })
  server.setTimeout(stalledAfterMs)
  server.listen(address)
  await once(server, 'listening')
  return {
    server,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  { contentType, collect }: Pick<Metrics, 'contentType' | 'collect'>,
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isScrape = ['GET', 'HEAD'].includes(method) && /^\/metrics\/?(\?|$)/.test(url)
  if (!isScrape) return void response.writeHead(404, textType).end('This port serves GET /metrics only.\n')
  try {
    const text = await collect()
    response.writeHead(200, { 'content-type': contentType }).end(text)
  } catch {
    response.writeHead(500, textType).end('The metrics could not be collected.\n')
  }
}

const textType = { 'content-type': 'text/plain; charset=utf-8' }
