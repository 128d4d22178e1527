import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { SealedPlace } from './sealed-place.ts'

/** Encrypts secrets before they are stored, and opens them again where they were stored. */
export interface Sealing {
  /**
   * `v2.<key id>.<base64url of nonce, ciphertext and tag>`: AES-256-GCM, a new nonce each time. The place is authenticated
   * with it, so that the text opens nowhere else.
   */
  seal(secret: string, place: SealedPlace): string
  /** @throws Error in words when the text is of another place, was changed, or was sealed by a key that is not among the keys */
  open(sealed: string, place: SealedPlace): string
  /** The names of the keys, each once: the one that seals, then those that only open. */
  readonly keyIds: readonly [string, ...string[]]
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A sealed text, or its beginning. */
const sealedText = /^v2\.([0-9a-f]{8})(?:\.(.*))?$/s

/** The name of a key that ciphertexts carry: enough of its digest to tell keys apart, too little to help guess it. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update('rollcall key id').update(key).digest('hex').slice(0, 8)
}

/** How the texts begin that a key sealed. */
export function sealedBeginning(id: string): string {
  return `v2.${id}`
}

/**
 * Seals with the first key and opens with any: put a new key first to rotate.
 *
 * @param keys 32 bytes each, at least one
 */
export function createSealing(keys: readonly [Buffer, ...Buffer[]]): Sealing {
  const [current] = keys
  const currentId = keyId(current)
  const byId = new Map(keys.map((key) => [keyId(key), key]))
  return {
    keyIds: [currentId, ...[...byId.keys()].filter((id) => id !== currentId)],
    seal(secret, place) {
      const bytes = encrypt(current, Buffer.from(secret, 'utf8'), authenticated(place))
      return `${sealedBeginning(currentId)}.${bytes.toString('base64url')}`
    },
    open(sealed, place) {
      const [, id = '', text = ''] = sealedText.exec(sealed) ?? []
      const key = byId.get(id)
      if (key === undefined) throw unreadable(sealed)
      try {
        return decrypt(key, Buffer.from(text, 'base64url'), authenticated(place)).toString('utf8')
      } catch (cause) {
        throw misplaced(place, cause)
      }
    },
  }
}

/** The place as one text: JSON, so that no two places have the same. */
function authenticated(place: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify(place), 'utf8')
}

function encrypt(key: Buffer, secret: Buffer, beside: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(beside)
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/** A tag of another length is refused: a shorter one could be guessed. */
function decrypt(key: Buffer, bytes: Buffer, beside: Buffer): Buffer {
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(beside)
  decipher.setAuthTag(bytes.subarray(nonceBytes).subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
}

/** What is said of a text that no key opens: one that another key sealed, or that is not in the form of sealed texts. */
export function unreadable(sealed: string): Error {
  const [, id] = sealedText.exec(sealed) ?? []
  return new Error(
    id === undefined
      ? 'A stored secret is not in the form that this version of Rollcall writes: another version wrote it, or it was changed.'
      : `A stored secret was encrypted with the key ${id}, which ENCRYPTION_KEY does not hold.`,
  )
}

function misplaced([table, column, row]: SealedPlace, cause: unknown): Error {
  const where = `in the table ${table}, column ${column}, of ${row}`
  return new Error(
    `The stored secret ${where} is not what Rollcall put there: it was changed, or copied from elsewhere.`,
    {
      cause,
    },
  )
}
