import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The encrypted columns of a directory. They are always written together, with one key. */
export const sealedColumns = [
  'scim_secret',
  'previous_scim_secret',
  'endpoint_url',
  'endpoint_secret',
  'previous_endpoint_secret',
  'endpoint_headers',
  'extdir',
] as const

export type SealedColumn = (typeof sealedColumns)[number]

/**
 * The place of a secret: table, column and key of the row. It is authenticated with the ciphertext, which decrypts
 * nowhere else: a secret cannot move to another location without being encrypted again.
 */
export type SecretLocation =
  | readonly [table: 'directories', column: SealedColumn, id: string]
  | readonly [table: 'settings', column: 'value', name: string]
  | readonly [table: 'pending_authorizations', column: 'sealed', directoryId: string]
  | readonly [table: 'setup_links', column: 'endpoint', id: string]
  | readonly [table: 'request_bodies', column: 'body', id: string]
  | readonly [table: 'delivery_attempts', column: 'response_body', id: string]
  | readonly [table: 'erasures', column: 'plan', id: string]

export const directoryLocation = (column: SealedColumn, id: string): SecretLocation => ['directories', column, id]

export const settingLocation = (name: string): SecretLocation => ['settings', 'value', name]

export const authorizationLocation = (directoryId: string): SecretLocation => [
  'pending_authorizations',
  'sealed',
  directoryId,
]

export const setupLinkLocation = (id: string): SecretLocation => ['setup_links', 'endpoint', id]
export const requestLocation = (id: string): SecretLocation => ['request_bodies', 'body', id]
export const attemptLocation = (id: string): SecretLocation => ['delivery_attempts', 'response_body', id]
export const erasureLocation = (id: string): SecretLocation => ['erasures', 'plan', id]

/** The encrypted columns of the tables other than `directories`; `key` is the column that identifies the row. */
export const sealedTexts = [
  { table: 'settings', key: 'name', column: 'value', locationOf: settingLocation },
  { table: 'pending_authorizations', key: 'directory_id', column: 'sealed', locationOf: authorizationLocation },
  { table: 'setup_links', key: 'id', column: 'endpoint', locationOf: setupLinkLocation },
  { table: 'request_bodies', key: 'id', column: 'body', locationOf: requestLocation },
  { table: 'delivery_attempts', key: 'response_id', column: 'response_body', locationOf: attemptLocation },
  { table: 'erasures', key: 'id', column: 'plan', locationOf: erasureLocation },
] as const

/** Encrypts secrets before they are stored and decrypts them when they are read. */
export interface Sealing {
  /** `v2.<key id>.<base64url of nonce, ciphertext and tag>`: AES-256-GCM with a new nonce each time. */
  seal(secret: string, location: SecretLocation): string
  /** @throws Error when the text was sealed for another location or with an unknown key, or was altered */
  open(sealed: string, location: SecretLocation): string
  /** The ids of the keys, each once: the one that encrypts, then those that only decrypt. */
  readonly keyIds: readonly [string, ...string[]]
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A sealed text, or its prefix. */
const sealedText = /^v2\.([0-9a-f]{8})(?:\.(.*))?$/s

/** The id of a key in ciphertexts: enough of its digest to distinguish keys, too little to help guess the key. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update('rollcall key id').update(key).digest('hex').slice(0, 8)
}

/** The prefix of every text that was sealed with a key. */
export function sealedPrefix(id: string): string {
  return `v2.${id}`
}

/**
 * Encrypts with the first key and decrypts with any: put a new key first to rotate keys.
 *
 * @param keys 32 bytes each, at least one
 */
export function createSealing(keys: readonly [Buffer, ...Buffer[]]): Sealing {
  const [current] = keys
  const currentId = keyId(current)
  const byId = new Map(keys.map((key) => [keyId(key), key]))
  return {
    keyIds: [currentId, ...[...byId.keys()].filter((id) => id !== currentId)],
    seal(secret, location) {
      const bytes = encrypt(current, Buffer.from(secret, 'utf8'), authenticatedData(location))
      return `${sealedPrefix(currentId)}.${bytes.toString('base64url')}`
    },
    open(sealed, location) {
      const [, id = '', text = ''] = sealedText.exec(sealed) ?? []
      const key = byId.get(id)
      if (key === undefined) throw unknownKey(sealed)
      try {
        return decrypt(key, Buffer.from(text, 'base64url'), authenticatedData(location)).toString('utf8')
      } catch (cause) {
        throw notAuthentic(location, cause)
      }
    },
  }
}

/** JSON, as two locations never have the same. */
function authenticatedData(location: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify(location), 'utf8')
}

function encrypt(key: Buffer, secret: Buffer, aad: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(aad)
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/** Rejects a tag of another length: a shorter one could be guessed. */
function decrypt(key: Buffer, bytes: Buffer, aad: Buffer): Buffer {
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(aad)
  decipher.setAuthTag(bytes.subarray(nonceBytes).subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
}

/** The error for a text that no key decrypts: it was sealed with another key or is not a sealed text. */
export function unknownKey(sealed: string): Error {
  const [, id] = sealedText.exec(sealed) ?? []
  return new Error(
    id === undefined
      ? 'A stored secret is not in the format that this version of Rollcall writes: another version wrote it, or it was altered.'
      : `A stored secret was encrypted with the key ${id}, which ENCRYPTION_KEY does not contain.`,
  )
}

function notAuthentic([table, column, row]: SecretLocation, cause: unknown): Error {
  return new Error(
    `The stored secret in table ${table}, column ${column}, row ${row} was altered, or was copied from somewhere else.`,
    { cause },
  )
}
