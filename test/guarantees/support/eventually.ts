import { setTimeout as pause } from 'node:timers/promises'

const lookEveryMs = 5
const timeoutMs = 15_000

/** Waits for what nothing announces; it is looked at every few milliseconds. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await pause(lookEveryMs)
  }
}

/** What a promise gives, if it does so in time. */
export async function inTime<T>(what: string, ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`waited ${ms} ms in vain for ${what}`)), ms)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
