/** The secrets that the service generates for itself. */
export type ServiceSecretName =
  | 'first-api-key'
  | 'authorization-state'
  | 'admin-jwt'
  | 'audit-chain'
  | 'setup-links'
  | 'console-sessions'
  | 'oauth-clients'
  | 'access-tokens'
  | 'returns'
  | 'receipts'

export interface AdminStore {
  /** Returns the stored secret of this name; if there is none, stores `candidate` (encrypted) and returns it. */
  getOrCreateSecret(name: ServiceSecretName, candidate: string): Promise<string>
}

/** Rotation of the encryption key while the service runs. */
export interface KeyRotation {
  /**
   * Encrypts at most `limit` secrets of older keys with the current one; those of a directory count as one. Concurrent
   * changes are not lost. `left`: whether there may be more.
   */
  resealed(limit: number): Promise<{ readonly resealed: number; readonly left: boolean }>
  /** Replaces the stored secret of this name by what `changed` makes of it, atomically; does nothing if there is none. */
  changeSecret(name: ServiceSecretName, changed: (current: string) => string): Promise<void>
}

/** The part of a list, in creation order, that follows `after`. */
export interface ListRange {
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
}
