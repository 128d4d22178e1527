import type { CallerOrigin } from '../../directory/audit.ts'
import { unknownOrigin } from '../../directory/audit.ts'
import { digestSecret, newSecret } from '../../directory/secret.ts'
import type { LastUse } from '../last-use.ts'
import type { Credentials } from './credentials.ts'
import { parseCredentials } from './credentials.ts'
import type { Jwts } from './jwt.ts'
import type { RootTokenGuard } from './root-token.ts'
import type { AdminSession } from './session.ts'
import { isUsable } from './session.ts'
import { createSessionCache } from './session-cache.ts'
import type { AccountStore } from './store.ts'
import type { TokenHashing } from './token-hashing.ts'

export interface AuthenticationParts {
  readonly store: Pick<AccountStore, 'getAdminToken'>
  readonly door: RootTokenGuard
  readonly hashing: TokenHashing
  readonly jwts: Jwts
  readonly lastUse: LastUse
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Knows admins by what they send after a login. */
export interface Authentication {
  /**
   * The admin that an `Authorization` header is of; undefined for every other header. A wrong root token counts as a
   * failed login, so that this is no second way to guess it.
   *
   * @throws DirectoryError `too-many-attempts`
   */
  authenticate(header: string | undefined, origin?: CallerOrigin): Promise<AdminSession | undefined>
  /** Looks at a token anew at its next use. */
  forget(tokenId: string): void
}

type RequestCredentials = Exclude<Credentials, { kind: 'login' }>
type Proof = { readonly session: AdminSession; readonly expiresAt: number }

export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { store, door, hashing, jwts, lastUse, clock } = parts
  let nobodysHash: Promise<string> | undefined

  async function read(tokenId: string): Promise<AdminSession | undefined> {
    const found = await store.getAdminToken(tokenId)
    return found !== undefined && isUsable(found.token, clock()) ? found : undefined
  }
  const headers = createSessionCache({ read, clock })

  /** What is compared when an id is unknown: that takes the same time. Nobody has the token of this hash. */
  function hashOfNobody(): Promise<string> {
    nobodysHash ??= hashing.hash(newSecret())
    return nobodysHash
  }

  async function byToken(id: string, token: string): Promise<Proof | undefined> {
    const found = await store.getAdminToken(id)
    const matches = await hashing.matches(token, found?.token.tokenHash ?? (await hashOfNobody()))
    const isGood = matches && found !== undefined && isUsable(found.token, clock())
    return isGood ? { session: found, expiresAt: Number.POSITIVE_INFINITY } : undefined
  }

  async function byJwt(jwt: string): Promise<Proof | undefined> {
    const subject = await jwts.verify(jwt)
    if (subject === undefined) return undefined
    const session = await read(subject.tokenId)
    return session?.user.id === subject.userId ? { session, expiresAt: subject.expiresAt } : undefined
  }

  async function prove(credentials: RequestCredentials, origin: CallerOrigin): Promise<Proof | undefined> {
    if (credentials.kind === 'bearer') return byJwt(credentials.jwt)
    door.admit(origin)
    if (door.isRootToken(credentials.rootToken)) return byToken(credentials.id, credentials.token)
    await door.failed(origin, 'wrong token')
    return undefined
  }

  return {
    async authenticate(header, origin = unknownOrigin) {
      const credentials = parseCredentials(header)
      if (header === undefined || credentials === undefined || credentials.kind === 'login') return undefined
      const digest = digestSecret(header).toString('base64')
      const session = await headers.session(digest, () => prove(credentials, origin))
      if (session !== undefined) lastUse.note(session.token.id, session.token.lastUsedAt)
      return session
    },
    forget: headers.forget,
  }
}
