/** Waits for a delay, or until the signal is aborted. */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, delayMs)
    signal?.addEventListener('abort', end)
  })
}

/** A signal that is aborted with another one, or when a wait takes too long. */
export interface LimitedWaits {
  readonly signal: AbortSignal
  /** Aborts the signal unless the promise is settled in time. */
  during<T>(promise: Promise<T>): Promise<T>
  stop(): void
}

export function limitWaits(limitMs: number, signal: AbortSignal | undefined): LimitedWaits {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    async during<T>(promise: Promise<T>): Promise<T> {
      const timer = setTimeout(abort, limitMs)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
      }
    },
    stop(): void {
      signal?.removeEventListener('abort', abort)
      abort()
    },
  }
}
