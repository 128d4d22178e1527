/** A difference with its confidence: the median, and the bounds of 95 % of the medians of resamples. */
export interface Difference {
  readonly median: number
  readonly low: number
  readonly high: number
}

const resamples = 1_000

/** The median of a list. */
export function median(values: readonly number[]): number {
  return sortedMedian(Float64Array.from(values).sort())
}

function sortedMedian(sorted: Float64Array): number {
  const middle = sorted.length >> 1
  const above = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? above : ((sorted[middle - 1] ?? Number.NaN) + above) / 2
}

/** The median of paired differences with a bootstrap confidence interval (percentile method, 95 %). */
export function pairedDifference(values: readonly number[], against: readonly number[]): Difference {
  const differences = values.map((value, index) => value - (against[index] ?? Number.NaN))
  const medians = Float64Array.from({ length: resamples }, () => resampledMedian(differences)).sort()
  const at = (part: number) => medians[Math.floor(part * (resamples - 1))] ?? Number.NaN
  return { median: median(differences), low: at(0.025), high: at(0.975) }
}

function resampledMedian(values: readonly number[]): number {
  const drawn = Float64Array.from(values, () => values[Math.floor(Math.random() * values.length)] ?? Number.NaN)
  return sortedMedian(drawn.sort())
}

/** A list in random order. */
export function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
