/** Grants slices of the process's time to long-running work: one per turn of the event loop, for the whole process. */
export interface TimeSlices {
  /** Resolves when it is this caller's turn; other requests have been served since the last slice. */
  next(): Promise<void>
}

/**
 * Creates the time slices of a process. However many long searches are running, any other request waits for one slice
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
