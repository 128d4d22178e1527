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

/** The door that the root token opens, and what holds off those who guess it. */
export interface RootTokenGuard {
  /** @throws DirectoryError `too-many-attempts` for an address that has failed too often */
  admit(origin: CallerOrigin): void
  /** Whether a text is the root token, in a time that does not tell how much of it is. */
  isRootToken(text: string | undefined): boolean
  /**
   * Counts a failed attempt and writes it down. It counts before anything is awaited: attempts side by side are no way
   * around the limit.
   *
   * @throws DirectoryError `too-many-attempts` when there were too many in all
   */
  failed(origin: CallerOrigin, reason: FailureReason): Promise<void>
}

export function createRootTokenGuard({ rootToken, limit, failedLogins }: RootTokenParts): RootTokenGuard {
  const digest = digestSecret(rootToken)

  function refuse({ retryAfterSeconds }: Limited): never {
    failedLogins.count()
    const message = `Too many failed attempts: try again in ${retryAfterSeconds} seconds.`
    throw new DirectoryError('too-many-attempts', message, [], retryAfterSeconds)
  }

  return {
    admit({ address }) {
      const limited = limit.limitedAddress(address)
      if (limited !== undefined) refuse(limited)
    },
    isRootToken(text) {
      const isSame = sameSecret(digestSecret(text ?? ''), digest)
      return isSame && text !== undefined
    },
    async failed(origin, reason) {
      const limited = limit.failed(origin.address)
      if (limited !== undefined) refuse(limited)
      await failedLogins.note(origin, reason)
    },
  }
}
