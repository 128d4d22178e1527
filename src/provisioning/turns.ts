import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'

/** How the changes of a process wait for each other. */
export interface Turns {
  /** Concurrent changes of one resource run one after the other, so that they cause no version conflicts. */
  readonly mutex: KeyedMutex
  /** Changes of large resources; tenants take turns. Each takes several times the length of its resource. */
  readonly large: FairSemaphore
}

/** A change of a resource of more characters than this waits for a place among those of large resources. */
export const largeResourceLength = 65_536

const largeChanges = 4

export function createTurns(): Turns {
  return { mutex: createKeyedMutex(), large: createFairSemaphore(largeChanges) }
}
