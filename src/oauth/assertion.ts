import type { JWTVerifyGetKey } from 'jose'
import { plainText } from '../directory/audit.ts'
import { bareAudience } from './inputs.ts'
import type { FederatedClient } from './oauth-client.ts'

/** The algorithms that an assertion may be signed with. */
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256'] as const

const toleranceSeconds = 60
const maxLifetimeSeconds = 24 * 3_600
const maxLength = 16_384
const maxShownLength = 200

/** Loaded when the first assertion arrives: most services have none. */
const jose = () => import('jose')

/** Why an assertion is not accepted. */
export interface AssertionRefusal {
  /** For whoever sent it: reveals nothing about the client. */
  readonly reason: string
  /** For health and explanations. */
  readonly problem: string
}

/** An assertion (RFC 7523 §3) before it is verified: everything in it may be forged. */
export interface Assertion {
  readonly text: string
  readonly algorithm: string
  readonly kid: string
  readonly issuer: string
  readonly subject: string
  /** Without `/.default` at their end. */
  readonly audiences: readonly string[]
  /** Unix seconds; undefined when missing or not a number. */
  readonly expiresAt: number | undefined
  readonly notBefore: number | undefined
  readonly issuedAt: number | undefined
}

/** Reads an assertion; undefined when it is not a signed JWT. */
export async function readAssertion(text: string): Promise<Assertion | undefined> {
  const { decodeJwt, decodeProtectedHeader } = await jose()
  try {
    if (text.length > maxLength) return undefined
    const { alg, kid } = decodeProtectedHeader(text)
    const { iss, sub, aud, exp, nbf, iat } = decodeJwt(text)
    return {
      ...{ text, algorithm: textOf(alg), kid: textOf(kid), issuer: textOf(iss), subject: textOf(sub) },
      audiences: [aud].flat().map((one) => bareAudience(textOf(one))),
      ...{ expiresAt: secondsOf(exp), notBefore: secondsOf(nbf), issuedAt: secondsOf(iat) },
    }
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/**
 * Checks everything but the signature of an assertion. Pure.
 *
 * @param now Unix milliseconds
 */
export function refusalOf(assertion: Assertion, client: FederatedClient, now: number): AssertionRefusal | undefined {
  const { algorithm, kid, issuer, subject, audiences } = assertion
  const allowed = assertionAlgorithms.join(', ')
  if (!assertionAlgorithms.some((one) => one === algorithm)) {
    return refused(
      `its algorithm must be one of ${allowed}`,
      `the assertion's algorithm is ${shown(algorithm)}, but it must be one of ${allowed}`,
    )
  }
  if (kid === '') return refused('its header has no kid', "the assertion's header has no kid, which names the key")
  if (issuer !== client.issuer) return otherClaim('issuer', issuer, client.issuer)
  if (subject !== client.subject) return otherClaim('subject', subject, client.subject)
  if (!audiences.includes(client.audience)) return otherClaim('audience', audiences.join(' '), client.audience)
  return refusalOfTimes(assertion, now / 1_000)
}

function refusalOfTimes({ expiresAt, notBefore, issuedAt }: Assertion, now: number): AssertionRefusal | undefined {
  if (expiresAt === undefined) return refused('it has no exp', 'the assertion has no exp, the time when it expires')
  if (expiresAt + toleranceSeconds <= now) {
    return refused('it has expired', `the assertion has expired, at ${timeText(expiresAt)}`)
  }
  const from = Math.max(notBefore ?? 0, issuedAt ?? 0)
  if (from - toleranceSeconds > now) {
    return refused('it is not valid yet', `the assertion is not valid before ${timeText(from)}: check both clocks`)
  }
  const begin = Math.min(notBefore ?? now, issuedAt ?? now, now)
  if (expiresAt - begin > maxLifetimeSeconds + toleranceSeconds) {
    return refused('it is valid for too long', 'the assertion is valid for more than 24 hours')
  }
  return undefined
}

/** Verifies the signature of an assertion with the key that its `kid` names. */
export async function refusalOfSignature(
  { text, kid }: Assertion,
  getKey: JWTVerifyGetKey,
): Promise<AssertionRefusal | undefined> {
  const { compactVerify, errors } = await jose()
  try {
    await compactVerify(text, getKey, { algorithms: [...assertionAlgorithms] })
    return undefined
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return refused('its signature is wrong', "the assertion's signature is wrong")
    }
    return refused('its key cannot be used', `the issuer's key ${shown(kid)} does not fit the assertion`)
  }
}

/** The refusal of an assertion whose key was not found. */
export function refusalOfKey(problem: string): AssertionRefusal {
  return refused('its key is unknown', problem)
}

function otherClaim(claim: 'issuer' | 'subject' | 'audience', sent: string, expected: string): AssertionRefusal {
  const problem = `the assertion's ${claim} is ${shown(sent)}, this client expects ${shown(expected)}`
  return refused(`its ${claim} is not the one that this client expects`, problem)
}

function refused(reason: string, problem: string): AssertionRefusal {
  return { reason, problem }
}

/** A text of the assertion, which anybody may have written. */
function shown(text: string): string {
  return text === '' ? 'missing' : `\`${plainText(text, maxShownLength)}\``
}

/** The years from 0 to 9999 can be shown. */
function timeText(seconds: number): string {
  return seconds >= 0 && seconds < 253_402_300_800 ? new Date(seconds * 1_000).toISOString() : 'an impossible time'
}
