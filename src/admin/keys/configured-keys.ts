import { digestSecret, sameSecret } from '../../directory/secret.ts'
import type { AdminStore } from '../store.ts'
import { newApiKey } from './new-key.ts'

/** The keys of the directory-sync API that are not managed over the admin API: they see and do everything. */
export interface ApiKeys {
  /** Whether a text is one of the keys, in a time that does not tell how much of it is. */
  isKey(text: string): boolean
  /** The key that was made at first start; undefined when keys are configured. */
  readonly firstKey: string | undefined
}

/** The keys that are configured; without any, the one that was made at first start. */
export async function openApiKeys(configured: readonly string[], store: AdminStore): Promise<ApiKeys> {
  const firstKey = configured.length > 0 ? undefined : await store.keepSecret('first-api-key', newApiKey())
  const digests = [...configured, ...(firstKey === undefined ? [] : [firstKey])].map(digestSecret)
  return {
    firstKey,
    isKey(text) {
      const given = digestSecret(text)
      return digests.reduce((found, digest) => sameSecret(given, digest) || found, false)
    },
  }
}
