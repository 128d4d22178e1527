import { setTimeout as pause } from 'node:timers/promises'

/** Time after which a test is considered to hang. It is long, because a busy machine must not fail a test. */
export const hangTimeoutMs = 120_000

/** A condition is checked again after a tenth of the time waited so far, within these limits: polling takes CPU time. */
const [pollMs, maxPollMs, pollShare] = [5, 100, 0.1] as const

/** Waits for a condition by polling it, where no event reports it. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await poll(
    async () => condition(),
    (isMet) => isMet,
    () => what,
  )
}

/** Polls a value until it is as expected, and returns it. */
export async function poll<T>(
  read: () => Promise<T>,
  isIt: (value: T) => boolean,
  what: (last: T) => string,
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    const value = await read()
    if (isIt(value)) return value
    const waitedMs = performance.now() - startedAt
    if (waitedMs > hangTimeoutMs) throw new Error(`waited ${hangTimeoutMs} ms for ${what(value)}`)
    await pause(Math.min(Math.max(pollMs, waitedMs * pollShare), maxPollMs))
  }
}

/** Waits for a promise, and fails with what it was waiting for instead of hanging. */
export async function settled<T>(what: string, promise: Promise<T>): Promise<T> {
  const hung = Promise.withResolvers<never>()
  const timer = setTimeout(() => hung.reject(new Error(`waited ${hangTimeoutMs} ms for ${what}`)), hangTimeoutMs)
  return Promise.race([promise, hung.promise]).finally(() => clearTimeout(timer))
}
