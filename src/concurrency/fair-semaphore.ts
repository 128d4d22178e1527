import { isFree, isWithinShare } from './fair-share.ts'
import { createKeyedCounts } from './keyed-counts.ts'
import { createRoundRobin } from './round-robin.ts'
import type { Waiting } from './wait-for-turn.ts'
import { waitForTurn } from './wait-for-turn.ts'

/** Limits the number of places in use; the keys that wait take turns, within the shares of `fair-share.ts`. */
export interface FairSemaphore {
  /**
   * Resolves when places are free, with the function that frees them again.
   *
   * @param size the number of places; no more than a quarter of all, which is the share of a key while others wait
   * @throws the reason of the signal, if it aborts first
   */
  acquire(key: string, signal?: AbortSignal, size?: number): Promise<() => void>
}

export function createFairSemaphore(places: number): FairSemaphore {
  const waiting = createRoundRobin<Waiting>()
  const taken = createKeyedCounts()

  function startNext(): void {
    let isFull = false
    // While a caller waits for several places, nobody who needs fewer may overtake it.
    const passes = (key: string, { size }: Waiting): boolean => {
      const usage = { size, taken: taken.total(), takenByKey: taken.of(key), othersWait: waiting.hasOthers(key) }
      if (isFull || !isWithinShare(places, usage)) return false
      isFull = !isFree(places, usage)
      return !isFull
    }
    for (let next = waiting.take(passes); next !== undefined; next = waiting.take(passes)) next.start()
  }

  function release(key: string, size: number): void {
    taken.add(key, -size)
    startNext()
  }

  return {
    async acquire(key, signal, size = 1) {
      signal?.throwIfAborted()
      await waitForTurn(waiting, { key, size, signal, begin: () => taken.add(key, size), startNext })
      return () => release(key, size)
    },
  }
}
