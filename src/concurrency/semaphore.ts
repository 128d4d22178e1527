/** Lets a bounded number work at a time; the others wait in the order they came. */
export interface Slots {
  /**
   * Resolves when fewer than the limit are running; the returned function releases the permit.
   *
   * @throws the reason of the signal, when there is one and that comes first
   */
  take(signal?: AbortSignal): Promise<() => void>
}

export function createSlots(limit: number): Slots {
  let taken = 0
  const waiting = new Set<() => void>()

  function leave(): void {
    const [next] = waiting
    if (next === undefined) taken -= 1
    else next()
  }

  return {
    async take(signal) {
      signal?.throwIfAborted()
      if (taken < limit) taken += 1
      else await turn(signal)
      return leave
    },
  }

  /** Waits until a releasing caller passes on its permit. */
  function turn(signal: AbortSignal | undefined): Promise<void> {
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
