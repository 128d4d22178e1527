import type { Migration } from './migrations.ts'

/** Receives what takes long, and what should not remain as it is; a pino logger fits. */
export interface StoreLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export const silentStoreLog: StoreLog = { info: () => {}, warn: () => {} }

/** Writes a line when work begins that may take long; the function that it returns writes one when the work has ended. */
export function logWork(log: StoreLog, details: object, what: string): () => void {
  const startedAt = performance.now()
  log.info(details, `${what} begins`)
  return () => log.info({ ...details, ms: Math.round(performance.now() - startedAt) }, `${what} has ended`)
}

/** The lines about migrations: two for each; for a new database, which has many short ones, one in all. */
export function createMigrationLines(log: StoreLog) {
  let isNew = false
  let current: { readonly number: number; readonly end: () => void } | undefined

  return {
    /**
     * Called before each attempt of a migration.
     *
     * @param applied the number of the last one that was applied
     */
    begin({ number, name }: Migration, applied: number): void {
      if (isNew || current?.number === number) return
      isNew = applied === 0
      if (isNew) log.info({}, 'a new database is being set up')
      else current = { number, end: logWork(log, { migration: name }, 'a migration') }
    },
    end(): void {
      current?.end()
    },
  }
}

export type MigrationLines = ReturnType<typeof createMigrationLines>
