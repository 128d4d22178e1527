import type { Knobs } from '../knobs.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ServiceAccounts } from './accounts.ts'
import type { Codes, Consents, Tokens } from './grants.ts'

/** The one client that is registered. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
  /** Any address when undefined. */
  readonly redirectUris: readonly string[] | undefined
}

/** What is said of OAuth when the fake starts. */
export interface OAuthParts {
  readonly client: OAuthClient
  readonly adminEmail: string
  readonly tokenUrl: string
  readonly knobs: Knobs
  readonly state: WorkspaceState
  readonly now: () => number
}

/** What the endpoints of OAuth work with. */
export interface OAuthContext extends OAuthParts {
  readonly tokens: Tokens
  readonly codes: Codes
  readonly consents: Consents
  readonly serviceAccounts: ServiceAccounts
}
