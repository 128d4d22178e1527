/** Limits how many callers work concurrently; the others wait in the order of their calls. */
export interface Semaphore {
  /**
   * Resolves when fewer than the limit are running. The returned function must be called at the end.
   *
   * @throws the reason of the signal, if it aborts first
   */
  acquire(signal?: AbortSignal): Promise<() => void>
  /** The numbers of callers that work, and that wait. */
  counts(): { readonly inUse: number; readonly waiting: number }
}

export function createSemaphore(limit: number): Semaphore {
  let running = 0
  const waiting = new Set<() => void>()

  function release(): void {
    const [next] = waiting
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted()
      if (running < limit) running += 1
      else await waitForRelease(signal)
      return release
    },
    counts: () => ({ inUse: running, waiting: waiting.size }),
  }

  /** Waits until a running caller releases. */
  function waitForRelease(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        waiting.delete(enter)
        signal?.removeEventListener('abort', giveUp)
        settle()
      }
      const enter = end(resolve)
      const giveUp = end(() => reject(signal?.reason))
      waiting.add(enter)
      signal?.addEventListener('abort', giveUp)
    })
  }
}
