/** `1 user`, `2 users`, `1,200 users`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}

/** A readable duration: `0.85 ms`, `12.3 ms`, `940 ms`, `3.2 s`; whole milliseconds without decimals. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  if (ms >= 100 || Number.isInteger(ms)) return `${Math.round(ms)} ms`
  return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`
}

/** A readable rate: `850` or, below ten, `3.2`. */
export function formatRate(perSecond: number): string {
  return perSecond >= 10 ? Math.round(perSecond).toLocaleString('en-US') : perSecond.toFixed(1)
}
