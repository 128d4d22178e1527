import type { PortalDirectory } from './api.ts'

const storageKey = 'rollcall-portal-secret'

/** A secret that was made in this tab, with the address that it belongs to. */
interface KeptSecret {
  readonly endpoint: string
  readonly secret: string
}

/** Keeps a secret for reloads of this tab: the service shows it only once. */
export function keepSecret(endpoint: string, secret: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ endpoint, secret } satisfies KeptSecret))
}

/** Forgets the kept secret. */
export function forgetSecret(): void {
  sessionStorage.removeItem(storageKey)
}

/** The kept secret of a directory; null when there is none, or it is no longer the present one. */
export function keptSecret({ scim_endpoint: endpoint, secret_ending: ending }: PortalDirectory): string | null {
  const stored = sessionStorage.getItem(storageKey)
  if (stored === null) return null
  const kept = JSON.parse(stored) as KeptSecret
  return kept.endpoint === endpoint && ending !== null && kept.secret.endsWith(ending) ? kept.secret : null
}
