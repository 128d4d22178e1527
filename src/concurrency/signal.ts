import type { Schedule } from './schedule.ts'

/** Wakes one that rests. A ring while nobody rests is kept: the next rest is over at once. */
export interface Bell {
  ring(): void
  /** Resolves at the first ring since the rest before, or after a time. */
  rest(ms: number): Promise<void>
}

export function createBell(schedule: Schedule): Bell {
  let hasRung = false
  let wake: (() => void) | undefined

  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async rest(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const cancel = schedule(resolve, ms)
        wake = resolve
        await promise
        cancel()
        wake = undefined
      }
      hasRung = false
    },
  }
}
