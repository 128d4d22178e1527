/** Hands out slices of the process's time to work that takes long, one per turn of the event loop, whoever asks. */
export interface TimeSlices {
  /** Resolves when it is this caller's turn; other requests have been served since the last slice. */
  next(): Promise<void>
}

/**
 * Makes the time slices of a process. However many long searches run at once, a request beside them waits for one slice
 * per turn and not for a slice of each.
 */
export function createTimeSlices(): TimeSlices {
  const waiting: (() => void)[] = []

  function grant(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(grant)
  }

  return {
    next() {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(grant)
      return promise
    },
  }
}
