import type { GoogleOAuthOptions } from '../../../../../src/google/client/oauth.ts'
import { createGoogleOAuth } from '../../../../../src/google/client/oauth.ts'
import { timeless } from './timeless.ts'

export const authUrl = 'https://accounts.google.invalid/o/oauth2/v2/auth'

/** Creates a GoogleOAuth with the token endpoint `/token` below a URL, whose delays take no time. */
export function oauthAt(url: string, options: Partial<GoogleOAuthOptions> = {}) {
  const time = timeless()
  const client = { clientId: 'our-client', clientSecret: 'our-secret' }
  const oauth = createGoogleOAuth({ ...client, authUrl, tokenUrl: `${url}/token`, ...time, ...options })
  return { oauth, slept: time.slept }
}

/** The token response to a complete grant. */
export const granted = {
  access_token: 'ya29.a0-invented',
  expires_in: 3_599,
  refresh_token: '1//0g-invented',
  scope:
    'https://www.googleapis.com/auth/admin.directory.group.member.readonly https://www.googleapis.com/auth/admin.directory.user.readonly https://www.googleapis.com/auth/admin.directory.group.readonly',
  token_type: 'Bearer',
}
