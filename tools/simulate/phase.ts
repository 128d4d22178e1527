import { CallFailed } from './scim-call.ts'
import type { Tally } from './tally.ts'

/** The phases of a simulation, in their order. */
export type PhaseName = 'connect' | 'create' | 'assign' | 'find' | 'update' | 'groups' | 'offboard' | 'accident'

export interface SimulationProgress {
  readonly phase: PhaseName
  /** Users or groups that are finished, with or without errors. */
  readonly done: number
  readonly total: number
  /** Calls and errors since the simulation started. */
  readonly calls: number
  readonly errors: number
}

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

/** The results of the items that succeeded, in the order of the items. */
export interface PhaseResult<R> {
  readonly results: R[]
  readonly summary: PhaseSummary
}

/**
 * Runs `work` for each item, with limited concurrency. An item whose call fails is counted and skipped. No further item
 * is started once the signal is aborted.
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

/** A failed call is already in the tally; a call that was aborted does not count as failed. */
async function attempt<R>(signal: AbortSignal | undefined, work: () => Promise<R>): Promise<Attempt<R>> {
  try {
    return { kind: 'succeeded', result: await work() }
  } catch (error) {
    if (error instanceof CallFailed) return { kind: 'failed' }
    if (signal?.aborted) return 'interrupted'
    throw error
  }
}
