/** A generator of numbers in [0, 1), reproducible by its seed (mulberry32). Not for secrets. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A shuffled copy of the items (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result: T[] = []
  for (const item of items) {
    const position = Math.floor(random() * (result.length + 1))
    const displaced = result[position]
    if (displaced === undefined) result.push(item)
    else {
      result.push(displaced)
      result[position] = item
    }
  }
  return result
}
