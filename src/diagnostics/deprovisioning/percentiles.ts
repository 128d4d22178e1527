import type { DurationCount } from './deprovisioning-store.ts'

/** The number of deprovisionings, and percentiles of their durations in milliseconds; null when there was none. */
export interface Percentiles {
  readonly count: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
}

/** @param durations in ascending order */
export function percentilesOf(durations: readonly DurationCount[]): Percentiles {
  const count = durations.reduce((sum, duration) => sum + duration.count, 0)
  const at = (share: number) => durationAt(durations, Math.max(1, Math.ceil(count * share)))
  return { count, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) }
}

/** The duration at this rank, from 1; null when there are fewer. */
function durationAt(durations: readonly DurationCount[], rank: number): number | null {
  let passed = 0
  for (const { ms, count } of durations) {
    passed += count
    if (passed >= rank) return ms
  }
  return null
}
