import { mayTake } from './fair-share.ts'
import { createKeyedCounts } from './keyed-counts.ts'
import { createRoundRobin } from './round-robin.ts'
import type { Waiting } from './wait-for-turn.ts'
import { waitForTurn } from './wait-for-turn.ts'

/** Limits the number of places in use; the keys that wait take turns, within the shares of `fair-share.ts`. */
export interface FairSemaphore {
  /**
   * Resolves when a place is free, with the function that frees it again.
   *
   * @throws the reason of the signal, if it aborts first
   */
  acquire(key: string, signal?: AbortSignal): Promise<() => void>
}

export function createFairSemaphore(places: number): FairSemaphore {
  const waiting = createRoundRobin<Waiting>()
  const taken = createKeyedCounts()

  function startNext(): void {
    const mayStart = (key: string): boolean =>
      mayTake(places, { taken: taken.total(), takenByKey: taken.of(key), othersWait: waiting.hasOthers(key) })
    for (let next = waiting.take(mayStart); next !== undefined; next = waiting.take(mayStart)) next.start()
  }

  function release(key: string): void {
    taken.add(key, -1)
    startNext()
  }

  return {
    async acquire(key, signal) {
      signal?.throwIfAborted()
      await waitForTurn(waiting, { key, size: 1, signal, begin: () => taken.add(key, 1), startNext })
      return () => release(key)
    },
  }
}
