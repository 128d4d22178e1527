import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A received request. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A response, as JSON unless the body is a string; or a function that handles the connection. */
export type Scripted =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void)

/** A server with scripted responses; the last one repeats. */
export interface ScriptedGoogle extends AsyncDisposable {
  readonly url: string
  readonly arrived: readonly Arrived[]
}

/** Starts a scripted server on a free port. A function gets the request and its number, from 1. */
export async function scriptedGoogle(
  script: readonly Scripted[] | ((request: Arrived, number: number) => Scripted),
): Promise<ScriptedGoogle> {
  const arrived: Arrived[] = []
  const next = typeof script === 'function' ? script : (_request: Arrived, number: number) => at(script, number)
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://google.invalid')
    const { method = '', headers } = request
    const now: Arrived = { method, path: pathname, query: searchParams, headers, body: await text(request) }
    arrived.push(now)
    const answer = next(now, arrived.length)
    if (typeof answer === 'function') return answer(response)
    const isText = typeof answer.body === 'string'
    const type = isText ? 'text/html' : 'application/json; charset=UTF-8'
    response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers })
    response.end(isText ? answer.body : JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function at(script: readonly Scripted[], number: number): Scripted {
  return script[Math.min(number, script.length) - 1] ?? { status: 500, body: {} }
}

/** An error response of the Directory API. */
export function apiError(status: number, reason: string, message = 'a message with nora.blake@example.com in it') {
  const errors = [{ message, domain: 'global', reason }]
  return { status, body: { error: { code: status, message, errors } } }
}

/** Closes the connection before the response. */
export const cutOff: Scripted = (response) => response.destroy()

/** Closes the connection in the middle of the response. */
export const cutShort: Scripted = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"kind":"admin#directory#users","users":[', () => response.destroy())
}

/** Never responds. */
export const silent: Scripted = () => {}
