import type { Knobs } from '../knobs.ts'

/** The access that the administrator has granted. Revoking it invalidates all its tokens. */
export interface Grant {
  readonly scopes: readonly string[]
  isRevoked: boolean
}

/** An access token and its lifetime in seconds. */
export interface IssuedAccess {
  readonly token: string
  readonly seconds: number
}

/** The issued tokens. Invalid ones are not found. */
export interface Tokens {
  issueAccess(grant: Grant): IssuedAccess
  issueRefresh(grant: Grant): string
  grantOfAccess(token: string): Grant | undefined
  grantOfRefresh(token: string): Grant | undefined
  /** The new refresh token, if they rotate. */
  useRefresh(token: string, grant: Grant): string | undefined
  expireAccessTokens(): void
  revokeAll(): void
}

const accessSeconds = 3599

export function createTokens(knobs: Pick<Knobs, 'rotatesRefreshTokens'>, now: () => number): Tokens {
  /** With the time at which each ends, in Unix milliseconds. */
  const access = new Map<string, { readonly grant: Grant; readonly endsAt: number }>()
  const refresh = new Map<string, Grant>()
  let made = 0

  function issueRefresh(grant: Grant): string {
    const token = `1//0g-fake-${++made}`
    refresh.set(token, grant)
    return token
  }

  return {
    issueAccess(grant) {
      const token = `ya29.a0-fake-${++made}`
      access.set(token, { grant, endsAt: now() + accessSeconds * 1000 })
      return { token, seconds: accessSeconds }
    },
    issueRefresh,
    grantOfAccess(token) {
      const held = access.get(token)
      return held !== undefined && held.endsAt > now() ? valid(held.grant) : undefined
    },
    grantOfRefresh: (token) => valid(refresh.get(token)),
    useRefresh(token, grant) {
      if (!knobs.rotatesRefreshTokens) return undefined
      refresh.delete(token)
      return issueRefresh(grant)
    },
    expireAccessTokens: () => access.clear(),
    revokeAll() {
      for (const grant of refresh.values()) grant.isRevoked = true
      access.clear()
    },
  }
}

function valid(grant: Grant | undefined): Grant | undefined {
  return grant?.isRevoked === false ? grant : undefined
}

/** The grant behind an authorization code, which can be used once. */
export interface CodeGrant {
  readonly grant: Grant
  readonly redirectUri: string
  /** The S256 challenge. */
  readonly challenge: string
  /** Whether the exchange also returns a refresh token. */
  readonly includesRefresh: boolean
}
