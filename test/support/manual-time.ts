import type { Schedule } from '../../src/concurrency/schedule.ts'

interface Timer {
  readonly run: () => void
  readonly delayMs: number
  readonly dueAt: number
}

/** A clock that only moves when a test moves it. */
export function createManualTime(startAt = 0) {
  const timers = new Set<Timer>()
  let now = startAt
  let changed = Promise.withResolvers<void>()

  const schedule: Schedule = (run, delayMs) => {
    const timer = { run, delayMs, dueAt: now + delayMs }
    timers.add(timer)
    changed.resolve()
    changed = Promise.withResolvers()
    return () => timers.delete(timer)
  }

  /** Moves the clock and runs the timers that are due, in order. */
  function advance(ms: number): void {
    const end = now + ms
    for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
      now = Math.max(now, timer.dueAt)
      timers.delete(timer)
      timer.run()
    }
    now = end
  }

  /** Moves the clock to the next timer and runs it; returns false if there is none within this many milliseconds. */
  function runNext(withinMs: number): boolean {
    const timer = nextDue(now + withinMs)
    if (timer !== undefined) advance(timer.dueAt - now)
    return timer !== undefined
  }

  function nextDue(end: number): Timer | undefined {
    const due = [...timers].filter(({ dueAt }) => dueAt <= end)
    return due.sort((a, b) => a.dueAt - b.dueAt)[0]
  }

  /** Resolves when a timer with this delay is set. */
  async function scheduled(delayMs: number): Promise<void> {
    while (![...timers].some((timer) => timer.delayMs === delayMs)) await changed.promise
  }

  return { clock: () => now, schedule, advance, runNext, scheduled, countTimers: () => timers.size }
}
