import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A parsed request. */
export interface PolisRequest {
  readonly method: string
  /** The decoded segments of the path. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: the library takes bodies as they come
  readonly body: any
  /** The second word of the header `Authorization`. */
  readonly credential: string | null
}

export interface PolisReply {
  readonly status: number
  readonly body: unknown
}

export interface Serving {
  readonly apiKey: string
  readonly respond: (request: PolisRequest) => Promise<PolisReply>
}

/** Listens on the loopback interface; requests are answered once `serve` is called. */
export async function openPolisHttp(port: number) {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    serve(serving: Serving): void {
      // The library keeps the tenant of the present request in fields of shared objects: requests must not overlap.
      let last: Promise<void> = Promise.resolve()
      server.on('request', (incoming, response) => {
        const request = parseRequest(incoming)
        last = last.then(async () => send(response, await answer(serving, await request)))
      })
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Parses a request; undefined when its body is not JSON or its path is not encoded correctly. */
async function parseRequest(incoming: IncomingMessage): Promise<PolisRequest | undefined> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://polis')
  try {
    const body = await text(incoming)
    return {
      method: incoming.method ?? 'GET',
      path: pathname.split('/').filter(Boolean).map(decodeURIComponent),
      query: Object.fromEntries(searchParams),
      body: body === '' ? undefined : JSON.parse(body),
      credential: incoming.headers.authorization?.split(' ')[1] ?? null,
    }
  } catch {
    return undefined
  }
}

async function answer({ apiKey, respond }: Serving, request: PolisRequest | undefined): Promise<PolisReply> {
  if (request === undefined) return failure(400, 'Invalid JSON')
  const isOfApi = request.path[0] === 'api' && request.path[1] === 'v1'
  if (isOfApi && request.credential !== apiKey) return failure(401, 'Unauthorized')
  try {
    return await respond(request)
  } catch (error) {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    return failure(status, error instanceof Error ? error.message : String(error))
  }
}

/** Polis' form of an error that is thrown. */
export function failure(status: number, message: string): PolisReply {
  return { status, body: { error: { message } } }
}

function send(response: ServerResponse, { status, body }: PolisReply): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
