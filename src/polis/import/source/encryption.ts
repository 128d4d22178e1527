import { createDecipheriv } from 'node:crypto'
import type { JsonObject } from '../../../scim/json.ts'
import { isObject } from '../../../scim/json.ts'
import { PolisSourceError } from './errors.ts'

/** A record as it is stored: JSON text, or without readable content if there is a nonce and a tag. */
export interface StoredValue {
  readonly value: string
  readonly iv: string | null | undefined
  readonly tag: string | null | undefined
}

/** Returns the content of a record; undefined if it cannot be decrypted or is no JSON object. */
export type OpenValue = (stored: StoredValue) => JsonObject | undefined

const keyBytes = 32

/**
 * Makes the function that opens Polis' records. A key of 32 characters is taken as they are, any other as base64.
 *
 * @param key Polis' `DB_ENCRYPTION_KEY`; undefined or empty: the records are not encrypted
 * @throws PolisSourceError if it has the wrong length
 */
export function createOpenValue(key: string | undefined): OpenValue {
  const bytes = key === undefined || key === '' ? undefined : bytesOf(key)
  return (stored) => {
    try {
      const content: unknown = JSON.parse(isEncrypted(stored) ? decrypt(stored, bytes) : stored.value)
      return isObject(content) ? content : undefined
    } catch {
      return undefined
    }
  }
}

export function isEncrypted({ iv, tag }: StoredValue): boolean {
  return Boolean(iv) && Boolean(tag)
}

function bytesOf(key: string): Buffer {
  const bytes = Buffer.from(key, key.length === keyBytes ? 'latin1' : 'base64')
  if (bytes.length === keyBytes) return bytes
  throw new PolisSourceError(
    `The key has ${bytes.length} bytes: pass Polis’ DB_ENCRYPTION_KEY with --key, which is 32 characters, or 32 bytes in base64.`,
  )
}

/** Opens a record by AES-256-GCM. @throws Error when it was not encrypted by this key */
function decrypt({ value, iv, tag }: StoredValue, key: Buffer | undefined): string {
  if (key === undefined) throw new Error('no key')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv ?? '', 'base64'), { authTagLength: 16 })
  decipher.setAuthTag(Buffer.from(tag ?? '', 'base64'))
  return decipher.update(value, 'base64', 'utf8') + decipher.final('utf8')
}
