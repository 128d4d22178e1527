import type { Directory, Endpoint, ExpiringSecret, Extdir } from '../directory/directory.ts'
import { isDirectoryType } from '../directory/provider.ts'
import type { Sealing } from './sealing.ts'

/** A directory as both databases keep it: secrets sealed, booleans as 0 and 1, times as Unix milliseconds. */
export interface DirectoryRow {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly directory_type: string
  readonly scim_secret: string
  readonly previous_scim_secret: string | null
  readonly previous_scim_secret_expires_at: number | null
  readonly endpoint_url: string | null
  readonly endpoint_secret: string | null
  readonly previous_endpoint_secret: string | null
  readonly previous_endpoint_secret_expires_at: number | null
  readonly extdir: string | null
  readonly log_webhook_events: number
  readonly deactivated: number
  readonly created_at: number
  readonly revision: number
}

/** The row of a directory. */
export function directoryRow(directory: Directory, { seal }: Sealing) {
  const { previousScimSecret, endpoint, extdir } = directory
  return {
    id: directory.id,
    name: directory.name,
    tenant: directory.tenant,
    product: directory.product,
    directory_type: directory.directoryType,
    scim_secret: seal(directory.scimSecret),
    previous_scim_secret: previousScimSecret === undefined ? null : seal(previousScimSecret.secret),
    previous_scim_secret_expires_at: previousScimSecret?.expiresAt ?? null,
    endpoint_url: endpoint?.url ?? null,
    endpoint_secret: endpoint === undefined ? null : seal(endpoint.secret),
    previous_endpoint_secret: endpoint?.previousSecret === undefined ? null : seal(endpoint.previousSecret.secret),
    previous_endpoint_secret_expires_at: endpoint?.previousSecret?.expiresAt ?? null,
    extdir: extdir === undefined ? null : seal(JSON.stringify(extdir)),
    log_webhook_events: Number(directory.logWebhookEvents),
    deactivated: Number(directory.deactivated),
    created_at: directory.createdAt,
    revision: directory.revision,
  } satisfies DirectoryRow
}

/** The directory of a row. */
export function directoryFrom(row: DirectoryRow, { open }: Sealing): Directory {
  const { extdir } = row
  return {
    id: row.id,
    name: row.name,
    tenant: row.tenant,
    product: row.product,
    directoryType: isDirectoryType(row.directory_type) ? row.directory_type : 'generic-scim-v2',
    scimSecret: open(row.scim_secret),
    previousScimSecret: expiringSecret(row.previous_scim_secret, row.previous_scim_secret_expires_at, open),
    endpoint: endpointFrom(row, open),
    extdir: extdir === null ? undefined : (JSON.parse(open(extdir)) as Extdir),
    logWebhookEvents: row.log_webhook_events === 1,
    deactivated: row.deactivated === 1,
    createdAt: row.created_at,
    revision: row.revision,
  }
}

function endpointFrom(row: DirectoryRow, open: Sealing['open']): Endpoint | undefined {
  const { endpoint_url: url, endpoint_secret: secret } = row
  if (url === null || secret === null) return undefined
  const { previous_endpoint_secret: previous, previous_endpoint_secret_expires_at: expiresAt } = row
  return { url, secret: open(secret), previousSecret: expiringSecret(previous, expiresAt, open) }
}

function expiringSecret(
  sealed: string | null,
  expiresAt: number | null,
  open: Sealing['open'],
): ExpiringSecret | undefined {
  return sealed === null ? undefined : { secret: open(sealed), expiresAt: expiresAt ?? 0 }
}
