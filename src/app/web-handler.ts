import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { request as httpRequest } from '../node-http.ts'

/** Facts about a request that it does not contain itself. */
export interface RequestInfo {
  /** The network address of the client, for the audit trail, the request log and rate limits. */
  readonly remoteAddress?: string
}

/** Handles a request of the Fetch standard with every route of the service. */
export type WebHandler = (request: Request, info?: RequestInfo) => Promise<Response>

/** Headers that concern one connection only (RFC 9110 §7.6.1). */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])
/** Statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * Connects the Fetch standard with an HTTP server that does not listen: each request goes through a pair of streams in
 * this process, so that streaming, back pressure and aborted requests work as over a network.
 *
 * @param open opens the server when it is needed
 */
export function createWebHandler(open: () => Promise<FastifyInstance>): WebHandler {
  return async (request, info = {}) => {
    const { server } = await open()
    const [client, connection] = duplexPair()
    client.once('close', () => connection.destroy())
    connection.once('close', () => client.destroy())
    server.emit('connection', asSocket(connection, info))
    return webResponse(await send(request, client))
  }
}

/**
 * A stream with the properties that the server expects of a socket. Timeouts are up to the product, as there is no
 * network in between.
 */
function asSocket(connection: Duplex, { remoteAddress }: RequestInfo): Duplex {
  return Object.assign(connection, { remoteAddress, setTimeout: () => connection })
}

/**
 * Handles the requests of a Node.js server, which must not have read their bodies.
 *
 * @param open opens the server when it is needed
 */
export function createNodeListener(open: () => Promise<FastifyInstance>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    open().then(
      (app) => app.routing(request, response),
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }
}

function send(request: Request, client: Duplex): Promise<IncomingMessage> {
  const { method, headers, body, signal } = request
  const { pathname, search, host } = new URL(request.url)
  const path = pathname + search
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      ...{ method, path, signal, createConnection: () => client },
      headers: { host, ...Object.fromEntries(headers), connection: 'close' },
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    if (body === null) sent.end()
    // The stream types of the two standards differ in irrelevant details.
    else void pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), sent).catch(reject)
  })
}

function webResponse(message: IncomingMessage): Response {
  const { statusCode: status = 500, headersDistinct } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (!connectionHeaders.has(name)) for (const value of values) headers.append(name, value)
  }
  if (!bodiless.has(status)) return new Response(Readable.toWeb(message) as ReadableStream, { status, headers })
  message.resume()
  return new Response(null, { status, headers })
}
