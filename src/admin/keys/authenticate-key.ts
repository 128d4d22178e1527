import type { Caller } from '../../directory/audit.ts'
import type { LastUse } from '../last-use.ts'
import type { Origin } from '../origin.ts'
import { noOrigin } from '../origin.ts'
import type { ApiKeys } from './configured-keys.ts'
import { digestKey, hasKeyForm } from './new-key.ts'
import type { ApiKeyScope, ApiKeyStore, ManagedApiKey } from './store.ts'

/** How long a key's record is good: what another process deletes is refused here after this time. */
const keepMs = 5_000
const maxKept = 10_000

/** Who a key belongs to, and what it may do and see. */
export interface KeyHolder {
  readonly caller: Caller
  readonly scope: ApiKeyScope
}

export interface KeyAccessParts {
  readonly configured: Pick<ApiKeys, 'isKey'>
  readonly store: Pick<ApiKeyStore, 'findApiKey'>
  readonly lastUse: LastUse
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Knows the holders of API keys. */
export interface KeyAccess {
  /** Whose key a text is: a configured one, or one that an admin made and that is good now. */
  findKey(text: string, origin?: Origin): Promise<KeyHolder | undefined>
  /** Looks at a key anew at its next use. */
  forget(keyId: string): void
}

/** What sees and does everything. */
export const unscoped: ApiKeyScope = { tenant: undefined, product: undefined, readOnly: false }

export function createKeyAccess({ configured, store, lastUse, clock }: KeyAccessParts): KeyAccess {
  const kept = new Map<string, { readonly key: ManagedApiKey; readonly readAt: number }>()
  let forgotten = 0

  async function find(digest: string): Promise<ManagedApiKey | undefined> {
    const found = kept.get(digest)
    if (found !== undefined && clock() - found.readAt < keepMs) return found.key
    const [readAt, before] = [clock(), forgotten]
    const key = await store.findApiKey(digest)
    kept.delete(digest)
    // what was read before a key was deleted is answered, not kept
    if (key !== undefined && forgotten === before) kept.set(digest, { key, readAt })
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
    return key
  }

  return {
    async findKey(text, origin = noOrigin) {
      if (configured.isKey(text)) return { caller: keyCaller(undefined, origin), scope: unscoped }
      const key = hasKeyForm(text) ? await find(digestKey(text)) : undefined
      if (key === undefined || clock() >= (key.expiresAt ?? Number.POSITIVE_INFINITY)) return undefined
      lastUse.note(key.id, key.lastUsedAt)
      return { caller: keyCaller(key, origin), scope: key.scope }
    },
    forget(keyId) {
      forgotten += 1
      for (const [digest, { key }] of kept) if (key.id === keyId) kept.delete(digest)
    },
  }
}

function keyCaller(key: ManagedApiKey | undefined, { requestId, address }: Origin): Caller {
  return { kind: 'api-key', id: key?.id, name: key?.name, requestId, address }
}
