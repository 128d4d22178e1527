import type { AuditWrite } from '../../directory/audit.ts'

import type { ListPosition } from '../store.ts'

/** What a key may do and see; each given part narrows. */
export interface ApiKeyScope {
  readonly tenant: string | undefined
  readonly product: string | undefined
  readonly readOnly: boolean
}

/** A key that was made by an admin. */
export interface ManagedApiKey {
  readonly id: string
  readonly name: string
  /** Its beginning, to tell keys apart. */
  readonly prefix: string
  /** A hash of 32 random bytes, in hexadecimal. */
  readonly digest: string
  readonly scope: ApiKeyScope
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly lastUsedAt: number | undefined
}

/** What managed API keys ask of a store. */
export interface ApiKeyStore {
  createApiKey(key: ManagedApiKey, audit: AuditWrite): Promise<void>
  /** In the order of creation. */
  listApiKeys(part: ListPosition): Promise<ManagedApiKey[]>
  getApiKey(id: string): Promise<ManagedApiKey | undefined>
  findApiKey(digest: string): Promise<ManagedApiKey | undefined>
  /** False when there is no such key: then nothing is written. */
  deleteApiKey(id: string, audit: AuditWrite): Promise<boolean>
  /** Notes that a key was used. */
  touchApiKey(id: string, at: number): Promise<void>
}
