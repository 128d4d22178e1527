import type { Schedule } from './schedule.ts'

/** Wakes one waiter. A notification without a waiter is kept: the next wait returns immediately. */
export interface Signal {
  notify(): void
  /** Resolves at the first notification since the last wait, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>
}

export function createSignal(schedule: Schedule): Signal {
  let isNotified = false
  let wake: (() => void) | undefined

  return {
    notify() {
      isNotified = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const cancel = schedule(resolve, timeoutMs)
        wake = resolve
        await promise
        cancel()
        wake = undefined
      }
      isNotified = false
    },
  }
}
