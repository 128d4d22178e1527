import type { ManagedApiKey } from '../admin/keys/store.ts'

/** The columns of a managed API key, in both databases. */
export const apiKeyColumns =
  'id, name, prefix, digest, tenant, product, read_only, created_at, expires_at, last_used_at'

/** A row of `apiKeyColumns`. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly digest: string
  readonly tenant: string | null
  readonly product: string | null
  readonly read_only: number
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
}

/** The key of a row. */
export function apiKeyOf(row: ApiKeyRow): ManagedApiKey {
  const { id, name, prefix, digest, tenant, product } = row
  return {
    ...{ id, name, prefix, digest },
    scope: { tenant: tenant ?? undefined, product: product ?? undefined, readOnly: row.read_only === 1 },
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}

/** The values of a key, in the order of `apiKeyColumns`. */
export function apiKeyValues(key: ManagedApiKey): (string | number | null)[] {
  const { id, name, prefix, digest, scope, createdAt, expiresAt, lastUsedAt } = key
  const { tenant, product, readOnly } = scope
  return [
    ...[id, name, prefix, digest, tenant ?? null, product ?? null, Number(readOnly)],
    ...[createdAt, expiresAt ?? null, lastUsedAt ?? null],
  ]
}
