/** The relative variation of delays, so that simultaneous failures are not retried simultaneously. */
const jitter = 0.2

/**
 * The delay after the n-th consecutive failure, in milliseconds: the n-th of the delays, or the last, ±20 %.
 *
 * @param failures from 1
 * @param random a number from 0 to 1
 */
export function backOffMs(delaysMs: readonly number[], failures: number, random: number): number {
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random))
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` or the obsolete form with dashes; any other form is ignored. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/

/** The delay in a `Retry-After` header (RFC 9110 §10.2.3), in milliseconds; undefined when it is missing or invalid. */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
