import { createBoundedMap } from '../concurrency/bounded-map.ts'

const intervalMs = 60_000
const maxRemembered = 10_000

export interface LastUseOptions {
  /** Stores the time of the last use. */
  readonly touch: (id: string, at: number) => Promise<void>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: AdminLog
}

/** Stores the times of the last use of tokens and keys, at most once a minute each. Requests do not wait for it. */
export interface LastUse {
  /** @param lastUsedAt the time that was last read from the store */
  note(id: string, lastUsedAt: number | undefined): void
  /** Resolves when pending writes have ended. */
  close(): Promise<void>
}

export function createLastUse({ touch, clock, log }: LastUseOptions): LastUse {
  const noted = createBoundedMap<number>(maxRemembered)
  const pending = new Set<Promise<void>>()

  function write(id: string, at: number): void {
    const writing = touch(id, at)
      .catch((error) => log.warn({ err: error }, 'could not store the last use of a credential'))
      .finally(() => pending.delete(writing))
    pending.add(writing)
  }

  return {
    note(id, lastUsedAt = 0) {
      const now = clock()
      if (now - Math.max(lastUsedAt, noted.get(id) ?? 0) < intervalMs) return
      noted.set(id, now)
      write(id, now)
    },
    async close() {
      await Promise.all(pending)
    },
  }
}

/** The logger of the management; a pino logger satisfies it. */
export interface AdminLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
