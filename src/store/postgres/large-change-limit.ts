import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'

/** Makes a large change when a connection may be used for it. */
export type LimitLargeChanges = <T>(
  directory: Pick<DirectoryRevision, 'tenant'>,
  change: () => Promise<T>,
) => Promise<T>

/**
 * Limits the connections of a process that large changes occupy, each for many statements; tenants take turns. A directory makes
 * one at a time, as its writes are in a queue.
 */
export function createLargeChangeLimit(connections: number): LimitLargeChanges {
  const semaphore = createFairSemaphore(connections)
  return async ({ tenant }, change) => {
    const leave = await semaphore.acquire(tenant)
    try {
      return await change()
    } finally {
      leave()
    }
  }
}
