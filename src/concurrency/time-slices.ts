import { createRoundRobin } from './round-robin.ts'

/** Grants slices of the process's time to long-running work: one per turn of the event loop, for the whole process. */
export interface TimeSlices {
  /**
   * Resolves when it is this caller's turn. Other requests have been served since the last slice.
   *
   * @param key the owner of the work, such as a tenant: keys take turns
   */
  next(key?: string): Promise<void>
}

/**
 * Creates the time slices of a process. With any number of long searches, another request waits for one slice per turn,
 * not for a slice of each.
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
