const everyMs = 60_000
const maxNoted = 10_000

export interface LastUseOptions {
  /** Writes down that something was used. */
  readonly touch: (id: string, at: number) => Promise<void>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: AdminLog
}

/** Notes when tokens and keys were used last, of each once a minute at most. No request waits for it. */
export interface LastUse {
  /** @param lastUsedAt as the store had it last */
  note(id: string, lastUsedAt: number | undefined): void
  /** Resolves when what is under way is written. */
  close(): Promise<void>
}

export function createLastUse({ touch, clock, log }: LastUseOptions): LastUse {
  const noted = new Map<string, number>()
  const underWay = new Set<Promise<void>>()

  function write(id: string, at: number): void {
    const writing = touch(id, at)
      .catch((error) => log.warn({ err: error }, 'the last use of a credential could not be noted'))
      .finally(() => underWay.delete(writing))
    underWay.add(writing)
  }

  return {
    note(id, lastUsedAt = 0) {
      const now = clock()
      if (now - Math.max(lastUsedAt, noted.get(id) ?? 0) < everyMs) return
      noted.delete(id)
      noted.set(id, now)
      if (noted.size > maxNoted) noted.delete(noted.keys().next().value ?? '')
      write(id, now)
    },
    async close() {
      await Promise.all(underWay)
    },
  }
}

/** Where the management of the service writes what an operator must know; a pino logger is one. */
export interface AdminLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
