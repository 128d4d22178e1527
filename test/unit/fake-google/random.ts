import { createRandom } from '../../../tools/simulate/people/random.ts'

/** Chance that a seed decides: a failure can be had again. */
export interface Random {
  /** A whole number between two, both included. */
  between(least: number, most: number): number
  /** Whether something happens that happens so often, of 1. */
  happens(probability: number): boolean
  /** One of them; undefined when there are none. */
  pick<T>(items: readonly T[]): T | undefined
  /** One of them, each as often as it weighs; undefined when all weigh nothing. */
  pickByWeight<T extends { readonly weight: number }>(items: readonly T[]): T | undefined
}

/** The same chances in the same order for the same seed. */
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
