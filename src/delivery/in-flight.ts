import { setTimeout as pause } from 'node:timers/promises'
import type { Send } from './attempt.ts'

/** The attempts that this process is making. */
export interface AttemptsInFlight {
  /** Wraps a sender so that its attempts are known. */
  tracking(send: Send): Send
  /** Resolves when the present attempts for a directory have ended, or after a time. */
  ended(directoryId: string, maxMs: number): Promise<void>
}

export function createAttemptsInFlight(): AttemptsInFlight {
  const inFlight = new Map<string, Set<Promise<unknown>>>()
  return {
    tracking:
      (send) =>
      (directory, ...rest) => {
        const attempt = send(directory, ...rest)
        const attempts = inFlight.get(directory.id) ?? new Set()
        inFlight.set(directory.id, attempts.add(attempt))
        const forget = () => {
          attempts.delete(attempt)
          if (attempts.size === 0 && inFlight.get(directory.id) === attempts) inFlight.delete(directory.id)
        }
        attempt.then(forget, forget)
        return attempt
      },
    async ended(directoryId, maxMs) {
      const attempts = inFlight.get(directoryId)
      if (attempts !== undefined)
        await Promise.race([Promise.allSettled(attempts), pause(maxMs, undefined, { ref: false })])
    },
  }
}
