import type { Schedule } from './schedule.ts'

/** Repeats work in the background, never twice at the same time. */
export interface Repetition {
  /** Starts with the first run after a delay in milliseconds. */
  start(delayMs: number): void
  isClosed(): boolean
  /** Starts no further run; resolves when the current one has ended. */
  close(): Promise<void>
}

/** @param work never rejects, and resolves with the delay before the next run, in milliseconds */
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
