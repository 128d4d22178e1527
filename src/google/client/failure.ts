/**
 * The reasons why a request to Google failed, after all retries:
 * - `needs-authorization`: the grant was revoked or is too small; an administrator of the customer must authorize again
 * - `configuration`: the OAuth client or Google project is misconfigured; only the operator can fix it
 * - `forbidden`, `not-found`: the account may not read the resource, or the resource does not exist
 * - `stale-page`: Google no longer accepts the page token; the list must be read from the beginning
 * - `refused`: any other error that a retry does not change
 * - `unavailable`: errors, rate limits or timeouts that outlasted the retries
 */
export type GoogleFailureKind =
  | 'needs-authorization'
  | 'configuration'
  | 'forbidden'
  | 'not-found'
  | 'stale-page'
  | 'refused'
  | 'unavailable'

/** A failed request to Google. The message is written for an operator and contains no token and no personal data. */
export class GoogleFailure extends Error {
  override readonly name = 'GoogleFailure'
  readonly kind: GoogleFailureKind

  constructor(kind: GoogleFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Returns whether an error is a `GoogleFailure` of one of these kinds. */
export function isFailure(error: unknown, ...kinds: readonly GoogleFailureKind[]): error is GoogleFailure {
  return error instanceof GoogleFailure && kinds.includes(error.kind)
}
