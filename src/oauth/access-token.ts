import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadCache } from '../concurrency/read-cache.ts'
import type { SigningKey } from './signing-keys.ts'
import { currentKey, keyFor, keysReadEveryMs, parseSigningKeys } from './signing-keys.ts'

/** `rct_<key id>.<client id>.<expiry in Unix seconds>.<MAC>`; a token of several clients has `~` between their ids. */
const tokenForm = /^(rct_([\w-]{8})\.([\w~-]{1,4000})\.(\d{1,12}))\.([\w-]{43})$/

const newForMs = 5_000

/** An access token of an OAuth client. */
export interface IssuedToken {
  readonly token: string
  readonly lifetimeSeconds: number
}

/** A client that a token is issued to. */
export interface TokenClient {
  readonly directoryId: string
  readonly id: string
}

/** What a token says whose signature is right. */
export interface VerifiedToken {
  /** Clients of other directories may be among them. */
  readonly clientIds: readonly string[]
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** Whether it was issued only seconds ago, so that the record of its directory may be older than its client. */
  readonly isNew: boolean
}

/**
 * The access tokens with which OAuth clients send SCIM requests. A token names its client and its end, and is signed for
 * one directory (HMAC-SHA256): no database is asked about it. One that several directories issue together names a client of
 * each, and opens those that still have it. It has a form of its own because a JWT takes many times as
 * long to verify.
 */
export interface AccessTokens {
  /** Issues one token for clients of different directories, at least one. */
  issue(clients: readonly TokenClient[]): Promise<IssuedToken>
  /** Undefined unless the token was issued for this directory. It may have expired, and its client may be deleted. */
  verify(token: string, directoryId: string): Promise<VerifiedToken | undefined>
}

export interface AccessTokenParts {
  /** Reads the stored keys: see `signing-keys.ts`. */
  readonly readKeys: () => Promise<string>
  readonly lifetimeSeconds: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Returns whether a text has the form of an access token, which no SCIM secret of this service has. */
export function isAccessToken(text: string): boolean {
  return tokenForm.test(text)
}

export function createAccessTokens({ readKeys, lifetimeSeconds, clock }: AccessTokenParts): AccessTokens {
  const cache = createReadCache<readonly SigningKey[]>({ keepMs: keysReadEveryMs, maxRecords: 1, clock })
  const readAll = async () => (await cache.find('all', async () => parseSigningKeys(await readKeys()))) ?? []

  return {
    async issue(clients) {
      const now = clock()
      const key = currentKey(await readAll(), now)
      const ids = clients.map(({ id }) => id)
      const directoryId = clients[0]?.directoryId ?? ''
      const content = `rct_${key.id}.${ids.join('~')}.${Math.floor(now / 1_000) + lifetimeSeconds}`
      return { token: `${content}.${macOf(content, { ids, directoryId }, key)}`, lifetimeSeconds }
    },
    async verify(token, directoryId) {
      const [, content = '', keyId = '', clients = '', seconds = '', mac = ''] = tokenForm.exec(token) ?? []
      const expiresAt = Number(seconds) * 1_000
      const key = keyFor(await readAll(), keyId, expiresAt)
      if (key === undefined) return undefined
      const ids = clients.split('~')
      const isRight = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(content, { ids, directoryId }, key)))
      const isNew = expiresAt > clock() + lifetimeSeconds * 1_000 - newForMs
      return isRight ? { clientIds: ids, expiresAt, isNew } : undefined
    },
  }
}

interface SignedFor {
  readonly ids: readonly string[]
  readonly directoryId: string
}

/** The content has no space, so that no two pairs have the same text. A token of several clients is not of one directory. */
function macOf(content: string, { ids, directoryId }: SignedFor, { key }: SigningKey): string {
  const signed = ids.length === 1 ? `${content} ${directoryId}` : content
  return createHmac('sha256', key).update(signed).digest('base64url')
}
