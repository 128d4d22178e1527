import { createRoundRobin } from './round-robin.ts'

/** Grants slices of the process's time to long-running work: one per turn of the event loop, for the whole process. */
export interface TimeSlices {
  /**
   * Resolves when it is this caller's turn; other requests have been served since the last slice.
   *
   * @param key whose work it is, such as a tenant's: keys take turns
   */
  next(key?: string): Promise<void>
}

/**
 * Creates the time slices of a process. However many long searches are running, any other request waits for one slice
 * per turn and not for a slice of each.
 */
export function createTimeSlices(): TimeSlices {
  const waiting = createRoundRobin<() => void>()

  function grant(): void {
    waiting.take(() => true)?.()
    if (waiting.count() > 0) setImmediate(grant)
  }

  return {
    next(key = '') {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(key, resolve)
      if (waiting.count() === 1) setImmediate(grant)
      return promise
    },
  }
}
