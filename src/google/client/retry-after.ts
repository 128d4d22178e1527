/** `Sun, 06 Nov 1994 08:49:37 GMT` and its older cousin with dashes; other forms are read as absent. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/

/** The wait that a `Retry-After` header asks for (RFC 9110 §10.2.3), in milliseconds; 0 when it asks for none. */
export function askedWaitMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}
