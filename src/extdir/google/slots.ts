/** Places for so many at a time; who finds none waits, first come, first served. */
export interface Slots {
  /** Takes a place and gives the way to leave it, to be called once. Throws the signal's reason when it stops the wait. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>()
  let free = count

  function leave(): void {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        waiting.delete(go)
        reject(signal.reason)
      }
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      waiting.add(go)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else await turn(signal)
      return leave
    },
  }
}
