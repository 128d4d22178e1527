import { setTimeout as setTimeoutPromise } from 'node:timers/promises'

/** Runs a function once, after a delay in milliseconds; what it gives back cancels that. */
export type Schedule = (run: () => void, delayMs: number) => () => void

/** Timers of Node.js that do not keep the process alive: what waits for them is on disk. */
export const schedule: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/**
 * Waits for a time in milliseconds, without keeping the process alive.
 *
 * @throws the reason of the signal, when that comes first
 */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeoutPromise(ms, undefined, { signal, ref: false })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
