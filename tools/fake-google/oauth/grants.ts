import type { Knobs } from '../knobs.ts'
import type { Account } from './accounts.ts'

/** What somebody has allowed. All tokens made of it end with it. */
export interface Grant {
  /** Undefined for a service account that acts for nobody. */
  readonly account: Account | undefined
  readonly scopes: ReadonlySet<string>
  isRevoked: boolean
}

/** An access token and the seconds that it is good for. */
export interface GivenAccess {
  readonly token: string
  readonly seconds: number
}

/** The tokens that are about. Those that are not good any more are not found. */
export interface Tokens {
  giveAccess(grant: Grant): GivenAccess
  giveRefresh(grant: Grant): string
  grantOfAccess(token: string): Grant | undefined
  grantOfRefresh(token: string): Grant | undefined
  /** Notes that a refresh token was used, or puts another one in its place and answers that. */
  useRefresh(token: string, grant: Grant): string | undefined
  expireAccessTokens(): void
}

interface Held {
  readonly grant: Grant
  /** Unix milliseconds. */
  readonly endsAt: number
}

/** A refresh token that is not used for so long is dead: six months. */
const refreshLifeMs = 183 * 24 * 3_600_000

/** The refresh tokens that an account can have with a client; the oldest one ends without a word. */
const maxRefreshTokens = 100

export function createTokens(knobs: Knobs, now: () => number): Tokens {
  const access = new Map<string, Held>()
  const refresh = new Map<string, Held>()
  let made = 0

  function dropOldest({ account }: Grant): void {
    const same = [...refresh].filter(([, { grant }]) => grant.account?.email === account?.email)
    for (const [token] of same.slice(0, Math.max(0, same.length - maxRefreshTokens + 1))) refresh.delete(token)
  }

  function giveRefresh(grant: Grant): string {
    dropOldest(grant)
    const token = `1//0g-fake-${++made}`
    refresh.set(token, { grant, endsAt: now() + refreshLifeMs })
    return token
  }

  return {
    giveAccess(grant) {
      const token = `ya29.a0-fake-${++made}`
      const seconds = knobs.accessTokenSeconds
      access.set(token, { grant, endsAt: now() + seconds * 1000 })
      return { token, seconds }
    },
    giveRefresh,
    grantOfAccess: (token) => goodGrant(access.get(token), now()),
    grantOfRefresh: (token) => goodGrant(refresh.get(token), now()),
    useRefresh(token, grant) {
      if (knobs.rotatesRefreshTokens) {
        refresh.delete(token)
        return giveRefresh(grant)
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

/** What a code stands for. */
export interface CodeGrant {
  readonly grant: Grant
  readonly redirectUri: string
  /** S256 of the verifier; undefined when the client did not ask for it. */
  readonly challenge: string | undefined
  /** Whether a refresh token comes with it. */
  readonly givesRefresh: boolean
}

/** Codes that are not used yet. Each is good once, for ten minutes. */
export interface Codes {
  give(grant: CodeGrant): string
  find(code: string): CodeGrant | undefined
  use(code: string): void
}

const lifeMs = 600_000

export function createCodes(now: () => number): Codes {
  const codes = new Map<string, { readonly grant: CodeGrant; readonly endsAt: number }>()
  let made = 0
  return {
    give(grant) {
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

/** What each account has allowed the client so far. */
export interface Consents {
  /** The scopes that were allowed before; none at the first consent, and after a revocation. */
  grantedTo(email: string): ReadonlySet<string>
  add(grant: Grant): void
  /** Ends a grant; when an account has consented to it, all that the account has consented to. */
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
