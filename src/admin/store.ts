/** The secrets that the service makes for itself at first need. */
export type ServiceSecretName = 'first-api-key' | 'authorization-state' | 'admin-jwt' | 'audit-chain'

/** What the management of the service itself asks of a store. */
export interface AdminStore {
  /** A secret that the service made for itself: `candidate` when there was none, which is then kept (encrypted). */
  keepSecret(name: ServiceSecretName, candidate: string): Promise<string>
}
