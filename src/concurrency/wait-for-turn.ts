import type { RoundRobin } from './round-robin.ts'

/** An entry in the queue for a limited resource. */
export interface Waiting {
  /** The required amount of the resource. */
  readonly size: number
  readonly start: () => void
}

export interface Turn extends Pick<Waiting, 'size'> {
  readonly key: string
  readonly signal?: AbortSignal | undefined
  /** Called when it is the entry's turn. */
  begin(): void
  /** Starts the entries whose turn it is; called when one was added, or has left early. */
  startNext(): void
}

/**
 * Waits in a queue until its entry is started.
 *
 * @throws the reason of the signal, if it aborts first
 */
export function waitForTurn(waiting: RoundRobin<Waiting>, turn: Turn): Promise<void> {
  const { key, size, signal, begin, startNext } = turn
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    waiting.remove(key, entry)
    reject(signal?.reason)
    startNext()
  }
  const entry: Waiting = {
    size,
    start(): void {
      signal?.removeEventListener('abort', onAbort)
      begin()
      resolve()
    },
  }
  signal?.addEventListener('abort', onAbort)
  waiting.add(key, entry)
  startNext()
  return promise
}
