/** How events go out in batches (design §7.3). */
export interface BatchMode {
  /** How many events at most in one request. */
  readonly size: number
  /** Every how many milliseconds; undefined when only a call asks for it. */
  readonly intervalMs: number | undefined
}

/** Batch mode, by its settings: on when the size is above 0. @param intervalSeconds 0 for none */
export function batchMode(size = 0, intervalSeconds = 0): BatchMode | undefined {
  if (size <= 0) return undefined
  return { size, intervalMs: intervalSeconds > 0 ? intervalSeconds * 1000 : undefined }
}
