/** The most steps of an axis. */
export const most = 4

/**
 * The values that an axis of whole numbers shows: from 0, in at most four equal steps of 1, 2 or 5 times a power of ten,
 * to the first that is not below the largest number.
 */
export function axisValues(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / most)))
  const step = ([1, 2, 5].find((times) => times * power * most >= largest) ?? 10) * power
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step)
}
