/** The secrets that the service makes for itself at first need. */
export type ServiceSecretName = 'first-api-key' | 'authorization-state' | 'admin-jwt' | 'audit-chain'

/** What the management of the service itself asks of a store. */
export interface AdminStore {
  /** A secret that the service made for itself: `candidate` when there was none, which is then kept (encrypted). */
  getOrCreateSecret(name: ServiceSecretName, candidate: string): Promise<string>
}

/** How secrets come under a new key while the service serves. */
export interface KeyRotation {
  /**
   * Seals at most `limit` of what older keys sealed with the current one; a directory's secrets are one. Nothing that is
   * changed meanwhile is lost. `left`: there may be more.
   */
  resealed(limit: number): Promise<{ readonly resealed: number; readonly left: boolean }>
}

/** A place in a list that is in the order of creation. */
export interface ListPosition {
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
}
