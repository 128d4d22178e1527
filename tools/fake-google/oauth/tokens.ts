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
