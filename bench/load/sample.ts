import type { Timing } from './drive.ts'

/** The figures of a series of calls. */
export interface Sample {
  /** Requests per second. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Milliseconds of server CPU for 1,000 requests; NaN if not measured. */
  readonly cpuMsPer1000: number
}

export function sampleOf({ seconds, latencies, cpuMs = Number.NaN }: Timing): Sample {
  const sorted = latencies.toSorted()
  return {
    rate: latencies.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    cpuMsPer1000: (cpuMs / latencies.length) * 1000,
  }
}

/** The median of each figure. */
export function medianSample(samples: readonly Sample[]): Sample {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]))
  return { rate: of('rate'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), cpuMsPer1000: of('cpuMsPer1000') }
}

export function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5)
}

function quantile(sorted: Float64Array, part: number): number {
  const place = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN]
  return low + (high - low) * (place % 1)
}
