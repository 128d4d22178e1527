/** The holder of a session: an API key, or an admin with the token of the login. */
export interface SessionHolder {
  readonly kind: 'api-key' | 'admin-token'
  readonly id: string
  /** A keyed hash of the entry of the settings that admitted an admin whom the identity provider has signed in. */
  readonly grant: string | undefined
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

/** A session of an API key; the name is undefined unless an admin created the key. */
export interface KeySession extends ConsoleSession {
  readonly keyName: string | undefined
}

/** Sessions of API keys, newest first. */
export interface KeySessionPart {
  /** Only the sessions of this key. */
  readonly keyId: string | undefined
  /** Sessions that are not over at this time, in Unix milliseconds, because they began and were used after these. */
  readonly at: number
  readonly createdAfter: number
  readonly usedAfter: number
  /** The last session of the previous part. */
  readonly after: Pick<ConsoleSession, 'createdAt' | 'digest'> | undefined
  readonly limit: number
}

export interface ConsoleSessionStore {
  /** Adds a session and removes at most a hundred that were last used before `unusedSince`. */
  createConsoleSession(session: ConsoleSession, unusedSince: number): Promise<void>
  findConsoleSession(digest: string): Promise<ConsoleSession | undefined>
  /** Leaves out the sessions of keys that have expired. */
  listKeySessions(part: KeySessionPart): Promise<KeySession[]>
  touchConsoleSession(digest: string, at: number): Promise<void>
  deleteConsoleSession(digest: string): Promise<void>
}
