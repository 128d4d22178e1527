import type { AuditWrite } from '../../directory/audit.ts'

import type { ListRange } from '../admin-store.ts'

/** The scope of a key; every field that is set restricts it. */
export interface ApiKeyScope {
  readonly tenant: string | undefined
  readonly product: string | undefined
  readonly readOnly: boolean
}

/** A key that an admin created. */
export interface ManagedApiKey {
  readonly id: string
  readonly name: string
  /** The beginning of the key, to distinguish keys. */
  readonly prefix: string
  /** See `digestKey`. */
  readonly digest: string
  readonly scope: ApiKeyScope
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly lastUsedAt: number | undefined
}

export interface ApiKeyStore {
  createApiKey(key: ManagedApiKey, audit: AuditWrite): Promise<void>
  /** In creation order. */
  listApiKeys(part: ListRange): Promise<ManagedApiKey[]>
  getApiKey(id: string): Promise<ManagedApiKey | undefined>
  findApiKey(digest: string): Promise<ManagedApiKey | undefined>
  /** Deletes a key; false, without a write, if it does not exist. */
  deleteApiKey(id: string, audit: AuditWrite): Promise<boolean>
  touchApiKey(id: string, at: number): Promise<void>
}
