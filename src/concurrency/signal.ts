import type { Schedule } from './schedule.ts'

/** Wakes one that rests. A ring while nobody rests is kept: the next rest is over at once. */
export interface Signal {
  notify(): void
  /** Resolves at the first ring since the rest before, or after a time. */
  wait(ms: number): Promise<void>
}

export function createSignal(schedule: Schedule): Signal {
  let hasRung = false
  let wake: (() => void) | undefined

  return {
    notify() {
      hasRung = true
      wake?.()
    },
    async wait(ms) {
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
