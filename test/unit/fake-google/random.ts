import { createRandom } from '../../../tools/simulate/people/random.ts'

/** Seeded random numbers, so that a failure can be reproduced. */
export interface Random {
  /** An integer between two bounds, both included. */
  between(least: number, most: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  /** A random item; undefined if there are none. */
  pick<T>(items: readonly T[]): T | undefined
  /** A random item, weighted; undefined if all weights are zero. */
  pickByWeight<T extends { readonly weight: number }>(items: readonly T[]): T | undefined
}

export function seededRandom(seed: number): Random {
  const next = createRandom(seed)
  const pick = <T>(items: readonly T[]) => items[Math.floor(next() * items.length)]
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (probability) => next() < probability,
    pick,
    pickByWeight(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0)
      return items.find(({ weight }) => {
        left -= weight
        return left < 0
      })
    },
  }
}
