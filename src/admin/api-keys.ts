import { randomBytes } from 'node:crypto'
import { digestSecret, sameSecret } from '../directory/secret.ts'
import type { AdminStore } from './store.ts'

/** Who may use the directory-sync API. */
export interface ApiKeys {
  /** Whether a text is one of the keys, in a time that does not tell how much of it is. */
  isKey(text: string): boolean
  /** The key that was made at first start; undefined when keys are configured. */
  readonly firstKey: string | undefined
}

/** The keys that are configured; without any, the one that was made at first start. */
export async function openApiKeys(configured: readonly string[], store: AdminStore): Promise<ApiKeys> {
  const firstKey = configured.length > 0 ? undefined : await store.keepFirstApiKey(newApiKey())
  const digests = [...configured, ...(firstKey === undefined ? [] : [firstKey])].map(digestSecret)
  return {
    firstKey,
    isKey(text) {
      const given = digestSecret(text)
      return digests.reduce((found, digest) => sameSecret(given, digest) || found, false)
    },
  }
}

/** A new key: `rck_` and 32 random bytes. */
function newApiKey(): string {
  return `rck_${randomBytes(32).toString('base64url')}`
}
