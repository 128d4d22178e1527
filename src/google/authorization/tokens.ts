import { hash } from 'node:crypto'
import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import type { Directories } from '../../directory/directories.ts'
import type { GoogleConnection, ServiceAccount } from '../../directory/directory.ts'
import { googleConnectionOf } from '../../directory/google-connection.ts'
import { GoogleFailure, isFailure } from '../client/failure.ts'
import type { GoogleOAuth, TokenSource } from '../client/oauth.ts'
import type { TokenSet } from '../client/token-endpoint.ts'

export interface DirectoryTokensParts {
  readonly directories: Pick<Directories, 'get' | 'changeGoogleConnection'>
  readonly oauth: Pick<GoogleOAuth, 'refresh' | 'impersonate'>
  readonly clock: () => number
}

/** The access tokens of directories, renewed when necessary. */
export interface DirectoryTokens {
  /**
   * The tokens of a directory. They fail with `needs-authorization`, without a request, while it waits for an
   * administrator.
   */
  tokensOf(directoryId: string): TokenSource
}

interface Context extends DirectoryTokensParts {
  readonly serviceAccountTokens: ServiceAccountTokens
}

/** The maximum number of attempts of a renewal, which starts over if the grant was changed in the meantime. */
const maxAttempts = 5

/** Time before its expiry at which a token is renewed, in milliseconds. */
const renewBeforeMs = 300_000

/**
 * Creates the token source of directories. Each directory has one renewal at a time within the process, shared by all
 * callers; a renewed token is stored only if the grant has not changed. A service account takes precedence over
 * tokens.
 */
export function createDirectoryTokens(parts: DirectoryTokensParts): DirectoryTokens {
  const context = { ...parts, serviceAccountTokens: createServiceAccountTokens(parts) }
  const renewals = new Map<string, Promise<string>>()

  /** Waits for the renewal in progress, and starts another one only if that returned the rejected token. */
  async function sharedRenewal(directoryId: string, rejected: string | undefined): Promise<string> {
    for (let joined = renewals.get(directoryId); joined !== undefined; joined = renewals.get(directoryId)) {
      const token = await joined
      if (token !== rejected) return token
    }
    const renewal = renew(context, directoryId, rejected).finally(() => renewals.delete(directoryId))
    renewals.set(directoryId, renewal)
    return renewal
  }

  return {
    tokensOf: (directoryId) => ({
      async token() {
        const valid = validToken(context, directoryId, await readGrant(context, directoryId), undefined)
        return valid ?? sharedRenewal(directoryId, undefined)
      },
      renewed: (rejected) => sharedRenewal(directoryId, rejected),
    }),
  }
}

async function renew(context: Context, directoryId: string, rejected: string | undefined): Promise<string> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const grant = await readGrant(context, directoryId)
    const token = validToken(context, directoryId, grant, rejected) ?? (await requestToken(context, directoryId, grant))
    if (token !== undefined) return token
  }
  throw new GoogleFailure('unavailable', 'The tokens of this directory are being changed: try again in a moment.')
}

async function readGrant({ directories }: Context, directoryId: string): Promise<GoogleConnection> {
  const google = googleConnectionOf(await directories.get(directoryId))
  if (google.authorizationNeeded !== undefined) throw needsAuthorization(google.authorizationNeeded)
  return google
}

/** The stored or cached token; undefined if it must be renewed. */
function validToken(context: Context, directoryId: string, grant: GoogleConnection, rejected: string | undefined) {
  const { serviceAccount } = grant
  return serviceAccount === undefined
    ? storedToken(grant, context.clock(), rejected)
    : context.serviceAccountTokens.find(directoryId, serviceAccount, rejected)
}

/** A token without a known expiry is used until it is rejected. */
function storedToken(grant: GoogleConnection, now: number, rejected: string | undefined): string | undefined {
  const { accessToken, refreshToken, accessTokenExpiresAt: expiresAt = Number.POSITIVE_INFINITY } = grant
  const marginMs = refreshToken === undefined ? 0 : renewBeforeMs
  return accessToken === rejected || expiresAt - marginMs <= now ? undefined : accessToken
}

/** Requests a token with the grant; undefined if the stored grant has changed since. */
async function requestToken(
  context: Context,
  directoryId: string,
  grant: GoogleConnection,
): Promise<string | undefined> {
  try {
    if (grant.serviceAccount !== undefined) {
      return await context.serviceAccountTokens.request(directoryId, grant.serviceAccount)
    }
    const tokens = await context.oauth.refresh(refreshTokenOf(grant))
    return (await replaceGrant(context, directoryId, grant, withTokens(grant, tokens)))
      ? tokens.access_token
      : undefined
  } catch (error) {
    if (!isFailure(error, 'needs-authorization') || !hasGrant(grant)) throw error
    const isStored = await replaceGrant(context, directoryId, grant, { ...grant, authorizationNeeded: error.message })
    if (isStored) throw error
    return undefined
  }
}

/** Replaces the stored grant; false, without a write, if it is no longer `before`. */
async function replaceGrant(
  { directories }: Context,
  directoryId: string,
  before: GoogleConnection,
  after: GoogleConnection,
): Promise<boolean> {
  let isReplaced = false
  await directories.changeGoogleConnection(directoryId, (now) => {
    isReplaced = isSameGrant(now, before)
    const { accessToken, refreshToken, accessTokenExpiresAt, scope, authorizationNeeded } = after
    return isReplaced ? { ...now, accessToken, refreshToken, accessTokenExpiresAt, scope, authorizationNeeded } : now
  })
  return isReplaced
}

function withTokens(
  grant: GoogleConnection,
  { access_token, refresh_token, expiry_date, scope }: TokenSet,
): GoogleConnection {
  return {
    ...grant,
    accessToken: access_token,
    refreshToken: refresh_token ?? grant.refreshToken,
    accessTokenExpiresAt: expiry_date,
    scope: scope || grant.scope,
  }
}

function refreshTokenOf({ accessToken, refreshToken }: GoogleConnection): string {
  if (refreshToken !== undefined) return refreshToken
  throw needsAuthorization(
    accessToken === undefined
      ? 'This directory is not connected to Google Workspace yet: an administrator must consent.'
      : 'The access token has expired and there is no refresh token: an administrator must consent again.',
  )
}

function hasGrant({ accessToken, refreshToken, serviceAccount }: GoogleConnection): boolean {
  return (accessToken ?? refreshToken ?? serviceAccount) !== undefined
}

function isSameGrant(a: GoogleConnection, b: GoogleConnection): boolean {
  const grant = ({ accessToken, refreshToken, serviceAccount }: GoogleConnection) =>
    JSON.stringify([accessToken, refreshToken, serviceAccount])
  return grant(a) === grant(b)
}

/**
 * Returns whether there was no new consent and no new service account between the two. A renewed access token is not a new
 * consent; a rotated refresh token counts as one because it looks the same.
 */
export function isSameConsent(a: GoogleConnection, b: GoogleConnection): boolean {
  const consent = ({ accessToken, refreshToken, serviceAccount }: GoogleConnection) =>
    JSON.stringify([refreshToken ?? accessToken, serviceAccount])
  return consent(a) === consent(b)
}

function needsAuthorization(message: string): GoogleFailure {
  return new GoogleFailure('needs-authorization', message)
}

const maxServiceAccountTokens = 1_000

type ServiceAccountTokens = ReturnType<typeof createServiceAccountTokens>

/** The tokens of service accounts, by directory. They are kept in memory only. */
function createServiceAccountTokens({ oauth, clock }: Pick<DirectoryTokensParts, 'oauth' | 'clock'>) {
  const tokens = createBoundedMap<{ readonly account: string; readonly token: string; readonly expiresAt: number }>(
    maxServiceAccountTokens,
  )
  return {
    /** A valid token other than the rejected one; undefined if there is none in memory. */
    find(directoryId: string, account: ServiceAccount, rejected: string | undefined): string | undefined {
      const found = tokens.get(directoryId)
      if (found === undefined || found.account !== digestOf(account) || found.token === rejected) return undefined
      return found.expiresAt - renewBeforeMs > clock() ? found.token : undefined
    },
    async request(directoryId: string, account: ServiceAccount): Promise<string> {
      const { access_token: token, expiry_date: expiresAt } = await oauth.impersonate(account)
      tokens.set(directoryId, { account: digestOf(account), token, expiresAt })
      return token
    },
  }
}

function digestOf(account: ServiceAccount): string {
  return hash('sha256', JSON.stringify(account))
}
