import type { RecordableHistogram } from 'node:perf_hooks'
import { createHistogram } from 'node:perf_hooks'
import type { CallKind } from './scim-call.ts'

/** The latencies of one kind of call, in milliseconds. */
export interface CallSummary {
  readonly kind: CallKind
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** Failed calls with the same status. */
export interface ErrorSummary {
  /** Undefined when there was no response. */
  readonly status: number | undefined
  readonly count: number
  /** The first of these calls and its error message. */
  readonly firstDetail: string
}

/** Counts calls and their latencies in constant memory. */
export interface Tally {
  readonly callCount: number
  readonly errorCount: number
  /** The number of 429 responses. */
  readonly throttledCount: number
  responded(kind: CallKind, latencyMs: number): void
  throttled(): void
  failed(status: number | undefined, detail: string): void
  calls(): CallSummary[]
  errors(): ErrorSummary[]
}

export function createTally(): Tally {
  const histograms = new Map<CallKind, RecordableHistogram>()
  const errors = new Map<number | undefined, { count: number; firstDetail: string }>()
  const counts = { calls: 0, errors: 0, throttled: 0 }
  return {
    get callCount() {
      return counts.calls
    },
    get errorCount() {
      return counts.errors
    },
    get throttledCount() {
      return counts.throttled
    },
    responded(kind, latencyMs) {
      counts.calls += 1
      histogramOf(histograms, kind).record(Math.max(1, Math.round(latencyMs * 1000)))
    },
    throttled() {
      counts.throttled += 1
    },
    failed(status, detail) {
      counts.errors += 1
      const known = errors.get(status)
      if (known === undefined) errors.set(status, { count: 1, firstDetail: detail })
      else known.count += 1
    },
    calls: () => [...histograms].map(([kind, histogram]) => summarize(kind, histogram)),
    errors: () => [...errors].map(([status, { count, firstDetail }]) => ({ status, count, firstDetail })),
  }
}

/** Values are in microseconds with three significant digits. */
function histogramOf(histograms: Map<CallKind, RecordableHistogram>, kind: CallKind): RecordableHistogram {
  const known = histograms.get(kind)
  if (known !== undefined) return known
  const histogram = createHistogram({ figures: 3 })
  histograms.set(kind, histogram)
  return histogram
}

function summarize(kind: CallKind, histogram: RecordableHistogram): CallSummary {
  const percentileMs = (percentile: number) => histogram.percentile(percentile) / 1000
  return {
    kind,
    count: histogram.count,
    p50Ms: percentileMs(50),
    p95Ms: percentileMs(95),
    p99Ms: percentileMs(99),
    maxMs: histogram.max / 1000,
  }
}
