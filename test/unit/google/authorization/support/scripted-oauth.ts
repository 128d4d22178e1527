import type { GoogleOAuth } from '../../../../../src/google/client/oauth.ts'
import { googleScopes } from '../../../../../src/google/client/oauth.ts'
import type { TokenSet } from '../../../../../src/google/client/token-endpoint.ts'

export const startedAt = 1_700_000_000_000
export const allScopes = googleScopes.join(' ')

export function someTokens(given: Partial<TokenSet> = {}): TokenSet {
  return {
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    scope: allScopes,
    token_type: 'Bearer',
    expiry_date: startedAt + 3_600_000,
    ...given,
  }
}

/** A call and its argument. */
type Asked = { [Call in 'exchange' | 'refresh' | 'impersonate']: readonly [Call, Parameters<GoogleOAuth[Call]>[0]] }
export type AskedOfGoogle = Asked[keyof Asked]

/** A scripted GoogleOAuth that records its calls. */
export interface ScriptedOAuth extends GoogleOAuth {
  readonly asked: AskedOfGoogle[]
  /** The result of further calls; an error is thrown. */
  answer: () => TokenSet | Error | Promise<TokenSet | Error>
}

export function scriptedOAuth(): ScriptedOAuth {
  async function answered(asked: AskedOfGoogle): Promise<TokenSet> {
    oauth.asked.push(asked)
    const response = await oauth.answer()
    if (response instanceof Error) throw response
    return response
  }
  const oauth: ScriptedOAuth = {
    asked: [],
    answer: someTokens,
    authorizationUrl({ redirectUri, state, codeChallenge, domain = '' }) {
      const query = new URLSearchParams({ redirectUri, state, codeChallenge, domain })
      return `https://accounts.example.com/auth?${query}`
    },
    exchange: (grant) => answered(['exchange', grant]),
    refresh: (refreshToken) => answered(['refresh', refreshToken]),
    impersonate: (account) => answered(['impersonate', account]),
  }
  return oauth
}
