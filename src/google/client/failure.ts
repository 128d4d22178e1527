/**
 * Why Google did not give what was asked for, after every repetition that makes sense:
 * - `needs-authorization`: the grant is gone or too small; an administrator of the customer must consent anew
 * - `configuration`: our client or its rights in the Google project are wrong; no customer can mend it
 * - `forbidden`, `not-found`: what was asked for is not for this account, or is not there
 * - `stale-page`: the token of a page is not known (any more): the list must be read from its beginning
 * - `refused`: any other refusal, which repeating does not change
 * - `unavailable`: errors, limits or silence, longer than we wait
 */
export type GoogleFailureKind =
  | 'needs-authorization'
  | 'configuration'
  | 'forbidden'
  | 'not-found'
  | 'stale-page'
  | 'refused'
  | 'unavailable'

/** Google refused or failed. The message is a sentence for an operator; it holds no token and no personal data. */
export class GoogleFailure extends Error {
  override readonly name = 'GoogleFailure'
  readonly kind: GoogleFailureKind

  constructor(kind: GoogleFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
