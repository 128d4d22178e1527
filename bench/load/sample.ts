import type { Timing } from './drive.ts'

/** The figures of a series of calls. */
export interface Sample {
  /** CPU time of the server and its database for 1,000 requests, in milliseconds; NaN if not measured. */
  readonly workMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export function sampleOf({ latencies, cpuMs = Number.NaN }: Timing): Sample {
  const sorted = latencies.toSorted()
  return {
    workMs: (cpuMs / latencies.length) * 1000,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

/** The median of each figure. */
export function medianSample(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]))
  return { workMs: of('workMs'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') }
}

export function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5)
}

function quantile(sorted: Float64Array, part: number): number {
  const place = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN]
  return low + (high - low) * (place % 1)
}
