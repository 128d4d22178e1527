import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { poll } from '../../support/eventually.ts'

export const handlerSecret = 'plain secret of the product'

export interface HandledEvent {
  /** Whether each of the headers of Polis has a valid signature. */
  readonly isValid: { readonly boxyHq: boolean; readonly oryPolis: boolean }
  // biome-ignore lint/suspicious/noExplicitAny: the tests read whatever an event has
  readonly event: any
}

/** The webhook handler of a product, as it was written for Polis. */
export interface Handler extends AsyncDisposable {
  readonly url: string
  /** Waits for the first events of a directory. */
  events(directoryId: string, count: number): Promise<readonly HandledEvent[]>
}

/** Verifies `t=<ms>,s=<hex>`, the HMAC-SHA256 of `<ms>.<body>`. */
function isSigned(header: string | string[] | undefined, body: string): boolean {
  const parts = new Map(
    String(header)
      .split(',')
      .map((part) => part.split('=', 2) as [string, string]),
  )
  const [time, signature] = [parts.get('t'), Buffer.from(parts.get('s') ?? '', 'hex')]
  const expected = createHmac('sha256', handlerSecret).update(`${time}.${body}`).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** Starts a handler on a free port. */
export async function startHandler(): Promise<Handler> {
  const handled: HandledEvent[] = []
  async function handle({ headers }: IncomingMessage, body: string) {
    const isValid = {
      boxyHq: isSigned(headers['boxyhq-signature'], body),
      oryPolis: isSigned(headers['ory-polis-signature'], body),
    }
    for (const event of [JSON.parse(body)].flat()) handled.push({ isValid, event })
  }
  const server = createServer(async (request, response) => {
    await handle(request, await text(request))
    response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    events: (directoryId, count) =>
      poll(
        async () => handled.filter(({ event }) => event.directory_id === directoryId).slice(0, count),
        (events) => events.length === count,
        (events) => `${count} events, there are ${events.length}`,
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
