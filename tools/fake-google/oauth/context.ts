import type { Knobs } from '../knobs.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ServiceAccounts } from './accounts.ts'
import type { Codes, Consents, Tokens } from './grants.ts'

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
  readonly state: WorkspaceState
  readonly now: () => number
}

/** The state of the OAuth endpoints. */
export interface OAuthContext extends OAuthParts {
  readonly tokens: Tokens
  readonly codes: Codes
  readonly consents: Consents
  readonly serviceAccounts: ServiceAccounts
}
