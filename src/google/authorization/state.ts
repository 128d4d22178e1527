import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { DirectoryError } from '../../directory/errors.ts'

/** How long an administrator has to consent, in milliseconds. */
export const stateLifeMs = 600_000

/** An authorization that was begun: what its state says, which nobody else can read or make. */
export interface AuthorizationState {
  readonly id: string
  readonly directoryId: string
  /** The secret half of PKCE (RFC 7636 §4.1). */
  readonly codeVerifier: string
  /** Unix milliseconds, whole seconds. */
  readonly expiresAt: number
}

const Claims = Type.Object({ jti: Type.String(), sub: Type.String(), verifier: Type.String(), exp: Type.Integer() })

/** Seals a state under a key of 32 bytes in base64url. */
export function sealState({ id, directoryId, codeVerifier, expiresAt }: AuthorizationState, key: string) {
  return new EncryptJWT({ verifier: codeVerifier })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setJti(id)
    .setSubject(directoryId)
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .encrypt(Buffer.from(key, 'base64url'))
}

/** @throws DirectoryError `invalid-input` for a state that is not ours, was altered, or has expired */
export async function openState(state: string, key: string, now: number): Promise<AuthorizationState> {
  const { jti: id, sub: directoryId, verifier: codeVerifier, exp } = await claimsOf(state, key, now)
  return { id, directoryId, codeVerifier, expiresAt: exp * 1000 }
}

async function claimsOf(state: string, key: string, now: number) {
  try {
    const { payload } = await jwtDecrypt(state, Buffer.from(key, 'base64url'), {
      currentDate: new Date(now),
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    if (Check(Claims, payload)) return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw badState('This link has expired: start the authorization again.')
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw badState('This link was not made here, or not all of it arrived: start the authorization again.')
}

/** Refuses a state. */
export function badState(message: string): DirectoryError {
  return new DirectoryError('invalid-input', message, [{ field: 'state', message }])
}
