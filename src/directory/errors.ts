/** The refusals that the domain knows, stable for callers. */
export type DirectoryErrorCode =
  | 'invalid-input'
  | 'directory-not-found'
  | 'resource-not-found'
  | 'unauthorized'
  | 'directory-deactivated'
  | 'forbidden'
  | 'user-name-taken'
  | 'version-mismatch'
  | 'already-running'
  | 'not-held'
  | 'needs-authorization'
  | 'busy'
  | 'authorization-failed'
  | 'not-configured'
  | 'too-many-attempts'

/** What is wrong with one field of an input, and how to mend it. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** A rule of the domain that a call broke. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly code: DirectoryErrorCode
  /** Every offending field of an `invalid-input`. */
  readonly problems: readonly FieldProblem[]
  /** When to try again, of a `too-many-attempts`. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: DirectoryErrorCode,
    message: string,
    problems: readonly FieldProblem[] = [],
    retryAfterSeconds?: number,
  ) {
    super(message)
    this.code = code
    this.problems = problems
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Throws one `invalid-input` that names every problem, if there is any. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  throw new DirectoryError('invalid-input', problems.map(({ message }) => message).join(' '), problems)
}
