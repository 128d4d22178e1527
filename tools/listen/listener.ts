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
  /** Signs the events. */
  readonly secret: string
  readonly print: (line: string) => void
}

export interface Listener extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
}

/**
 * Receives events on the loopback interface and prints a line for each: the signature, its sequence, its type, and whom it is
 * about. Requests without a valid signature are rejected with 401.
 *
 * @throws Error with a message for the user when the port is in use
 */
export async function startListener({ port, secret, print }: ListenerOptions): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const status = request.method === 'POST' ? await receive(request, secret, print) : 405
    response.writeHead(status).end()
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

async function receive(request: IncomingMessage, secret: string, print: (line: string) => void): Promise<number> {
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return 400
  const payload = verifiedPayload(body, request, secret)
  if (payload === undefined) {
    print('signature invalid: rejected with 401. Is the secret of the directory the one that is shown above?')
    return 401
  }
  const events = parseEvents(payload, Date.now())
  if (events === undefined) {
    print('signature valid, but this is no event: rejected with 400.')
    return 400
  }
  for (const { sequence, type, data } of events) {
    const columns = [
      String(sequence).padStart(6),
      padToWidth(type, 20),
      withoutControlCharacters(subjectOf(type, data)),
    ]
    print(`signature valid  ${columns.join('  ')}`.trimEnd())
  }
  return 204
}

/** Names come from outside: a control character in one must not move the cursor. */
function withoutControlCharacters(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, ' ')
}

function describeListenError(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return error
  return new Error(`Port ${port} is in use: stop the other process, or choose another port with --port.`, {
    cause: error,
  })
}
