import type { Directory, Endpoint, ExpiringSecret, GoogleConnection } from '../directory/directory.ts'
import { isDirectoryType } from '../directory/provider.ts'
import type { SealedColumn, Sealing } from './sealing.ts'
import { directoryLocation } from './sealing.ts'

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
  const { previousScimSecret, endpoint, google: extdir } = directory
  const sealed = (column: SealedColumn, secret: string) => seal(secret, directoryLocation(column, directory.id))
  const sealedIfAny = (column: SealedColumn, secret: string | undefined) =>
    secret === undefined ? null : sealed(column, secret)
  return {
    id: directory.id,
    name: directory.name,
    tenant: directory.tenant,
    product: directory.product,
    directory_type: directory.directoryType,
    scim_secret: sealed('scim_secret', directory.scimSecret),
    previous_scim_secret: sealedIfAny('previous_scim_secret', previousScimSecret?.secret),
    previous_scim_secret_expires_at: previousScimSecret?.expiresAt ?? null,
    endpoint_url: endpoint?.url ?? null,
    endpoint_secret: sealedIfAny('endpoint_secret', endpoint?.secret),
    previous_endpoint_secret: sealedIfAny('previous_endpoint_secret', endpoint?.previousSecret?.secret),
    previous_endpoint_secret_expires_at: endpoint?.previousSecret?.expiresAt ?? null,
    extdir: sealedIfAny('extdir', extdir && JSON.stringify(extdir)),
    log_webhook_events: Number(directory.logWebhookEvents),
    deactivated: Number(directory.deactivated),
    created_at: directory.createdAt,
    revision: directory.revision,
  } satisfies DirectoryRow
}

/** The directory of a row. */
export function directoryFrom(row: DirectoryRow, { open }: Sealing): Directory {
  const opened = (column: SealedColumn, sealed: string) => open(sealed, directoryLocation(column, row.id))
  const openedIfAny: OpenColumn = (column) => {
    const sealed = row[column]
    return sealed === null ? undefined : opened(column, sealed)
  }
  const extdir = openedIfAny('extdir')
  return {
    id: row.id,
    name: row.name,
    tenant: row.tenant,
    product: row.product,
    directoryType: isDirectoryType(row.directory_type) ? row.directory_type : 'generic-scim-v2',
    scimSecret: opened('scim_secret', row.scim_secret),
    previousScimSecret: expiringSecret(openedIfAny('previous_scim_secret'), row.previous_scim_secret_expires_at),
    endpoint: endpointFrom(row, openedIfAny),
    google: extdir === undefined ? undefined : (JSON.parse(extdir) as GoogleConnection),
    logWebhookEvents: row.log_webhook_events === 1,
    deactivated: row.deactivated === 1,
    createdAt: row.created_at,
    revision: row.revision,
  }
}

/** A secret of the row at hand, if it has one there. */
type OpenColumn = (column: SealedColumn) => string | undefined

function endpointFrom(row: DirectoryRow, opened: OpenColumn): Endpoint | undefined {
  const [url, secret] = [row.endpoint_url, opened('endpoint_secret')]
  if (url === null || secret === undefined) return undefined
  const previous = opened('previous_endpoint_secret')
  return { url, secret, previousSecret: expiringSecret(previous, row.previous_endpoint_secret_expires_at) }
}

function expiringSecret(secret: string | undefined, expiresAt: number | null): ExpiringSecret | undefined {
  return secret === undefined ? undefined : { secret, expiresAt: expiresAt ?? 0 }
}
