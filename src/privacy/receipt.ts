import { createHmac } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { AuditHead } from '../directory/audit.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import { fold } from '../scim/fold.ts'
import { isObject } from '../scim/json.ts'
import type { ReceiptKey } from './receipt-keys.ts'

const jose = () => import('jose')

const algorithm = 'EdDSA'
const type = 'erasure-receipt+jwt'

/** A finished erasure, for its receipt. */
export interface ErasureToSign {
  readonly id: string
  /** The time when it was finished, in Unix milliseconds. */
  readonly at: number
  readonly tenant: string
  readonly product: string
  /** The subject that the request named. */
  readonly subject: string
  /** The users who were the person. */
  readonly users: readonly { readonly directoryId: string; readonly userId: string }[]
  /** The number of changed rows of each kind. */
  readonly places: Readonly<Record<string, number>>
  /** The end of the audit trail after the erasure. */
  readonly audit: AuditHead
}

/** The claims of a receipt. They have no personal data: the ids of users are Rollcall's own. */
export const ReceiptClaims = Type.Object(
  {
    iss: Type.String({ description: 'The address of the service.' }),
    iat: Type.Integer({ description: 'The time of the signature, in Unix seconds.' }),
    jti: Type.String({ description: 'The id of the erasure.' }),
    erased_at: Type.String(),
    tenant: Type.String(),
    product: Type.String(),
    subject_digest: Type.String({ description: 'HMAC-SHA256 of the subject.' }),
    users: Type.Array(Type.Object({ directory_id: Type.String(), id: Type.String() })),
    places: Type.Record(Type.Integer()),
    audit: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
  },
  { title: 'ErasureReceipt' },
)

export type Receipt = Static<typeof ReceiptClaims>

/** A receipt that a key of the set has signed, or the reason why it is not one. */
export type VerifiedReceipt = { readonly receipt: Receipt } | { readonly problem: string }

/** The receipt of an erasure: a JWS in its compact form, signed with Ed25519. */
export async function signReceipt(
  erasure: ErasureToSign,
  key: ReceiptKey,
  { subjectKey, issuer }: { readonly subjectKey: string; readonly issuer: string },
): Promise<string> {
  const { id, at, tenant, product, subject, users, places, audit } = erasure
  const receipt: Receipt = {
    ...{ iss: issuer, iat: Math.floor(at / 1_000), jti: id, erased_at: new Date(at).toISOString(), tenant, product },
    subject_digest: subjectDigest(subjectKey, subject),
    users: users.map(({ directoryId, userId }) => ({ directory_id: directoryId, id: userId })),
    places: { ...places },
    audit: { sequence: audit.sequence, hash: audit.hash },
  }
  const { CompactSign, importJWK } = await jose()
  const privateKey = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: key.x, d: key.d ?? '' }, algorithm)
  return new CompactSign(new TextEncoder().encode(JSON.stringify(receipt)))
    .setProtectedHeader({ alg: algorithm, typ: type, kid: key.id })
    .sign(privateKey)
}

/** Verifies a receipt with published keys; asks nobody. */
export async function verifyReceipt(text: string, keys: JSONWebKeySet): Promise<VerifiedReceipt> {
  const { compactVerify, createLocalJWKSet, errors } = await jose()
  try {
    const { payload, protectedHeader } = await compactVerify(text, createLocalJWKSet(keys), { algorithms: [algorithm] })
    if (protectedHeader.typ !== type) return { problem: 'It is signed, but is not the receipt of an erasure.' }
    return { receipt: parseClaims(new TextDecoder().decode(payload)) }
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { problem: 'None of the published keys has signed it.' }
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return { problem: 'Its signature is wrong: it was changed.' }
    if (error instanceof errors.JOSEError || isUnreadable(error)) return { problem: 'It is not a receipt.' }
    throw error
  }
}

/** The claims of a receipt whose signature is not verified; undefined if it is none. */
export function readReceipt(text: string): Receipt | undefined {
  const [, payload = ''] = text.split('.')
  try {
    return parseClaims(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** Leaves out claims that later versions may add. */
function parseClaims(text: string): Receipt {
  const claims: unknown = JSON.parse(text)
  const known = Object.entries(isObject(claims) ? claims : {}).filter(([name]) => name in ReceiptClaims.properties)
  return parseInput(ReceiptClaims, Object.fromEntries(known))
}

function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof DirectoryError
}

/**
 * The key of a receipt's digest of its subject. The receipt does not contain it: e-mail addresses can be guessed, so that
 * with it the receipt would say whom it is about.
 */
export function deriveSubjectKey(secret: string, erasureId: string): string {
  return createHmac('sha256', secret).update(`rollcall receipt ${erasureId}`).digest('base64url')
}

/** The digest of a subject; upper and lower case are the same. */
export function subjectDigest(subjectKey: string, subject: string): string {
  return createHmac('sha256', subjectKey).update(fold(subject.trim())).digest('base64url')
}
