/** Counts per key, and their total. */
export interface KeyedCounts {
  of(key: string): number
  total(): number
  /** Adds to the count of a key; a negative number subtracts. Keys with count 0 use no memory. */
  add(key: string, change: number): void
}

export function createKeyedCounts(): KeyedCounts {
  const counts = new Map<string, number>()
  let total = 0
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    total: () => total,
    add(key, change) {
      const count = of(key) + change
      total += change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
