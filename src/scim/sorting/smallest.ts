/** Keeps the smallest values and drops the others. */
export interface SmallestCollector<T> {
  offer(value: T): void
  /** In ascending order, at most `limit`. */
  sorted(): T[]
}

/** @param limit the number of values to keep; up to twice as many are held in between */
export function collectSmallest<T>(limit: number, compare: (a: T, b: T) => number): SmallestCollector<T> {
  const kept: T[] = []
  let isFull = false

  function trim(): void {
    kept.sort(compare).splice(limit)
    isFull = kept.length === limit
  }

  return {
    offer(value) {
      const last = isFull ? kept[limit - 1] : undefined
      if (limit === 0 || (last !== undefined && compare(value, last) >= 0)) return
      kept.push(value)
      if (kept.length >= 2 * limit) trim()
    },
    sorted() {
      trim()
      return [...kept]
    },
  }
}
