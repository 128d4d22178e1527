import { directoryTypes } from '../directory/provider.ts'
import type { SetupLink } from '../setup/setup-link.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { setupLinkLocation } from './sealing.ts'

/** The columns of a setup link, in the order of `setupLinkValues`. */
export const setupLinkColumns =
  'id, tenant, product, name, directory_id, directory_given, endpoint, types, token_digest, created_at, expires_at, revoked_at'

/** How many expired links are removed with each one that is created: more than are added. */
export const forgottenPerCall = 20

/** The values of a link, in the order of `setupLinkColumns`. */
export function setupLinkValues(link: SetupLink, sealing: Sealing): (string | number | null)[] {
  const { id, tenant, product, name, directoryId, endpoint, types, tokenDigest, createdAt, expiresAt, revokedAt } = link
  return [
    ...[id, tenant, product, name ?? null, directoryId ?? null, Number(link.isDirectoryGiven)],
    sealing.seal(JSON.stringify(endpoint ?? null), setupLinkLocation(id)),
    ...[types === undefined ? null : JSON.stringify(types), tokenDigest, createdAt, expiresAt, revokedAt ?? null],
  ]
}

/** Decodes a row of `setupLinkColumns`. */
export function decodeSetupLink(row: Row, sealing: Sealing): SetupLink {
  const id = text(row, 'id')
  return {
    id,
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    name: optionalText(row, 'name'),
    directoryId: optionalText(row, 'directory_id'),
    isDirectoryGiven: boolean(row, 'directory_given'),
    endpoint:
      (JSON.parse(sealing.open(text(row, 'endpoint'), setupLinkLocation(id))) as SetupLink['endpoint'] | null) ??
      undefined,
    types: decodeTypes(optionalText(row, 'types')),
    tokenDigest: text(row, 'token_digest'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
    revokedAt: optionalInteger(row, 'revoked_at'),
  }
}

/** Types that this version does not know are left out. */
function decodeTypes(json: string | undefined): SetupLink['types'] {
  if (json === undefined) return undefined
  const stored: readonly unknown[] = JSON.parse(json)
  return directoryTypes.filter((type) => stored.includes(type))
}

/** The current link of a scope when it must be kept: it has not expired when the new one is created. */
export function keptLink(current: SetupLink | undefined, next: SetupLink, replaces: boolean): SetupLink | undefined {
  return current !== undefined && !replaces && current.expiresAt > next.createdAt ? current : undefined
}
