import type {
  Directory,
  DomainRules,
  Endpoint,
  ExpiringSecret,
  GoogleConnection,
  MappingReference,
} from '../directory/directory.ts'
import type { ListedDirectory } from '../directory/directory-store.ts'
import type { EndpointHeaders } from '../directory/endpoint-headers.ts'
import { authorizationStatus } from '../directory/google-connection.ts'
import { isDirectoryType } from '../directory/provider.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { endOfPrefix } from '../directory/search-terms.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, optionalText, text } from './row.ts'
import type { SealedColumn, Sealing } from './sealing.ts'
import { directoryLocation } from './sealing.ts'

/** The columns of a directory `d` and its state `s`. */
export const directoryColumns = `d.id, d.name, d.tenant, d.product, d.directory_type, d.scim_secret,
  d.previous_scim_secret, d.previous_scim_secret_expires_at, d.endpoint_url, d.endpoint_secret,
  d.previous_endpoint_secret, d.previous_endpoint_secret_expires_at, d.endpoint_headers, d.extdir, d.log_webhook_events,
  d.log_scim_requests, d.unique_group_names, d.scim_auth, d.scim_profile, d.deactivated, d.removal_limit, d.domains, d.mapping, d.created_at, d.deleted_at, s.revision,
  (select string_agg(c.id || ' ' || coalesce(cast(c.expires_at as text), ''), ',')
    from oauth_clients c where c.directory_id = d.id) as oauth_clients,
  (select h.reason from holds h where h.directory_id = d.id and h.reason = 'adoption' and h.role = '') as adoption`

/** The values of a directory's columns, by name; its secrets are sealed. */
export function directoryValues(directory: Directory, { seal }: Sealing) {
  const { previousScimSecret, endpoint, google } = directory
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
    endpoint_url: sealedIfAny('endpoint_url', endpoint?.url),
    endpoint_secret: sealedIfAny('endpoint_secret', endpoint?.secret),
    previous_endpoint_secret: sealedIfAny('previous_endpoint_secret', endpoint?.previousSecret?.secret),
    previous_endpoint_secret_expires_at: endpoint?.previousSecret?.expiresAt ?? null,
    endpoint_headers: sealedIfAny('endpoint_headers', endpoint?.headers && JSON.stringify(endpoint.headers)),
    extdir: sealedIfAny('extdir', google && JSON.stringify(google)),
    log_webhook_events: Number(directory.logWebhookEvents),
    log_scim_requests: Number(directory.logScimRequests),
    unique_group_names: Number(directory.uniqueGroupNames),
    scim_auth: directory.scimAuth === 'oauth' ? directory.scimAuth : null,
    scim_profile: directory.scimProfile === 'strict' ? directory.scimProfile : null,
    deactivated: Number(directory.deactivated),
    removal_limit: directory.removalLimit === undefined ? null : JSON.stringify(directory.removalLimit),
    domains: directory.domains === undefined ? null : JSON.stringify(directory.domains),
    can_sync: Number(google !== undefined && authorizationStatus(google) === 'authorized'),
    created_at: directory.createdAt,
    revision: directory.revision,
  }
}

/** Folds the letters A to Z, as names and tenants are compared. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The range of folded texts that begin with a prefix. */
export function prefixRange(prefix: string): { readonly from: string; readonly to: string } {
  const folded = foldAscii(prefix)
  return { from: folded, to: endOfPrefix(folded) }
}

/** Decodes a row of `id` and `created_at`. */
export function decodeListedDirectory(row: Row): ListedDirectory {
  return { id: text(row, 'id'), tenant: text(row, 'tenant'), createdAt: integer(row, 'created_at') }
}

/** Decodes a row of `directoryColumns`. */
export function decodeDirectory(row: Row, { open }: Sealing): Directory {
  const id = text(row, 'id')
  const type = text(row, 'directory_type')
  const opened = (column: SealedColumn, sealed: string) => open(sealed, directoryLocation(column, id))
  const openedIfAny: OpenColumn = (column) => {
    const sealed = optionalText(row, column)
    return sealed === undefined ? undefined : opened(column, sealed)
  }
  const google = openedIfAny('extdir')
  return {
    id,
    name: text(row, 'name'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    directoryType: isDirectoryType(type) ? type : 'generic-scim-v2',
    scimSecret: opened('scim_secret', text(row, 'scim_secret')),
    previousScimSecret: expiringSecret(row, 'previous_scim_secret', openedIfAny),
    endpoint: decodeEndpoint(row, openedIfAny),
    google: google === undefined ? undefined : decodeConnection(google),
    logWebhookEvents: boolean(row, 'log_webhook_events'),
    logScimRequests: boolean(row, 'log_scim_requests'),
    uniqueGroupNames: boolean(row, 'unique_group_names'),
    ...(row['scim_auth'] === 'oauth' ? { scimAuth: 'oauth' } : {}),
    ...(row['scim_profile'] === 'strict' ? { scimProfile: 'strict' } : {}),
    ...(row['adoption'] === null ? {} : { adoption: 'hold' }),
    ...decodeClients(optionalText(row, 'oauth_clients')),
    deactivated: boolean(row, 'deactivated'),
    ...decodeRemovalLimit(optionalText(row, 'removal_limit')),
    ...decodeDomains(optionalText(row, 'domains')),
    ...decodeMappingReference(optionalText(row, 'mapping')),
    createdAt: integer(row, 'created_at'),
    ...(row['deleted_at'] === null ? {} : { deletedAt: integer(row, 'deleted_at') }),
    revision: integer(row, 'revision'),
  }
}

/** Decrypts a column of the row; undefined when it is null. */
type OpenColumn = (column: SealedColumn) => string | undefined

function decodeEndpoint(row: Row, opened: OpenColumn): Endpoint | undefined {
  const [url, secret] = [opened('endpoint_url'), opened('endpoint_secret')]
  if (url === undefined || secret === undefined) return undefined
  const headers = opened('endpoint_headers')
  return {
    ...{ url, secret, previousSecret: expiringSecret(row, 'previous_endpoint_secret', opened) },
    ...(headers !== undefined && { headers: decodeHeaders(headers) }),
  }
}

function expiringSecret(
  row: Row,
  column: 'previous_scim_secret' | 'previous_endpoint_secret',
  opened: OpenColumn,
): ExpiringSecret | undefined {
  const secret = opened(column)
  return secret === undefined ? undefined : { secret, expiresAt: optionalInteger(row, `${column}_expires_at`) ?? 0 }
}

/** Decodes the OAuth clients: an id, and the end of its secret if it has one, of each. */
function decodeClients(listed: string | undefined): Pick<Directory, 'oauthClients'> {
  if (listed === undefined) return {}
  const oauthClients = listed.split(',').map((client) => {
    const [id = '', expiresAt = ''] = client.split(' ')
    return { id, expiresAt: expiresAt === '' ? undefined : Number(expiresAt) }
  })
  return { oauthClients }
}

/** Decodes the limit that `directoryValues` wrote. */
function decodeRemovalLimit(json: string | undefined): Pick<Directory, 'removalLimit'> {
  if (json === undefined) return {}
  const removalLimit: RemovalLimit | null = JSON.parse(json)
  return { removalLimit }
}

/** Decodes the rules that `directoryValues` wrote. */
export function decodeDomains(json: string | undefined): Pick<Directory, 'domains'> {
  if (json === undefined) return {}
  const domains: DomainRules = JSON.parse(json)
  return { domains }
}

/** The columns that a new directory inherits from its product, and their values, by the parameter of the product. */
export const inheritedColumns = 'mapping'
export const inheritedValues = (product: string): string => `
  (select case when p.document is null then null else 'product ' || p.version end
    from product_mappings p where p.product = ${product} order by p.version desc limit 1)`

/** The text of the column `mapping`. */
export function mappingText({ source, version, extended }: MappingReference): string {
  return extended === undefined ? `${source} ${version}` : `${source} ${version} extends ${extended}`
}

/** Decodes the text that `mappingText` wrote. */
export function decodeMappingReference(written: string | undefined): Pick<Directory, 'mapping'> {
  const [source, version, , extended] = (written ?? '').split(' ')
  if (source !== 'directory' && source !== 'product' && source !== 'removed') return {}
  return { mapping: { source, version: Number(version), ...(extended && { extended: Number(extended) }) } }
}

/** The JSON was authenticated when it was decrypted, so it is what `directoryValues` wrote; so is that of a connection. */
function decodeHeaders(json: string): EndpointHeaders {
  const headers: EndpointHeaders = JSON.parse(json)
  return headers
}

function decodeConnection(json: string): GoogleConnection {
  const connection: GoogleConnection = JSON.parse(json)
  return connection
}
