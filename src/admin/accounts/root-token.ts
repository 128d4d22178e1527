import type { CallerOrigin } from '../../directory/audit.ts'
import { tooMany } from '../../directory/errors.ts'
import { digestSecret, sameSecret } from '../../directory/secret.ts'
import type { FailedLogins, FailureReason } from './failed-logins.ts'
import type { FailureLimit } from './failure-limit.ts'

export interface RootTokenParts {
  readonly rootToken: string
  readonly limit: FailureLimit
  readonly failedLogins: FailedLogins
}

/** Verifies the root token, and limits and audits wrong ones. */
export interface RootTokenGuard {
  /** Compares in constant time. */
  isRootToken(text: string | undefined): boolean
  /**
   * Counts a failed attempt and audits it. It counts before it awaits anything, so concurrent attempts cannot exceed the
   * limit.
   *
   * @throws DirectoryError `too-many-attempts` when there were too many before, of this address or in total
   */
  recordFailure(origin: CallerOrigin, reason: FailureReason): Promise<void>
}

export function createRootTokenGuard({ rootToken, limit, failedLogins }: RootTokenParts): RootTokenGuard {
  const digest = digestSecret(rootToken)

  return {
    isRootToken(text) {
      const isSame = sameSecret(digestSecret(text ?? ''), digest)
      return isSame && text !== undefined
    },
    async recordFailure(origin, reason) {
      const waitSeconds = limit.countFailure(origin.address)
      if (waitSeconds === undefined) return failedLogins.record(origin, reason)
      failedLogins.count()
      throw tooMany('failed attempts', waitSeconds)
    },
  }
}
