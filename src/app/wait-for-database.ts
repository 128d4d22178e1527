import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../store/errors.ts'

export interface WaitOptions {
  readonly log: { info(message: string): void; warn(message: string): void }
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** The time to wait, in milliseconds. */
  readonly patienceMs?: number | undefined
}

const defaultPatienceMs = 60_000
const pauseMs = 500
/** The time between two lines of the log. */
const reportMs = 5_000

/**
 * Opens a service whose database may not be there yet: it starts later, or is being moved to another server. Says so once,
 * then every few seconds, and when it is there.
 *
 * @throws StoreUnavailable when the database is not available in time
 * @throws every other error of `open` at once
 */
export async function waitForDatabase<T>(
  open: () => Promise<T>,
  { log, signal, patienceMs = defaultPatienceMs }: WaitOptions,
): Promise<T> {
  const until = performance.now() + patienceMs
  const startedAt = performance.now()
  let reportAt = startedAt
  for (;;) {
    try {
      const opened = await open()
      if (reportAt > startedAt)
        log.info(`The database is available, after ${Math.round((performance.now() - startedAt) / 1000)} s`)
      return opened
    } catch (error) {
      const now = performance.now()
      if (!(error instanceof StoreUnavailable) || isMistake(error) || now > until || signal?.aborted === true)
        throw error
      if (now >= reportAt) {
        log.warn(`${error.message}; waiting for it, for ${Math.ceil((until - now) / 1000)} s at most`)
        reportAt = now + reportMs
      }
      await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** SQLSTATE of a wrong password or user, and of a database that does not exist. */
const mistakes = /^(28|3D)/

/** Returns whether waiting does not help, because the database refuses this user, or does not exist. */
function isMistake({ cause }: StoreUnavailable): boolean {
  return cause instanceof Error && 'code' in cause && mistakes.test(String(cause.code))
}
