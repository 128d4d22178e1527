import type { Directories } from '../../directory/directories.ts'
import type { GoogleConnection } from '../../directory/directory.ts'
import { googleConnectionOf } from '../../directory/google-connection.ts'
import { GoogleFailure } from '../client/failure.ts'
import type { GoogleOAuth, TokenSet, TokenSource } from '../client/token-set.ts'
import { currentToken, isSameGrant } from './current-token.ts'
import { createImpersonatedTokens } from './impersonated-tokens.ts'

export interface TokenKeeperParts {
  readonly directories: Pick<Directories, 'get' | 'changeGoogleConnection'>
  readonly oauth: Pick<GoogleOAuth, 'refresh' | 'impersonate'>
  readonly clock: () => number
}

/** Keeps the tokens of directories good. */
export interface TokenKeeper {
  /** Throws GoogleFailure `needs-authorization` without asking Google while a directory waits for an administrator. */
  tokensOf(directoryId: string): TokenSource
}

/** How often tokens are read anew because others changed them meanwhile. */
const maxAttempts = 5

/**
 * Makes the keeping of tokens. Within the process a directory has one renewal at a time, which all callers share; what
 * Google gives is stored only over the tokens that it came from. A service account goes before tokens.
 */
export function createTokenKeeper({ directories, oauth, clock }: TokenKeeperParts): TokenKeeper {
  const impersonated = createImpersonatedTokens(oauth, clock)
  const underWay = new Map<string, Promise<string>>()

  async function read(directoryId: string): Promise<GoogleConnection> {
    const extdir = googleConnectionOf(await directories.get(directoryId))
    if (extdir.authorizationNeeded !== undefined) throw needsAuthorization(extdir.authorizationNeeded)
    return extdir
  }

  function find(directoryId: string, extdir: GoogleConnection, refused: string | undefined): string | undefined {
    const { serviceAccount } = extdir
    if (serviceAccount === undefined) return currentToken(extdir, clock(), refused)
    return impersonated.find(directoryId, serviceAccount, refused)
  }

  /** A new token by the grant as it was read; undefined when the grant is another by now. */
  async function renewBy(directoryId: string, extdir: GoogleConnection): Promise<string | undefined> {
    try {
      if (extdir.serviceAccount !== undefined) return await impersonated.renew(directoryId, extdir.serviceAccount)
      const tokens = await oauth.refresh(refreshTokenOf(extdir))
      return (await keepOver(directoryId, extdir, renewed(extdir, tokens))) ? tokens.access_token : undefined
    } catch (error) {
      if (!isAboutGrant(error) || !hasGrant(extdir)) throw error
      if (await keepOver(directoryId, extdir, { ...extdir, authorizationNeeded: error.message })) throw error
      return undefined
    }
  }

  /** Stores a change of the grant; false when somebody else has changed it since it was read. */
  async function keepOver(directoryId: string, before: GoogleConnection, after: GoogleConnection): Promise<boolean> {
    let isKept = false
    await directories.changeGoogleConnection(directoryId, (now) => {
      isKept = isSameGrant(now, before)
      return isKept ? { ...after, domain: now.domain } : now
    })
    return isKept
  }

  async function renew(directoryId: string, refused: string | undefined): Promise<string> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const extdir = await read(directoryId)
      const token = find(directoryId, extdir, refused) ?? (await renewBy(directoryId, extdir))
      if (token !== undefined) return token
    }
    throw new GoogleFailure('unavailable', 'The tokens of this directory are being changed: try again in a moment.')
  }

  /** Renews the token, or waits for the renewal that is under way and takes what that brings. */
  async function renewInTurn(directoryId: string, refused: string | undefined): Promise<string> {
    for (let joined = underWay.get(directoryId); joined !== undefined; joined = underWay.get(directoryId)) {
      const token = await joined
      if (token !== refused) return token
    }
    const renewal = renew(directoryId, refused).finally(() => underWay.delete(directoryId))
    underWay.set(directoryId, renewal)
    return renewal
  }

  return {
    tokensOf: (directoryId) => ({
      async token() {
        const found = find(directoryId, await read(directoryId), undefined)
        return found ?? renewInTurn(directoryId, undefined)
      },
      renewed: (refused) => renewInTurn(directoryId, refused),
    }),
  }
}

function renewed(
  before: GoogleConnection,
  { access_token, refresh_token, expiry_date, scope }: TokenSet,
): GoogleConnection {
  return {
    ...before,
    accessToken: access_token,
    refreshToken: refresh_token ?? before.refreshToken,
    accessTokenExpiresAt: expiry_date,
    scope: scope || before.scope,
  }
}

function refreshTokenOf({ accessToken, refreshToken }: GoogleConnection): string {
  if (refreshToken !== undefined) return refreshToken
  throw needsAuthorization(
    accessToken === undefined
      ? 'This directory is not connected with Google Workspace yet: an administrator must consent.'
      : 'The access token has ended and there is no refresh token: an administrator must consent anew.',
  )
}

function hasGrant({ accessToken, refreshToken, serviceAccount }: GoogleConnection): boolean {
  return (accessToken ?? refreshToken ?? serviceAccount) !== undefined
}

function isAboutGrant(error: unknown): error is GoogleFailure {
  return error instanceof GoogleFailure && error.kind === 'needs-authorization'
}

function needsAuthorization(message: string): GoogleFailure {
  return new GoogleFailure('needs-authorization', message)
}
