import type { FakeGoogle } from './server.ts'

/** The settings of a service that lead to a fake Google. */
export function settingsOf({ clientId, clientSecret, authUrl, tokenUrl, apiUrl }: FakeGoogle) {
  return {
    DSYNC_EXTDIR_CLIENT_ID: clientId,
    DSYNC_EXTDIR_CLIENT_SECRET: clientSecret,
    DSYNC_EXTDIR_AUTH_URL: authUrl,
    DSYNC_EXTDIR_TOKEN_URL: tokenUrl,
    DSYNC_EXTDIR_API_URL: apiUrl,
  }
}
