import { hash } from 'node:crypto'
import { DirectoryError } from '../../directory/errors.ts'
import { digestSecret, sameSecret } from '../../directory/secret.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { matches } from '../../inputs/json-schema-check.ts'

/** Time that an administrator has to consent, in milliseconds. */
export const stateLifeMs = 600_000

/** The content of the `state` parameter of an authorization. Only this service can read or create it. */
export interface AuthorizationState {
  readonly id: string
  readonly directoryId: string
  /** The secret of PKCE (RFC 7636 §4.1). */
  readonly codeVerifier: string
  /** The number of consents of the directory: the next one makes the state invalid. */
  readonly consents: number
  /**
   * The value that the browser which began it must send at the end; undefined when the product began it and redirects
   * the browser itself.
   */
  readonly browser: string | undefined
  /** The path of the product that Google redirects to; undefined: that of this service. */
  readonly callbackPath: string | undefined
  /** Unix milliseconds, whole seconds. */
  readonly expiresAt: number
}

/** The code challenge of a code verifier (RFC 7636 §4.2, S256). */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url')
}

const Claims = Type.Object({
  jti: Type.String(),
  sub: Type.String(),
  verifier: Type.String(),
  consents: Type.Integer(),
  browser: Type.Optional(Type.String()),
  callback: Type.Optional(Type.String()),
  exp: Type.Integer(),
})

/** Loaded for the first authorization: many services have none. */
const jose = () => import('jose')

/** Encrypts a state with a key of 32 bytes in base64url. */
export async function sealState(
  { id, directoryId, codeVerifier, consents, browser, callbackPath: callback, expiresAt }: AuthorizationState,
  key: string,
): Promise<string> {
  const { EncryptJWT } = await jose()
  const optional = { ...(browser === undefined ? {} : { browser }), ...(callback === undefined ? {} : { callback }) }
  return new EncryptJWT({ verifier: codeVerifier, consents, ...optional })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setJti(id)
    .setSubject(directoryId)
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .encrypt(Buffer.from(key, 'base64url'))
}

/**
 * A state in which a product's own callback finds the directory, as `JSON.parse(state).directoryId`. Only what is encrypted
 * is believed.
 */
export function readableState(directoryId: string, token: string): string {
  return JSON.stringify({ directoryId, token })
}

const ReadableState = Type.Object({ directoryId: Type.String(), token: Type.String() })

/** @throws DirectoryError `invalid-input` if another service made the state, or it was altered or has expired */
export async function openState(state: string, key: string, now: number): Promise<AuthorizationState> {
  const readable = state.startsWith('{') ? readState(state) : undefined
  const claims = await claimsOf(readable?.token ?? state, key, now)
  const { jti: id, sub: directoryId, verifier: codeVerifier, consents, browser, callback: callbackPath, exp } = claims
  if (readable !== undefined && readable.directoryId !== directoryId) throw foreignState()
  return { id, directoryId, codeVerifier, consents, browser, callbackPath, expiresAt: exp * 1000 }
}

function readState(state: string): Static<typeof ReadableState> {
  try {
    const parsed: unknown = JSON.parse(state)
    if (matches(ReadableState, parsed)) return parsed
  } catch {
    // The same message: it was cut off or altered.
  }
  throw foreignState()
}

function foreignState(): DirectoryError {
  return invalidState('This link was not created by this service, or is incomplete: start the authorization again.')
}

async function claimsOf(state: string, key: string, now: number) {
  const { errors, jwtDecrypt } = await jose()
  try {
    const { payload } = await jwtDecrypt(state, Buffer.from(key, 'base64url'), {
      currentDate: new Date(now),
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    if (matches(Claims, payload)) return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidState('This link has expired: start the authorization again.')
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw foreignState()
}

/**
 * Rejects a consent in another browser than the one that began it. Otherwise anybody with a link could begin, send
 * Google's address to the administrator of another company, and get that company's Workspace connected.
 *
 * @throws DirectoryError `forbidden`
 */
export function requireBrowser({ browser: expected }: AuthorizationState, browser = ''): void {
  if (expected === undefined || sameSecret(digestSecret(browser), digestSecret(expected))) return
  const message =
    'This authorization was started in another browser, or cookies are blocked: open the link that you were sent.'
  throw new DirectoryError('forbidden', message)
}

export function invalidState(message: string, field: 'state' | 'token' = 'state'): DirectoryError {
  return new DirectoryError('invalid-input', message, [{ field, message }])
}
