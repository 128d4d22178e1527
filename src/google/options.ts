/** How Google is reached, and as whom. */
export interface ExtdirOptions {
  /** Of the OAuth client in our Google project; without it and its secret, service accounts alone can be used. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Where administrators consent; Google's when left out, as for the other addresses. */
  readonly authUrl?: string | undefined
  readonly tokenUrl?: string | undefined
  /** The root of the Directory API, before `/admin/directory/v1`. */
  readonly apiUrl?: string | undefined
  /** How much of a directory a sync may delete, in percent, more waits for an approval; 30 when left out. */
  readonly maxDeletePercent?: number | undefined
  /** How far apart, in milliseconds, the syncs of a directory begin by themselves; only when asked for when left out. */
  readonly intervalMs?: number | undefined
}

/** Where Google is. */
export const google = {
  authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  apiUrl: 'https://admin.googleapis.com',
}
