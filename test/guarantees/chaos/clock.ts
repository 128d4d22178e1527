/** Fractional Unix milliseconds of a clock that never goes back. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
