import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidState } from './state.ts'

/** Time that an administrator has to open an authorization URL, in milliseconds. */
export const linkLifeMs = 3_600_000

/** The content of an authorization URL. */
export interface AuthorizationLink {
  readonly directoryId: string
  /** The number of consents when the URL was made: the next one makes the URL invalid. */
  readonly consents: number
  /** Unix milliseconds, whole minutes. */
  readonly expiresAt: number
}

/** Expiry of a URL that is made now. Rounded down to a minute, so that URLs made within it are the same. */
export function linkExpiry(now: number): number {
  return Math.floor((now + linkLifeMs) / 60_000) * 60_000
}

/** The token of an authorization URL: its content and an HMAC over it. */
export function signLink({ directoryId, consents, expiresAt }: AuthorizationLink, key: string): string {
  const content = Buffer.from(JSON.stringify([directoryId, consents, expiresAt])).toString('base64url')
  return `${content}.${signatureOf(content, key).toString('base64url')}`
}

/** @throws DirectoryError `invalid-input` if another service made the token, or it was altered or has expired */
export function openLink(token: string, key: string, now: number): AuthorizationLink {
  const [content = '', signature = ''] = token.split('.')
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(content, key)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidLink()
  const parsed: unknown = JSON.parse(Buffer.from(content, 'base64url').toString())
  const [directoryId, consents, expiresAt]: readonly unknown[] = Array.isArray(parsed) ? parsed : []
  if (typeof directoryId !== 'string' || typeof consents !== 'number' || typeof expiresAt !== 'number')
    throw invalidLink()
  if (expiresAt <= now) throw invalidState('This link has expired: ask for a new one.', 'token')
  return { directoryId, consents, expiresAt }
}

function invalidLink() {
  return invalidState('This link was not created by this service, or is incomplete: ask for a new one.', 'token')
}

/** The label keeps the signatures apart from other uses of the key. */
function signatureOf(content: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(`authorization-link.${content}`).digest()
}
