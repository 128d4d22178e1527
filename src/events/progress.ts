import type { Schedule } from './schedule.ts'

/** While events flow, their progress is on disk after this time at the latest. */
const maxUnrecordedMs = 250

export interface ProgressOptions {
  /** Puts on disk that the events up to that sequence number are delivered. */
  readonly record: (sequence: number) => Promise<void>
  readonly schedule: Schedule
  readonly onError: (error: unknown) => void
}

/** How far a stream has come, written now and then: what is lost in a crash is delivered again. */
export interface Progress {
  /** Notes that the event of that sequence number is delivered. */
  advance(sequence: number): void
  /** Writes what is not written yet; false when the store failed, and then all of it is still to be written. */
  flush(): Promise<boolean>
  /** Drops what is not written yet. */
  forget(): void
}

export function createProgress({ record, schedule, onError }: ProgressOptions): Progress {
  let delivered = 0
  let recorded = 0
  let writing: Promise<boolean> | undefined
  let cancelTimer: (() => void) | undefined

  function advance(sequence: number): void {
    delivered = sequence
    cancelTimer ??= schedule(flush, maxUnrecordedMs)
  }

  async function flush(): Promise<boolean> {
    stopTimer()
    while (recorded < delivered) {
      writing ??= write(delivered)
      if (!(await writing)) return false
    }
    return true
  }

  async function write(sequence: number): Promise<boolean> {
    try {
      await record(sequence)
      recorded = Math.max(recorded, sequence)
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
    delivered = recorded
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return { advance, flush, forget }
}
