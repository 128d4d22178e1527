const second = 1_000
const minute = 60 * second

const retryStepsMs = [5 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 15 * minute] as const
const lastStepMs = 15 * minute
const jitter = 0.2

const maxRetryAfterMs = 60 * minute

/** `Sun, 06 Nov 1994 08:49:37 GMT` and its older cousin with dashes; other forms are read as absent. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/

/**
 * How long to wait after the n-th failure in a row (from 1): 5 s, 30 s, 2 min, 5 min, 10 min, then always 15 min, each
 * spread by ±20 % so that directories that failed together do not come back together.
 *
 * @param random from 0 to 1
 */
export function retryDelayMs(failures: number, random: number): number {
  const step = retryStepsMs[Math.max(0, failures - 1)] ?? lastStepMs
  return Math.round(step * (1 - jitter + 2 * jitter * random))
}

/**
 * The wait that a `Retry-After` header asks for (RFC 9110 §10.2.3): seconds or an HTTP date, from 0 to one hour.
 * Undefined when there is none or it cannot be read.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const asked = askedMs(header?.trim() ?? '', nowMs)
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(0, asked), maxRetryAfterMs)
}

function askedMs(header: string, nowMs: number): number {
  if (/^\d+$/.test(header)) return Number(header) * second
  return httpDate.test(header) ? Date.parse(header) - nowMs : Number.NaN
}
