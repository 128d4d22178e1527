import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { wholeBetween } from '../support/random.ts'

/** How an endpoint may answer. */
export const answerKinds = ['prompt', 'slow', '503', '500', 'no answer', 'reset'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** A delivery is given up after this time; what is slow comes well before. */
export const deliveryTimeoutMs = 1_000

/**
 * Faults out of a hundred attempts, by kind. Most ask to be called again soon; the others back off, at first for five
 * seconds.
 */
const faultsOf100: Readonly<Partial<Record<AnswerKind, number>>> = {
  slow: 0.6,
  '503': 1,
  '500': 0.1,
  'no answer': 0.1,
  reset: 0.2,
}

/** Chooses how to answer. */
export function chooseAnswer(random: () => number): AnswerKind {
  let rest = random() * 100
  for (const kind of answerKinds) {
    rest -= faultsOf100[kind] ?? 0
    if (rest < 0) return kind
  }
  return 'prompt'
}

/**
 * Answers a request. `onTaken` is called right before a 2xx is sent; it is not when the sender has gone by then. A prompt
 * answer takes a few milliseconds, so that two who send at the same time are seen to.
 */
export async function answer(
  kind: AnswerKind,
  random: () => number,
  request: IncomingMessage,
  response: ServerResponse,
  onTaken: () => void,
): Promise<void> {
  switch (kind) {
    case 'prompt':
    case 'slow':
      await pause(kind === 'slow' ? wholeBetween(random, 200, deliveryTimeoutMs / 2) : wholeBetween(random, 1, 6))
      if (request.socket.destroyed) return
      onTaken()
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
    case 'no answer':
  }
}
