/** The result of one check. */
export interface Check {
  /** The subject of the check, such as `database`. */
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** The advice, for every check that is not ok. */
  readonly advice?: string
}

/** The results about a database. */
export interface DatabaseChecks {
  readonly checks: readonly Check[]
  /** Whether it exists and has the schema of this version, so that opening it as the service does changes nothing. */
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
