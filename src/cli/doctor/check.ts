/** What one check found. */
export interface Check {
  /** What was checked, such as `database`. */
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** What to do; for everything that is not ok. */
  readonly advice?: string
}

/** What was found about a database. */
export interface DatabaseChecks {
  readonly checks: readonly Check[]
  /** It is there, and its schema is that of this version: opening it as the service does changes nothing. */
  readonly isCurrent: boolean
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })

export const warn = (name: string, message: string, advice: string): Check => ({
  name,
  status: 'warn',
  message,
  advice,
})

export const fail = (name: string, message: string, advice: string): Check => ({
  name,
  status: 'fail',
  message,
  advice,
})

/** The message of an error with that of its first cause. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
