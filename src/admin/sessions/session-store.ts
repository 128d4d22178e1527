/** The holder of a session: an API key, or an admin with the token of the login. */
export interface SessionHolder {
  readonly kind: 'api-key' | 'admin-token'
  readonly id: string
}

/** A sign-in to the console. Times are Unix milliseconds. */
export interface ConsoleSession {
  /** A keyed hash of the cookie's value. */
  readonly digest: string
  readonly holder: SessionHolder
  readonly createdAt: number
  /** Time of the last use, up to a minute late. The sign-in counts as a use. */
  readonly lastUsedAt: number
}

export interface ConsoleSessionStore {
  /** Adds a session and removes at most a hundred that were last used before `unusedSince`. */
  createConsoleSession(session: ConsoleSession, unusedSince: number): Promise<void>
  findConsoleSession(digest: string): Promise<ConsoleSession | undefined>
  touchConsoleSession(digest: string, at: number): Promise<void>
  deleteConsoleSession(digest: string): Promise<void>
}
