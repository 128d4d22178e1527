import { CallFailed } from './scim-call.ts'
import type { Tally } from './tally.ts'

/** The parts of a simulation, in their order. */
export type PhaseName = 'connect' | 'join' | 'update' | 'groups' | 'offboard'

/** How far a phase is. */
export interface SimulationProgress {
  readonly phase: PhaseName
  /** Users or groups that are through, well or not. */
  readonly done: number
  readonly total: number
  /** Calls and errors since the simulation started. */
  readonly calls: number
  readonly errors: number
}

/** What a phase came to. */
export interface PhaseSummary {
  readonly phase: PhaseName
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly calls: number
  readonly elapsedMs: number
}

export interface PhaseContext {
  readonly concurrency: number
  readonly tally: Tally
  readonly onProgress?: ((progress: SimulationProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What the items that succeeded gave, in the order of the items, and the figures. */
export interface PhaseResult<R> {
  readonly results: R[]
  readonly summary: PhaseSummary
}

/**
 * Works on the items, so many at a time, each as a whole. One that fails at a call is counted and left; once the
 * signal is aborted no further one is begun.
 */
export async function runPhase<T, R>(
  context: PhaseContext,
  phase: PhaseName,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<PhaseResult<R>> {
  const startedAt = performance.now()
  const callsBefore = context.tally.callCount
  const counts = { succeeded: 0, failed: 0 }
  const results: { index: number; result: R }[] = []
  const report = () => reportProgress(context, phase, counts.succeeded + counts.failed, items.length)
  report()
  await eachOf(items, context, async (item, index) => {
    const outcome = await attempt(context.signal, () => work(item, index))
    if (outcome === 'interrupted') return
    counts[outcome.kind] += 1
    if (outcome.kind === 'succeeded') results.push({ index, result: outcome.result })
    report()
  })
  return {
    results: results.sort((a, b) => a.index - b.index).map(({ result }) => result),
    summary: {
      phase,
      total: items.length,
      ...counts,
      calls: context.tally.callCount - callsBefore,
      elapsedMs: performance.now() - startedAt,
    },
  }
}

function reportProgress({ onProgress, tally }: PhaseContext, phase: PhaseName, done: number, total: number): void {
  onProgress?.({ phase, done, total, calls: tally.callCount, errors: tally.errorCount })
}

/** As many workers as may run at a time take the items from one queue. */
async function eachOf<T>(
  items: readonly T[],
  { concurrency, signal }: PhaseContext,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) {
      if (signal?.aborted) return
      await work(item, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}

type Attempt<R> = { kind: 'succeeded'; result: R } | { kind: 'failed' } | 'interrupted'

/** A failed call is in the tally already; what the aborted signal ended is nobody's failure. */
async function attempt<R>(signal: AbortSignal | undefined, work: () => Promise<R>): Promise<Attempt<R>> {
  try {
    return { kind: 'succeeded', result: await work() }
  } catch (error) {
    if (error instanceof CallFailed) return { kind: 'failed' }
    if (signal?.aborted) return 'interrupted'
    throw error
  }
}
