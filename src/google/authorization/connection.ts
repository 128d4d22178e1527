import type { GoogleConnection, PendingConnection } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { GoogleAccount } from '../client/account.ts'

/** Tokens of a consent, or those that the product obtained on its own. */
export type Grant = Pick<PendingConnection, 'accessToken' | 'refreshToken' | 'accessTokenExpiresAt' | 'scope'>

/** The connection after a consent that needs no approval. */
export function connectedWith(before: GoogleConnection, grant: Grant, workspace: string | undefined): GoogleConnection {
  return {
    ...withoutServiceAccount(before),
    ...grant,
    workspace,
    pending: undefined,
    authorizationNeeded: undefined,
  }
}

/** The unchanged connection, with a consent that waits for approval. */
export function withPending(before: GoogleConnection, pending: PendingConnection): GoogleConnection {
  return { ...withoutServiceAccount(before), pending }
}

/** @throws DirectoryError `not-held` if no consent waits */
export function approved({ pending, ...before }: GoogleConnection): GoogleConnection {
  if (pending === undefined) {
    throw new DirectoryError('not-held', 'No Google Workspace is waiting for approval.')
  }
  const { workspace, reason: _, ...grant } = pending
  return connectedWith(before, grant, workspace)
}

/** Counts a completed consent: the authorization URLs made before it are invalid from now on. */
export function countConsent(connection: GoogleConnection): GoogleConnection {
  return { ...connection, consents: consentsOf(connection) + 1 }
}

export function consentsOf({ consents = 0 }: GoogleConnection): number {
  return consents
}

/**
 * The reason why a consent must be approved before it replaces the connection; undefined if it need not.
 *
 * @param connected the Workspace that is connected now; `unknown` if the connection does not name it
 */
export function replacementReason(
  { workspace, hasDomain }: GoogleAccount,
  connected: string | 'none' | 'unknown',
  domain: string | undefined,
): string | undefined {
  if (!hasDomain) return `The domain ${domain} does not belong to the Google Workspace of the account that consented.`
  if (connected === 'none' || (workspace !== undefined && connected === workspace)) return undefined
  return connected === 'unknown'
    ? 'The directory is connected with a Google Workspace that could not be compared with that of the account that consented.'
    : 'The account that consented belongs to another Google Workspace than the one that is connected.'
}

/** Rejects a directory with a service account: it takes precedence, so tokens would never be used. */
export function withoutServiceAccount(google: GoogleConnection): GoogleConnection {
  if (google.serviceAccount === undefined) return google
  throw new DirectoryError(
    'invalid-input',
    'This directory uses a service account: remove it (extdir_service_account: null) to use consent.',
  )
}
