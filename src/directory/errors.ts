import type { FieldProblem } from '../inputs/unknown-fields.ts'

/** The codes of domain errors; stable for callers. */
export type DirectoryErrorCode =
  | 'invalid-input'
  | 'directory-not-found'
  | 'resource-not-found'
  | 'gone'
  | 'unauthorized'
  | 'directory-deactivated'
  | 'forbidden'
  | 'user-name-taken'
  | 'group-name-taken'
  | 'account-taken'
  | 'no-adoption'
  | 'plan-changed'
  | 'version-mismatch'
  | 'mapping-changed'
  | 'too-many-directories'
  | 'too-many-clients'
  | 'directory-in-use'
  | 'setup-link-exists'
  | 'already-running'
  | 'cursor-diverged'
  | 'not-held'
  | 'hold-changed'
  | 'not-blocking'
  | 'user-active'
  | 'directory-held'
  | 'ambiguous-subject'
  | 'needs-authorization'
  | 'busy'
  | 'authorization-failed'
  | 'not-configured'
  | 'too-many-attempts'

/** An error that the caller caused by breaking a rule of the domain. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly code: DirectoryErrorCode
  /** The invalid fields of an `invalid-input`, and those that differ of a `setup-link-exists`. */
  readonly problems: readonly FieldProblem[]
  /** Time after which to retry a `too-many-attempts` or `busy`. */
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

/** The error when a rate limit is exceeded, such as that of "failed attempts". */
export function tooMany(what: string, waitSeconds: number): DirectoryError {
  return new DirectoryError('too-many-attempts', `Too many ${what}: try again in ${waitSeconds} s.`, [], waitSeconds)
}

/** @throws DirectoryError `invalid-input` that names every problem; does nothing without problems */
export function throwProblems(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  throw new DirectoryError('invalid-input', problems.map(({ message }) => message).join(' '), problems)
}
