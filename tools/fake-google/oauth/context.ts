import type { Knobs } from '../knobs.ts'
import type { ServiceAccounts } from './accounts.ts'
import type { CodeGrant, Tokens } from './grants.ts'

/** The only registered client. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
  /** Any redirect URI is accepted if undefined. */
  readonly redirectUris: readonly string[] | undefined
}

/** The OAuth options of the fake. */
export interface OAuthParts {
  readonly client: OAuthClient
  readonly adminEmail: string
  readonly tokenUrl: string
  readonly knobs: Knobs
  readonly domains: ReadonlySet<string>
  readonly now: () => number
}

/** The state of the OAuth endpoints. */
export interface OAuthContext extends OAuthParts {
  readonly tokens: Tokens
  readonly codes: Map<string, CodeGrant>
  readonly serviceAccounts: ServiceAccounts
}
