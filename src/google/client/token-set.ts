import type { ServiceAccount } from '../../directory/directory.ts'

/** What a token endpoint gives, in the field names of Google's libraries. */
export interface TokenSet {
  readonly access_token: string
  /** Only with the first consent, or when it was rotated. */
  readonly refresh_token?: string
  /** What was granted, separated by blanks; in no stable order. */
  readonly scope: string
  readonly token_type: string
  /** Unix milliseconds. */
  readonly expiry_date: number
}

/** Google's OAuth, as far as a directory needs it. Every call may throw GoogleFailure. */
export interface GoogleOAuth {
  /** Where an administrator of the customer consents. `domain` narrows the accounts that Google offers. */
  authorizationUrl(request: {
    readonly redirectUri: string
    readonly state: string
    /** S256 (RFC 7636). */
    readonly codeChallenge: string
    readonly domain: string | undefined
  }): string
  exchange(grant: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<TokenSet>
  refresh(refreshToken: string): Promise<TokenSet>
  /** A token for a service account that acts as an administrator (domain-wide delegation). */
  impersonate(account: ServiceAccount): Promise<TokenSet>
}

/** Where the tokens of one directory come from. */
export interface TokenSource {
  /** A token that is good for some minutes, renewed if need be. */
  token(): Promise<string>
  /** Another token than the one that Google has just refused; throws GoogleFailure where there is none. */
  renewed(refused: string): Promise<string>
}
