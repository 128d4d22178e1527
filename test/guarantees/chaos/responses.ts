import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { wholeBetween } from '../support/random.ts'

/** The kinds of responses of the endpoint. */
export const responseKinds = ['prompt', 'slow', '503', '500', 'no response', 'reset'] as const
export type ResponseKind = (typeof responseKinds)[number]

/**
 * The timeout of a delivery. On a busy machine, a shorter one would make the service back off from working endpoints.
 */
export const deliveryTimeoutMs = 3_000

/** The maximum delay of slow responses, well before the timeout. */
const [leastSlowMs, mostSlowMs] = [200, 500]

/**
 * Faults out of a hundred attempts, by kind. Most are retried soon because of `Retry-After`; after the others the
 * service backs off, at first for five seconds.
 */
const faultsOf100: Readonly<Partial<Record<ResponseKind, number>>> = {
  slow: 0.6,
  '503': 1,
  '500': 0.1,
  'no response': 0.1,
  reset: 0.2,
}

/** Chooses the kind of a response. */
export function chooseResponse(random: () => number): ResponseKind {
  let rest = random() * 100
  for (const kind of responseKinds) {
    rest -= faultsOf100[kind] ?? 0
    if (rest < 0) return kind
  }
  return 'prompt'
}

/**
 * Responds to a request. Calls `onAccepted` immediately before sending a 2xx, unless the sender has disconnected. A
 * prompt response takes a few milliseconds, so that concurrent deliveries are detected.
 */
export async function respond(
  kind: ResponseKind,
  random: () => number,
  request: IncomingMessage,
  response: ServerResponse,
  onAccepted: () => void,
): Promise<void> {
  switch (kind) {
    case 'prompt':
    case 'slow':
      await pause(kind === 'slow' ? wholeBetween(random, leastSlowMs, mostSlowMs) : wholeBetween(random, 1, 6))
      if (request.socket.destroyed) return
      onAccepted()
      response.writeHead(204).end()
      return
    case '503':
      response.writeHead(503, { 'retry-after': '1' }).end()
      return
    case '500':
      response.writeHead(500).end()
      return
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'no response':
  }
}
