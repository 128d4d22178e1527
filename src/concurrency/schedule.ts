import { setTimeout as setTimeoutPromise } from 'node:timers/promises'

/** Runs a function once after a delay in milliseconds. Returns a function that cancels it. */
export type Schedule = (run: () => void, delayMs: number) => () => void

/** Node.js timers that do not keep the process alive: pending work is in the database. */
export const schedule: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/**
 * Waits without keeping the process alive.
 *
 * @throws the signal's reason if it aborts first
 */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeoutPromise(ms, undefined, { signal, ref: false })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
