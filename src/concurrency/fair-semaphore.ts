import { mayTake } from './fair-share.ts'
import { createRoundRobin } from './round-robin.ts'

/** Limits how many holders there are at a time; the keys of those that wait take turns, within the shares of `fair-share.ts`. */
export interface FairSemaphore {
  /**
   * Resolves when a place is free, with the function that frees it again.
   *
   * @throws the reason of the signal, if it aborts first
   */
  acquire(key: string, signal: AbortSignal): Promise<() => void>
}

export function createFairSemaphore(places: number): FairSemaphore {
  const waiting = createRoundRobin<{ readonly start: () => void }>()
  const taken = new Map<string, number>()
  let total = 0

  const takenBy = (key: string) => taken.get(key) ?? 0

  function count(key: string, change: 1 | -1): void {
    total += change
    taken.set(key, takenBy(key) + change)
    if (takenBy(key) === 0) taken.delete(key)
  }

  function startNext(): void {
    const passes = (key: string) =>
      mayTake(places, { taken: total, takenByKey: takenBy(key), othersWait: waiting.hasOthers(key) })
    for (let next = waiting.take(passes); next !== undefined; next = waiting.take(passes)) next.start()
  }

  function release(key: string): void {
    count(key, -1)
    startNext()
  }

  return {
    async acquire(key, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const onAbort = () => {
        waiting.remove(key, entry)
        reject(signal.reason)
        startNext()
      }
      const entry = {
        start(): void {
          signal.removeEventListener('abort', onAbort)
          count(key, 1)
          resolve(() => release(key))
        },
      }
      signal.addEventListener('abort', onAbort)
      waiting.add(key, entry)
      startNext()
      return promise
    },
  }
}
