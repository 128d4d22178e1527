import type { PortalDirectory } from './api.ts'
import { session } from './storage.ts'

const storageKey = 'rollcall-portal-secret'
const clientStorageKey = 'rollcall-portal-client-secret'

/** A secret that was made in this tab, with the address or the client that it belongs to. */
interface KeptSecret {
  readonly endpoint: string
  readonly secret: string
}

/** Keeps a secret for reloads of this tab: the service shows it only once. */
export function keepSecret(endpoint: string, secret: string): void {
  session.set(storageKey, JSON.stringify({ endpoint, secret } satisfies KeptSecret))
}

/** Forgets the kept secret. */
export function forgetSecret(): void {
  session.remove(storageKey)
}

/** The kept secret of a directory; null when there is none, or it is no longer the present one. */
export function keptSecret({ scim_endpoint: endpoint, secret_ending: ending }: PortalDirectory): string | null {
  const kept = stored<KeptSecret>(storageKey)
  if (kept === null) return null
  return kept.endpoint === endpoint && ending !== null && kept.secret.endsWith(ending) ? kept.secret : null
}

/** The secret of an OAuth client that was created in this tab. */
interface KeptClientSecret {
  readonly clientId: string
  readonly secret: string
}

/** Keeps the secret of an OAuth client, as `keepSecret` does. */
export function keepClientSecret(clientId: string, secret: string): void {
  session.set(clientStorageKey, JSON.stringify({ clientId, secret } satisfies KeptClientSecret))
}

/** Forgets the kept secret of an OAuth client. */
export function forgetClientSecret(): void {
  session.remove(clientStorageKey)
}

/** The kept secret of an OAuth client; null when it is that of another one, or there is none. */
export function keptClientSecret(clientId: string | undefined): string | null {
  const kept = stored<KeptClientSecret>(clientStorageKey)
  return kept !== null && kept.clientId === clientId ? kept.secret : null
}

function stored<T>(key: string): T | null {
  const text = session.get(key)
  return text === null ? null : (JSON.parse(text) as T)
}
