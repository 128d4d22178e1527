import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { padToWidth } from '../../src/cli/terminal/display-width.ts'
import { parseEvents } from '../demo/event-record.ts'
import { subjectOf } from '../demo/event-view.ts'
import { verifiedPayload } from '../demo/receiver.ts'

export interface ListenerOptions {
  readonly port: number
  /** The secret that verifies the events. */
  readonly secret: string
  /** The handler that receives each request with a valid signature, and whose status becomes the response. */
  readonly forwardTo?: string | undefined
  readonly print: (line: string) => void
}

export interface Listener extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
}

/**
 * Receives events on the loopback interface and prints a line for each: the signature, its sequence, its type, and its
 * subject. Requests without a valid signature are rejected with 401.
 *
 * @throws Error with a message for the user when the port is in use
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { port } = options
  const server = createServer(async (request, response) => {
    const { status, retryAfter } = request.method === 'POST' ? await receive(request, options) : { status: 405 }
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    throw describeListenError(error, port)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function receive(
  request: IncomingMessage,
  { secret, forwardTo, print }: ListenerOptions,
): Promise<ForwardedResponse> {
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return { status: 400 }
  const payload = verifiedPayload(body, request, secret)
  if (payload === undefined) {
    print('signature invalid: rejected with 401. Is the secret of the directory the one that is shown above?')
    return { status: 401 }
  }
  const events = parseEvents(payload, Date.now())
  if (events === undefined) {
    print('signature valid, but this is not an event: rejected with 400.')
    return { status: 400 }
  }
  const forwarded = forwardTo === undefined ? undefined : await forward(forwardTo, request, body)
  for (const { sequence, type, data } of events) {
    const columns = [
      String(sequence).padStart(6),
      padToWidth(type, 20),
      withoutControlCharacters(subjectOf(type, data)),
      ...(forwarded === undefined ? [] : [`→ ${forwarded.status}${forwarded.error ?? ''}`]),
    ]
    print(`signature valid  ${columns.join('  ')}`.trimEnd())
  }
  return forwarded ?? { status: 204 }
}

/** The response of the handler; 502 when it could not be reached. */
interface ForwardedResponse {
  readonly status: number
  readonly retryAfter?: string | undefined
  readonly error?: string
}

/** The timeout of the handler, which is that of an endpoint. */
const forwardTimeoutMs = 15_000

/** Forwards a request with its body and its own headers. */
async function forward(url: string, { headers }: IncomingMessage, body: string): Promise<ForwardedResponse> {
  const passed = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name))
  const sent = {
    'content-type': 'application/json',
    ...Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
  }
  try {
    const signal = AbortSignal.timeout(forwardTimeoutMs)
    const response = await fetch(url, { method: 'POST', headers: sent, body, redirect: 'manual', signal })
    await response.arrayBuffer()
    return { status: response.status, retryAfter: response.headers.get('retry-after') ?? undefined }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'did not respond' : 'cannot be reached'
    return { status: 502, error: ` (${url} ${why})` }
  }
}

/** Headers of the connection, not of the event. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
])

/** Removes control characters from names, which must not move the cursor. */
function withoutControlCharacters(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, ' ')
}

function describeListenError(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return error
  return new Error(`Port ${port} is in use: stop the other process, or choose another port with --port.`, {
    cause: error,
  })
}
