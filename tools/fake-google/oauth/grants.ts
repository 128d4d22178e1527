import type { Knobs } from '../knobs.ts'
import type { Account } from './accounts.ts'

/** The access that an account has granted. Revoking it invalidates all its tokens. */
export interface Grant {
  /** Undefined for a service account that impersonates nobody. */
  readonly account: Account | undefined
  readonly scopes: ReadonlySet<string>
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
  /** Extends a refresh token, or rotates it and returns the new one. */
  useRefresh(token: string, grant: Grant): string | undefined
  expireAccessTokens(): void
}

interface Held {
  readonly grant: Grant
  /** Unix milliseconds. */
  readonly endsAt: number
}

/** A refresh token expires after six months without use. */
const refreshLifeMs = 183 * 24 * 3_600_000

/** The maximum number of refresh tokens per account and client; beyond that, the oldest one stops working. */
const maxRefreshTokens = 100

export function createTokens(knobs: Knobs, now: () => number): Tokens {
  const access = new Map<string, Held>()
  const refresh = new Map<string, Held>()
  let made = 0

  function dropOldest({ account }: Grant): void {
    const same = [...refresh].filter(([, { grant }]) => grant.account?.email === account?.email)
    for (const [token] of same.slice(0, Math.max(0, same.length - maxRefreshTokens + 1))) refresh.delete(token)
  }

  function issueRefresh(grant: Grant): string {
    dropOldest(grant)
    const token = `1//0g-fake-${++made}`
    refresh.set(token, { grant, endsAt: now() + refreshLifeMs })
    return token
  }

  return {
    issueAccess(grant) {
      const token = `ya29.a0-fake-${++made}`
      const seconds = knobs.accessTokenSeconds
      access.set(token, { grant, endsAt: now() + seconds * 1000 })
      return { token, seconds }
    },
    issueRefresh,
    grantOfAccess: (token) => goodGrant(access.get(token), now()),
    grantOfRefresh: (token) => goodGrant(refresh.get(token), now()),
    useRefresh(token, grant) {
      if (knobs.rotatesRefreshTokens) {
        refresh.delete(token)
        return issueRefresh(grant)
      }
      refresh.set(token, { grant, endsAt: now() + refreshLifeMs })
      return undefined
    },
    expireAccessTokens: () => access.clear(),
  }
}

function goodGrant(held: Held | undefined, now: number): Grant | undefined {
  if (held === undefined || held.endsAt <= now || held.grant.isRevoked) return undefined
  return held.grant.account?.isAlive() === false ? undefined : held.grant
}

/** The grant behind an authorization code. */
export interface CodeGrant {
  readonly grant: Grant
  readonly redirectUri: string
  /** The S256 challenge; undefined if the client does not use PKCE. */
  readonly challenge: string | undefined
  /** Whether the exchange also returns a refresh token. */
  readonly includesRefresh: boolean
}

/** Unused authorization codes. Each is valid once, for ten minutes. */
export interface Codes {
  issue(grant: CodeGrant): string
  find(code: string): CodeGrant | undefined
  use(code: string): void
}

const lifeMs = 600_000

export function createCodes(now: () => number): Codes {
  const codes = new Map<string, { readonly grant: CodeGrant; readonly endsAt: number }>()
  let made = 0
  return {
    issue(grant) {
      const code = `4/0A-fake/${++made}`
      codes.set(code, { grant, endsAt: now() + lifeMs })
      return code
    },
    find(code) {
      const held = codes.get(code)
      return held !== undefined && held.endsAt > now() ? held.grant : undefined
    },
    use: (code) => void codes.delete(code),
  }
}

/** The grants of each account. */
export interface Consents {
  /** The scopes granted before; none before the first consent and after a revocation. */
  grantedTo(email: string): ReadonlySet<string>
  add(grant: Grant): void
  /** Revokes a grant; if it came from a consent, revokes all grants of the account. */
  revoke(grant: Grant): void
  revokeAll(): void
}

export function createConsents(): Consents {
  const grants = new Map<string, Grant[]>()
  const of = (email: string) => grants.get(email) ?? []
  return {
    grantedTo: (email) => new Set(of(email).flatMap(({ scopes }) => [...scopes])),
    add(grant) {
      const email = grant.account?.email ?? ''
      grants.set(email, [...of(email), grant])
    },
    revoke(grant) {
      const email = grant.account?.email ?? ''
      grant.isRevoked = true
      if (!of(email).includes(grant)) return
      for (const ended of of(email)) ended.isRevoked = true
      grants.delete(email)
    },
    revokeAll() {
      for (const ended of [...grants.values()].flat()) ended.isRevoked = true
      grants.clear()
    },
  }
}
