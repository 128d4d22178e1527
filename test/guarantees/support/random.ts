/** Random numbers from 0 (inclusive) to 1, determined by a seed, so that a failure can be repeated. Mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A random integer between two numbers, both inclusive. */
export function wholeBetween(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}
