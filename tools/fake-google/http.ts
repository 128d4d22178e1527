import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findTarget } from './endpoint.ts'
import type { Fault } from './fault.ts'
import type { Reply } from './reply.ts'
import { htmlReply } from './reply.ts'
import type { FakeRequest, RequestCounter } from './request.ts'

/** The reply to a request and the fault to apply; without a reply, the connection is closed. */
export interface HandledRequest {
  readonly reply: Reply | undefined
  readonly fault: Fault | undefined
}

export interface Serving {
  readonly requests: Pick<RequestCounter, 'take'>
  readonly respond: (request: FakeRequest) => Promise<HandledRequest>
}

/** The maximum size of a form in bytes. */
const maxFormBytes = 65_536

/** Listens on the loopback interface; requests are handled once `serve` is called. */
export async function openLoopback() {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    serve(serving: Serving): void {
      server.on('request', (incoming, response) =>
        handle(serving, incoming, response).catch((error) => response.destroy(error)),
      )
    },
    /** Closes all connections, also those that wait for a response. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function handle({ requests, respond }: Serving, incoming: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams: query } = new URL(incoming.url ?? '/', 'http://fake')
  const form = await readForm(incoming).catch(() => undefined)
  const target = findTarget(incoming.method ?? 'GET', pathname)
  if (form === undefined) return response.destroy()
  if (target === undefined) return send(response, htmlReply(404, 'Error 404 (Not Found)'), undefined)
  const request = requests.take(target, { query, form, headers: incoming.headers })
  const { reply, fault } = await respond(request)
  if (!response.destroyed) send(response, reply, fault)
}

/** Reads the fields of a form; empty for any other body. */
async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxFormBytes) throw new Error('the form is too large')
    parts.push(part)
  }
  const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return new URLSearchParams(isForm ? Buffer.concat(parts).toString() : '')
}

function send(response: ServerResponse, reply: Reply | undefined, fault: Fault | undefined): void {
  if (reply === undefined) return void response.destroy()
  const body = Buffer.from(reply.body)
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
  if (fault?.kind !== 'cut') return void response.end(body)
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
}
