import { createHmac } from 'node:crypto'
import { createReadCache } from '../../concurrency/read-cache.ts'
import type { Caller, CallerOrigin } from '../../directory/audit.ts'
import { unknownOrigin } from '../../directory/audit.ts'
import { digestSecret, sameSecret } from '../../directory/secret.ts'
import type { AdminStore } from '../admin-store.ts'
import type { LastUse } from '../last-use.ts'
import type { ApiKeyScope, ApiKeyStore, ManagedApiKey } from './api-key-store.ts'
import { digestKey, hasKeyForm, newApiKey } from './key-text.ts'

/** Lifetime of a cached key, in milliseconds: a key deleted by another process is rejected here after this time. */
const keepMs = 5_000
const maxKept = 10_000

/** The caller that a key identifies, and its scope. */
export interface KeyHolder {
  readonly caller: Caller
  readonly scope: ApiKeyScope
}

export interface KeyFinderParts {
  readonly configured: Pick<ConfiguredKeys, 'find' | 'named'>
  readonly store: Pick<ApiKeyStore, 'findApiKey' | 'getApiKey'>
  readonly lastUse: LastUse
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Finds the holders of API keys. */
export interface KeyFinder {
  /** The holder of a configured key or of a valid managed one; undefined for any other text. */
  findKey(text: string, origin?: CallerOrigin): Promise<KeyHolder | undefined>
  /** The same for the id of a key, for a caller who has proved before to have the key. */
  findKeyById(id: string, origin?: CallerOrigin): Promise<KeyHolder | undefined>
  /** Drops a key from the cache. */
  forget(keyId: string): void
}

/** All directories, read and write. */
export const unscoped: ApiKeyScope = { tenant: undefined, product: undefined, readOnly: false }

export function createKeyFinder({ configured, store, lastUse, clock }: KeyFinderParts): KeyFinder {
  /** By digest and by id. */
  const keys = createReadCache<ManagedApiKey>({ keepMs, maxRecords: maxKept, clock })

  function holderOf(key: ManagedApiKey | undefined, origin: CallerOrigin): KeyHolder | undefined {
    if (key === undefined || clock() >= (key.expiresAt ?? Number.POSITIVE_INFINITY)) return undefined
    lastUse.note(key.id, key.lastUsedAt)
    return { caller: keyCaller(key, origin), scope: key.scope }
  }

  return {
    async findKey(text, origin = unknownOrigin) {
      const named = configured.find(text)
      if (named !== undefined) return { caller: keyCaller(named, origin), scope: unscoped }
      if (!hasKeyForm(text)) return undefined
      const digest = digestKey(text)
      return holderOf(await keys.find(digest, () => store.findApiKey(digest)), origin)
    },
    async findKeyById(id, origin = unknownOrigin) {
      const named = configured.named.find((key) => key.id === id)
      if (named !== undefined) return { caller: keyCaller(named, origin), scope: unscoped }
      return holderOf(await keys.find(id, () => store.getApiKey(id)), origin)
    },
    forget: (keyId) => keys.forgetWhere(({ id }) => id === keyId),
  }
}

function keyCaller({ id, name }: KeyName, { requestId, address }: CallerOrigin): Caller {
  return { kind: 'api-key', id, name, requestId, address }
}

/** The name of a key in the audit trail. */
export interface KeyName {
  readonly id: string
  readonly name: string
}

/** The API keys of the configuration, which have no scope. */
export interface ConfiguredKeys {
  /** The name of a configured key; undefined for any other text. Compares in constant time. */
  find(text: string): KeyName | undefined
  /** The keys in the order of the configuration. */
  readonly named: readonly KeyName[]
  /** The key that was generated at the first start; undefined when keys are configured. */
  readonly firstKey: string | undefined
}

/**
 * The configured keys; if there are none, one is generated and stored. A key is named by its position in `API_KEYS`, and by
 * an id that stays the same when the position changes and does not help to guess the key.
 *
 * @param namingKey the key of the ids, the same in every process
 */
export async function loadConfiguredKeys(
  configured: readonly string[],
  store: AdminStore,
  namingKey: string,
): Promise<ConfiguredKeys> {
  const firstKey = configured.length > 0 ? undefined : await store.getOrCreateSecret('first-api-key', newApiKey())
  const texts = firstKey === undefined ? configured : [firstKey]
  const keys = texts.map((text, index) => ({
    digest: digestSecret(text),
    named: {
      id: idOf(text, namingKey),
      name: firstKey === undefined ? `API_KEYS ${index + 1}` : 'generated at first start',
    },
  }))
  return {
    firstKey,
    named: keys.map(({ named }) => named),
    find(text) {
      const wanted = digestSecret(text)
      return keys.reduce<KeyName | undefined>(
        (found, { digest, named }) => (sameSecret(wanted, digest) ? named : found),
        undefined,
      )
    },
  }
}

function idOf(text: string, namingKey: string): string {
  const digest = createHmac('sha256', namingKey).update(`configured-api-key.${text}`).digest('hex')
  return `configured-${digest.slice(0, 12)}`
}
