import type { Schedule } from './schedule.ts'

export interface ThrottleOptions {
  readonly intervalMs: number
  readonly schedule: Schedule
  /** Called once at the end of an interval in which a call for the key was deferred. */
  readonly run: (key: string) => void
}

/** Limits calls per key: those made during an interval are deferred and combined into one at its end. */
export interface Throttle {
  /** Starts an interval for the key, unless one is running. */
  start(key: string): void
  /** Returns whether an interval is running for the key. If so, the call counts as deferred. */
  defers(key: string): boolean
  /** Cancels all intervals; deferred calls are dropped. */
  close(): void
}

interface Interval {
  readonly cancel: () => void
  hasDeferred: boolean
}

export function createThrottle({ intervalMs, schedule, run }: ThrottleOptions): Throttle {
  const intervals = new Map<string, Interval>()

  function end(key: string): void {
    const hasDeferred = intervals.get(key)?.hasDeferred === true
    intervals.delete(key)
    if (hasDeferred) run(key)
  }

  return {
    start(key) {
      if (!intervals.has(key)) intervals.set(key, { cancel: schedule(() => end(key), intervalMs), hasDeferred: false })
    },
    defers(key) {
      const interval = intervals.get(key)
      if (interval !== undefined) interval.hasDeferred = true
      return interval !== undefined
    },
    close() {
      for (const { cancel } of intervals.values()) cancel()
      intervals.clear()
    },
  }
}
