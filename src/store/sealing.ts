import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Encrypts secrets before they are stored, and opens them again. */
export interface Sealing {
  /** `v1.<key id>.<base64url of nonce, ciphertext and tag>`: AES-256-GCM, a new nonce each time. */
  seal(secret: string): string
  /** @throws Error when the key that sealed it is not among the keys, or the text was tampered with */
  open(sealed: string): string
  /** The names of the keys, each once: the one that seals, then those that only open. */
  readonly keyIds: readonly [string, ...string[]]
}

const nonceBytes = 12
const tagBytes = 16

/** The name of a key that ciphertexts carry: enough of its digest to tell keys apart, too little to help guess it. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update('rollcall key id').update(key).digest('hex').slice(0, 8)
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
    seal(secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${currentId}.${sealed.toString('base64url')}`
    },
    open(sealed) {
      const [, id = '', text = ''] = sealed.split('.')
      const key = byId.get(id)
      if (key === undefined) throw unknownKey(id)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** What is said of a text that a key sealed which is not among the keys. */
export function unknownKey(id: string): Error {
  return new Error(`A stored secret was encrypted with the key ${id}, which ENCRYPTION_KEY does not hold.`)
}
