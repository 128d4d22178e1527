import type { Schedule } from './schedule.ts'

/** Work that is repeated in the background, never twice at a time. */
export interface Repetition {
  /** Does the work for the first time after a delay in milliseconds. */
  start(delayMs: number): void
  isClosed(): boolean
  /** Does not do the work again; resolves when it is not being done any more. */
  close(): Promise<void>
}

/** @param work does the work, never rejects, and resolves with the delay before the next time, in milliseconds */
export function createRepetition(schedule: Schedule, work: () => Promise<number>): Repetition {
  let cancel: (() => void) | undefined
  let working = Promise.resolve()
  let isClosed = false

  function start(delayMs: number): void {
    if (isClosed) return
    cancel = schedule(() => {
      working = work().then(start)
    }, delayMs)
  }

  return {
    start,
    isClosed: () => isClosed,
    close() {
      isClosed = true
      cancel?.()
      return working
    },
  }
}
