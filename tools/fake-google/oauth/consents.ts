import type { Grant } from './tokens.ts'

/** What each account has allowed the client so far. */
export interface Consents {
  /** The scopes that were allowed before; none at the first consent, and after a revocation. */
  grantedTo(email: string): ReadonlySet<string>
  add(grant: Grant): void
  /** Ends a grant; when an account has consented to it, all that the account has consented to. */
  revoke(grant: Grant): void
  revokeAll(): void
}

export function createConsents(): Consents {
  const grants = new Map<string, Grant[]>()
  const of = (email: string) => grants.get(email) ?? []
  return {
    grantedTo: (email) => new Set(of(email).flatMap(({ scopes }) => [...scopes])),
    add(grant) {
      const email = grant.account?.email ?? ''
      grants.set(email, [...of(email), grant])
    },
    revoke(grant) {
      const email = grant.account?.email ?? ''
      grant.isRevoked = true
      if (!of(email).includes(grant)) return
      for (const ended of of(email)) ended.isRevoked = true
      grants.delete(email)
    },
    revokeAll() {
      for (const ended of [...grants.values()].flat()) ended.isRevoked = true
      grants.clear()
    },
  }
}
