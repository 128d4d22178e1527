import type { KeyObject } from 'node:crypto'
import { verify } from 'node:crypto'
import type { Json } from '../../../src/scim/json.ts'

type Claims = Readonly<Record<string, Json | undefined>>

/** A signed statement, taken apart; nothing of it is checked yet. */
export interface Jwt {
  readonly header: Claims
  readonly claims: Claims
  isSignedWith(key: KeyObject): boolean
}

/** The parts of a JWT; undefined when it is none. */
export function readJwt(text: string): Jwt | undefined {
  const [header, claims, signature, ...more] = text.split('.')
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return undefined
  const [readHeader, readClaims] = [readPart(header), readPart(claims)]
  if (readHeader === undefined || readClaims === undefined) return undefined
  const signed = Buffer.from(`${header}.${claims}`)
  const isSignedWith = (key: KeyObject) => verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))
  return { header: readHeader, claims: readClaims, isSignedWith }
}

function readPart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}
