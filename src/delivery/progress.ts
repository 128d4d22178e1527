import type { Schedule } from '../concurrency/schedule.ts'

/** While events flow, their progress is on disk after this time at the latest. */
const maxUnrecordedMs = 250

export interface ProgressOptions {
  /** Puts on disk how far the stream has come. */
  readonly record: () => Promise<unknown>
  readonly schedule: Schedule
  readonly onError: (error: unknown) => void
}

/** How far a stream has come, written now and then: what is lost in a crash is delivered again. */
export interface Progress {
  /** Notes that the stream has come further. */
  advance(): void
  /** Writes what is not written yet; false when the store failed, and then all of it is still to be written. */
  flush(): Promise<boolean>
  /** Drops what is not written yet. */
  forget(): void
}

export function createProgress({ record, schedule, onError }: ProgressOptions): Progress {
  let steps = 0
  let recorded = 0
  let writing: Promise<boolean> | undefined
  let cancelTimer: (() => void) | undefined

  function advance(): void {
    steps += 1
    cancelTimer ??= schedule(flush, maxUnrecordedMs)
  }

  async function flush(): Promise<boolean> {
    stopTimer()
    while (recorded < steps) {
      writing ??= write(steps)
      if (!(await writing)) return false
    }
    return true
  }

  async function write(upTo: number): Promise<boolean> {
    try {
      await record()
      recorded = Math.max(recorded, upTo)
      return true
    } catch (error) {
      onError(error)
      return false
    } finally {
      writing = undefined
    }
  }

  function forget(): void {
    stopTimer()
    recorded = steps
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return { advance, flush, forget }
}
