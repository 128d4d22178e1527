import { setTimeout as pause } from 'node:timers/promises'

/** Time after which a test is considered to hang. It is long, because a busy machine must not fail a test. */
export const hangTimeoutMs = 120_000

const pollMs = 5

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
  const until = performance.now() + hangTimeoutMs
  for (;;) {
    const value = await read()
    if (isIt(value)) return value
    if (performance.now() > until) throw new Error(`waited ${hangTimeoutMs} ms for ${what(value)}`)
    await pause(pollMs)
  }
}

/** Waits for a promise, and fails with what it was waiting for instead of hanging. */
export async function settled<T>(what: string, promise: Promise<T>): Promise<T> {
  const hung = Promise.withResolvers<never>()
  const timer = setTimeout(() => hung.reject(new Error(`waited ${hangTimeoutMs} ms for ${what}`)), hangTimeoutMs)
  return Promise.race([promise, hung.promise]).finally(() => clearTimeout(timer))
}
