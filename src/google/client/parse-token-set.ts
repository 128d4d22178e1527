import type { Json, JsonObject } from '../../scim/json.ts'
import { own } from '../../scim/json.ts'
import type { GoogleScope } from './scopes.ts'
import { googleScopes } from './scopes.ts'
import type { TokenSet } from './token-set.ts'

const defaultLifeSeconds = 3_600
const maxLifeSeconds = 366 * 24 * 3_600
const maxScopeLength = 4_000

/** What a token endpoint gave (RFC 6749 §5.1); undefined when there is no access token in it. */
export function parseTokenSet(body: JsonObject, nowMs: number): TokenSet | undefined {
  const accessToken = tokenText(own(body, 'access_token'))
  if (accessToken === undefined) return undefined
  const refreshToken = tokenText(own(body, 'refresh_token'))
  const scope = own(body, 'scope')
  return {
    access_token: accessToken,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: typeof scope === 'string' && scope.length <= maxScopeLength ? scope : '',
    token_type: 'Bearer',
    expiry_date: nowMs + lifeSeconds(own(body, 'expires_in')) * 1_000,
  }
}

/** The names of the scopes that are not among the granted ones, which are separated by blanks, in any order. */
export function missingScopes(scope: string): GoogleScope[] {
  const granted = new Set<string>(scope.split(/\s+/))
  return googleScopes.filter((name) => !granted.has(name))
}

/** A token as it can be sent in a header; undefined when it is none. */
function tokenText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value) ? value : undefined
}

/** The usual hour when it is not said: a token that ends earlier is refused, and then renewed. */
function lifeSeconds(expiresIn: Json | undefined): number {
  const seconds = Number(expiresIn ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds, maxLifeSeconds) : defaultLifeSeconds
}
