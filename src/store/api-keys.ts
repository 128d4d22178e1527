import type { ManagedApiKey } from '../admin/keys/store.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'

/** The columns of a managed API key, in the order of `apiKeyValues`. */
export const apiKeyColumns =
  'id, name, prefix, digest, tenant, product, read_only, created_at, expires_at, last_used_at'

/** Decodes a row of `apiKeyColumns`. */
export function decodeApiKey(row: Row): ManagedApiKey {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    prefix: text(row, 'prefix'),
    digest: text(row, 'digest'),
    scope: {
      tenant: optionalText(row, 'tenant'),
      product: optionalText(row, 'product'),
      readOnly: boolean(row, 'read_only'),
    },
    createdAt: integer(row, 'created_at'),
    expiresAt: optionalInteger(row, 'expires_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
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
