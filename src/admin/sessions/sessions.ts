import { createHmac } from 'node:crypto'
import { createReadCache } from '../../concurrency/read-cache.ts'
import type { CallerOrigin } from '../../directory/audit.ts'
import { newSecret } from '../../directory/secret.ts'
import type { Admins } from '../accounts/admins.ts'
import type { AdminSession } from '../accounts/session.ts'
import { adminCaller } from '../accounts/session.ts'
import type { KeyFinder, KeyHolder } from '../keys/find-key.ts'
import { unscoped } from '../keys/find-key.ts'
import type { AdminLog } from '../last-use.ts'
import { createLastUse } from '../last-use.ts'
import type { ConsoleSession, ConsoleSessionStore, KeySession, KeySessionPart, SessionHolder } from './session-store.ts'

const hourMs = 3_600_000
/** Time after which an unused session ends, in milliseconds. */
const maxUnusedMs = 12 * hourMs
/** Time after which a session ends even if it is used, in milliseconds. */
const maxAgeMs = 7 * 24 * hourMs
/** The same where an identity provider signs in: who has left the company cannot sign in again. */
const maxProviderAgeMs = 12 * hourMs
/** Lifetime of a cached session, in milliseconds: a sign-out in another process takes effect here after this time. */
const keepMs = 5_000
const maxKept = 1_000
/** The value of a cookie: 32 random bytes in URL-safe characters. */
const tokenForm = /^[\w-]{43}$/

/** The holder of a session; `admin` is undefined for an API key. */
export interface SignedIn extends KeyHolder {
  readonly admin: AdminSession | undefined
  /** The digest of the session. */
  readonly sessionId: string
  /** End of the session even if it is used, in Unix milliseconds. */
  readonly expiresAt: number
}

export interface ConsoleSessionsParts {
  readonly store: ConsoleSessionStore
  /** The key of the hashes, the same in every process. */
  readonly hashingKey: string
  readonly findKeyById: KeyFinder['findKeyById']
  /** Undefined when the admin API is off. */
  readonly admins: Pick<Admins, 'sessionOf'> | undefined
  /** Returns whether the settings still have what admitted an admin whom the identity provider has signed in. */
  readonly isGranted: (grant: string) => boolean
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: AdminLog
}

/** The sessions of the console. A session can do what its API key or admin can, and ends with it. */
export interface ConsoleSessions {
  /** Begins a session and returns the value of its cookie, which is not stored. */
  begin(holder: SessionHolder): Promise<string>
  /**
   * The holder of a session; undefined when there is no such session, or when it, its key or its admin token is no
   * longer valid.
   */
  find(token: string, origin: CallerOrigin): Promise<SignedIn | undefined>
  end(token: string): Promise<void>
  /** The sessions of API keys, newest first: of one key, or of all. */
  listOfKeys(part: Pick<KeySessionPart, 'keyId' | 'after' | 'limit'>): Promise<KeySession[]>
  /** The session with this digest; undefined when there is none, or it has ended. */
  get(digest: string): Promise<ConsoleSession | undefined>
  endByDigest(digest: string): Promise<void>
  /** Resolves when pending writes have ended. */
  close(): Promise<void>
}

export function createConsoleSessions(parts: ConsoleSessionsParts): ConsoleSessions {
  const { store, hashingKey, clock, log } = parts
  const lastUse = createLastUse({ touch: (digest, at) => store.touchConsoleSession(digest, at), clock, log })
  const sessions = createReadCache<ConsoleSession>({ keepMs, maxRecords: maxKept, clock })
  const digestOf = (token: string) => createHmac('sha256', hashingKey).update(token).digest('hex')

  async function endByDigest(digest: string): Promise<void> {
    await store.deleteConsoleSession(digest)
    sessions.forget(digest)
  }

  return {
    async begin(holder) {
      const [token, at] = [newSecret(), clock()]
      await store.createConsoleSession(
        { digest: digestOf(token), holder, createdAt: at, lastUsedAt: at },
        at - maxUnusedMs,
      )
      return token
    },
    async find(token, origin) {
      if (!tokenForm.test(token)) return undefined
      const digest = digestOf(token)
      const session = await sessions.find(digest, () => store.findConsoleSession(digest))
      if (session === undefined || hasEnded(session, clock())) return undefined
      const holder = await holderOf(session.holder, parts, origin)
      if (holder === undefined) return undefined
      lastUse.note(session.digest, session.lastUsedAt)
      return { ...holder, sessionId: digest, expiresAt: session.createdAt + maxAgeOf(session) }
    },
    end: (token) => endByDigest(digestOf(token)),
    listOfKeys(part) {
      const at = clock()
      return store.listKeySessions({ ...part, at, createdAfter: at - maxAgeMs, usedAfter: at - maxUnusedMs })
    },
    async get(digest) {
      const session = await store.findConsoleSession(digest)
      return session === undefined || hasEnded(session, clock()) ? undefined : session
    },
    endByDigest,
    close: () => lastUse.close(),
  }
}

const maxAgeOf = ({ holder }: ConsoleSession) => (holder.grant === undefined ? maxAgeMs : maxProviderAgeMs)

function hasEnded(session: ConsoleSession, now: number): boolean {
  return now - session.createdAt >= maxAgeOf(session) || now - session.lastUsedAt >= maxUnusedMs
}

async function holderOf(
  { kind, id, grant }: SessionHolder,
  { findKeyById, admins, isGranted }: ConsoleSessionsParts,
  origin: CallerOrigin,
): Promise<Omit<SignedIn, 'expiresAt' | 'sessionId'> | undefined> {
  if (kind === 'api-key') {
    const holder = await findKeyById(id, origin)
    return holder && { ...holder, admin: undefined }
  }
  if (grant !== undefined && !isGranted(grant)) return undefined
  const admin = await admins?.sessionOf(id)
  return admin && { caller: adminCaller(admin.user, origin), scope: unscoped, admin }
}
