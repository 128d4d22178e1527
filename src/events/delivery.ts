import { retryAfterMs, retryDelayMs } from './back-off.ts'

/** How one attempt to send ended: with an answer, or without one. */
export type Delivery = Answered | Failed

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  readonly latencyMs: number
}

export interface Failed {
  readonly kind: 'failed'
  /** A sentence for the log; never holds a secret. */
  readonly reason: string
  readonly latencyMs: number
}

/** What a delivery means for its event: taken, or to be sent again while the stream waits. */
export type Outcome = 'delivered' | Retry

export interface Retry {
  /** A sentence for the log. */
  readonly reason: string
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
}

/** A server that asks to be called again at once still gets this much rest. */
const minRetryAfterMs = 1_000

/** The one place that says what an answer means (design §7.2): 2xx is taken, anything else holds the stream. */
export function outcomeOf(delivery: Delivery): Outcome {
  if (delivery.kind === 'failed') return { reason: delivery.reason, retryAfter: null }
  const { status, retryAfter } = delivery
  return status >= 200 && status < 300 ? 'delivered' : { reason: `answered ${status}`, retryAfter }
}

/** When to send again: as the answer asked with `Retry-After`, between 1 s and 1 h, else by the back-off. */
export function retryPauseMs({ retryAfter }: Retry, failures: number, random: number, nowMs: number): number {
  const asked = retryAfterMs(retryAfter, nowMs)
  return asked === undefined ? retryDelayMs(failures, random) : Math.max(asked, minRetryAfterMs)
}

/** What to count a failed delivery under: few values, whatever the world answers. */
export function failureLabel(delivery: Delivery): string {
  return delivery.kind === 'answered' ? String(delivery.status) : 'no-answer'
}
