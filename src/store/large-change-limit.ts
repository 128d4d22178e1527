import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { DirectoryRevision } from '../directory/directory.ts'

/** How many large changes of members a process makes at a time. */
export const maxLargeChanges = 4

/** Makes a large change when it is its turn. */
export type LimitLargeChanges = <T>(directory: DirectoryRevision, change: () => Promise<T>) => Promise<T>

/**
 * Limits the large changes of a process: each holds the ids that it names and, on PostgreSQL, a connection. A directory makes
 * one at a time; tenants take turns.
 */
export function createLargeChangeLimit(places: number = maxLargeChanges): LimitLargeChanges {
  const inOrder = createKeyedMutex()
  const semaphore = createFairSemaphore(places)
  return ({ id, tenant }, change) =>
    inOrder(id, async () => {
      const leave = await semaphore.acquire(tenant)
      try {
        return await change()
      } finally {
        leave()
      }
    })
}
