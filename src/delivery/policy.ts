import { retryAfterMs, retryDelayMs } from './back-off.ts'

/** How one attempt to send ended: with an answer, or without one. */
export type AttemptResult = EndpointResponse | NoResponse

export interface EndpointResponse {
  readonly kind: 'answered'
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  /** The beginning of the answer's body, as text. */
  readonly body: string
  readonly latencyMs: number
}

export interface NoResponse {
  readonly kind: 'failed'
  /** A sentence for the log; never holds a secret. */
  readonly reason: string
  readonly latencyMs: number
}

/**
 * What a delivery means for its event: taken; to be sent again while the stream waits; refused, which counts against the
 * event; or the endpoint says that it is gone.
 */
export type Outcome = 'delivered' | Failure

export interface Failure {
  readonly kind: 'retry' | 'refused' | 'gone'
  /** A sentence for the log. */
  readonly reason: string
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
}

/** A server that asks to be called again at once still gets this much rest. */
const minRetryAfterMs = 1_000

/** After so many refusals an event is set aside as dead. */
export const maxRefusals = 12

/** After so long a time of failures only, a stream is paused, in milliseconds. */
export const maxFailingMs = 5 * 24 * 3600 * 1000

/**
 * The one place that says what an answer means (design §7.2). Those that ask to come again later hold the stream; any
 * other but 2xx is about the event.
 */
export function outcomeOf(delivery: AttemptResult): Outcome {
  if (delivery.kind === 'failed') return { kind: 'retry', reason: delivery.reason, retryAfter: null }
  const { status, retryAfter } = delivery
  if (status >= 200 && status < 300) return 'delivered'
  return { kind: kindOf(status), reason: `answered ${status}`, retryAfter }
}

function kindOf(status: number): Failure['kind'] {
  if (status === 410) return 'gone'
  const isLater = status === 408 || status === 425 || status === 429 || status >= 500
  return isLater ? 'retry' : 'refused'
}

/** When to send again: as the answer asked with `Retry-After`, between 1 s and 1 h, else by the back-off. */
export function retryPauseMs({ retryAfter }: Failure, failures: number, random: number, nowMs: number): number {
  const asked = retryAfterMs(retryAfter, nowMs)
  return asked === undefined ? retryDelayMs(failures, random) : Math.max(asked, minRetryAfterMs)
}

/** What to count a failed delivery under: few values, whatever the world answers. */
export function failureLabel(delivery: AttemptResult): string {
  return delivery.kind === 'answered' ? String(delivery.status) : 'no-answer'
}
