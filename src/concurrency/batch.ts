/** Handles several inputs together: one result per input, in the same order. */
export type RunBatch<I, O> = (key: string, inputs: readonly I[]) => Promise<readonly O[]>

export interface BatchLimits {
  /** The maximum number of inputs in a batch. */
  readonly maxSize: number
  /** The maximum number of concurrent batches of one key. */
  readonly maxConcurrent: number
}

interface Call<I, O> {
  readonly input: I
  readonly resolve: (result: O) => void
  readonly reject: (error: unknown) => void
}

interface Pending<I, O> {
  readonly calls: Call<I, O>[]
  running: number
}

/**
 * Makes a function of one input from a function of many: calls with the same key share a batch if they are made in the
 * same turn of the event loop, or while the previous batches run. A batch starts after all of its calls were made.
 */
export function createBatch<I, O>(
  run: RunBatch<I, O>,
  { maxSize, maxConcurrent }: BatchLimits,
): (key: string, input: I) => Promise<O> {
  const pending = new Map<string, Pending<I, O>>()

  function start(key: string, state: Pending<I, O>): void {
    while (state.calls.length > 0 && state.running < maxConcurrent) {
      state.running += 1
      void runCalls(key, state.calls.splice(0, maxSize)).then(() => {
        state.running -= 1
        start(key, state)
      })
    }
    if (state.running === 0 && pending.get(key) === state) pending.delete(key)
  }

  async function runCalls(key: string, calls: readonly Call<I, O>[]): Promise<void> {
    try {
      const inputs = calls.map(({ input }) => input)
      const results = await run(key, inputs)
      for (const [index, result] of results.entries()) calls[index]?.resolve(result)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  return (key, input) =>
    new Promise((resolve, reject) => {
      const state = pending.get(key) ?? { calls: [], running: 0 }
      pending.set(key, state)
      state.calls.push({ input, resolve, reject })
      if (state.calls.length === 1) setImmediate(start, key, state)
    })
}
