import type { CallerOrigin } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { digestSecret, sameSecret } from '../../directory/secret.ts'
import type { FailedLogins, FailureReason } from './failed-logins.ts'
import type { Limited, RateLimit } from './rate-limit.ts'

export interface RootTokenParts {
  readonly rootToken: string
  readonly limit: RateLimit
  readonly failedLogins: FailedLogins
}

/** Verifies the root token and limits attempts to guess it. */
export interface RootTokenGuard {
  /** @throws DirectoryError `too-many-attempts` for an address that has failed too often */
  requireAttempt(origin: CallerOrigin): void
  /** Compares in constant time. */
  isRootToken(text: string | undefined): boolean
  /**
   * Counts a failed attempt and audits it. It counts before it awaits anything, so concurrent attempts cannot exceed the
   * limit.
   *
   * @throws DirectoryError `too-many-attempts` when there were too many in total
   */
  recordFailure(origin: CallerOrigin, reason: FailureReason): Promise<void>
}

export function createRootTokenGuard({ rootToken, limit, failedLogins }: RootTokenParts): RootTokenGuard {
  const digest = digestSecret(rootToken)

  function reject({ retryAfterSeconds }: Limited): never {
    failedLogins.count()
    const message = `Too many failed attempts; try again in ${retryAfterSeconds} seconds.`
    throw new DirectoryError('too-many-attempts', message, [], retryAfterSeconds)
  }

  return {
    requireAttempt({ address }) {
      const limited = limit.limitOf(address)
      if (limited !== undefined) reject(limited)
    },
    isRootToken(text) {
      const isSame = sameSecret(digestSecret(text ?? ''), digest)
      return isSame && text !== undefined
    },
    async recordFailure(origin, reason) {
      const limited = limit.countFailure(origin.address)
      if (limited !== undefined) reject(limited)
      await failedLogins.record(origin, reason)
    },
  }
}
