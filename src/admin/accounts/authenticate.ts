import type { CallerOrigin } from '../../directory/audit.ts'
import { unknownOrigin } from '../../directory/audit.ts'
import { digestSecret, newSecret } from '../../directory/secret.ts'
import type { LastUse } from '../last-use.ts'
import type { AccountStore } from './account-store.ts'
import type { Credentials } from './credentials.ts'
import { parseCredentials } from './credentials.ts'
import type { Jwts } from './jwt.ts'
import type { RootTokenGuard } from './root-token.ts'
import type { AdminSession } from './session.ts'
import { isUsable } from './session.ts'
import { createSessionCache } from './session-cache.ts'
import type { TokenHashing } from './token-hashing.ts'

export interface AuthenticationParts {
  readonly store: Pick<AccountStore, 'getAdminToken'>
  readonly rootTokenGuard: RootTokenGuard
  readonly hashing: TokenHashing
  readonly jwts: Jwts
  readonly lastUse: LastUse
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Authenticates the requests of logged-in admins. */
export interface Authentication {
  /**
   * The session of an `Authorization` header; undefined when it is not valid. A wrong root token counts as a failed
   * login.
   *
   * @throws DirectoryError `too-many-attempts`
   */
  authenticate(header: string | undefined, origin?: CallerOrigin): Promise<AdminSession | undefined>
  /** The session of an admin token, for a caller who has logged in with it before; undefined when it is not valid. */
  sessionOf(tokenId: string): Promise<AdminSession | undefined>
  /** Drops a token from the session cache. */
  forget(tokenId: string): void
}

type RequestCredentials = Exclude<Credentials, { kind: 'login' }>
type Proof = { readonly session: AdminSession; readonly expiresAt: number }

export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { store, rootTokenGuard, hashing, jwts, lastUse, clock } = parts
  let unusedHash: Promise<string> | undefined

  async function readSession(tokenId: string): Promise<AdminSession | undefined> {
    const found = await store.getAdminToken(tokenId)
    return found !== undefined && isUsable(found.token, clock()) ? found : undefined
  }
  const sessions = createSessionCache({ read: readSession, clock })

  /** A hash that no token has. It is compared for an unknown id, so that it takes the same time as a known one. */
  function hashOfNoToken(): Promise<string> {
    unusedHash ??= hashing.hash(newSecret())
    return unusedHash
  }

  async function proveToken(id: string, token: string): Promise<Proof | undefined> {
    const found = await store.getAdminToken(id)
    const matches = await hashing.matches(token, found?.token.tokenHash ?? (await hashOfNoToken()))
    const isValid = matches && found !== undefined && isUsable(found.token, clock())
    return isValid ? { session: found, expiresAt: Number.POSITIVE_INFINITY } : undefined
  }

  async function proveJwt(jwt: string): Promise<Proof | undefined> {
    const subject = await jwts.verify(jwt)
    if (subject === undefined) return undefined
    const session = await readSession(subject.tokenId)
    return session?.user.id === subject.userId ? { session, expiresAt: subject.expiresAt } : undefined
  }

  async function prove(credentials: RequestCredentials, origin: CallerOrigin): Promise<Proof | undefined> {
    if (credentials.kind === 'bearer') return proveJwt(credentials.jwt)
    if (rootTokenGuard.isRootToken(credentials.rootToken)) return proveToken(credentials.id, credentials.token)
    await rootTokenGuard.recordFailure(origin, 'wrong token')
    return undefined
  }

  return {
    async authenticate(header, origin = unknownOrigin) {
      const credentials = parseCredentials(header)
      if (header === undefined || credentials === undefined || credentials.kind === 'login') return undefined
      const digest = digestSecret(header).toString('base64')
      const session = await sessions.find(digest, () => prove(credentials, origin))
      if (session !== undefined) lastUse.note(session.token.id, session.token.lastUsedAt)
      return session
    },
    async sessionOf(tokenId) {
      const prove = async () => {
        const session = await readSession(tokenId)
        return session && { session, expiresAt: Number.POSITIVE_INFINITY }
      }
      const session = await sessions.find(`token ${tokenId}`, prove)
      if (session !== undefined) lastUse.note(session.token.id, session.token.lastUsedAt)
      return session
    },
    forget: sessions.forget,
  }
}
