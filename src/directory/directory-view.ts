import type { ScimProfile } from '../scim/schema/resource-type.ts'
import type { Adoption, Directory, DomainRules, ExpiringSecret, GoogleConnection, ScimAuth } from './directory.ts'
import { urlWithoutQuery } from './endpoint.ts'
import type { AuthorizationStatus } from './google-connection.ts'
import { authorizationStatus, scopeOf } from './google-connection.ts'
import type { DirectoryType } from './provider.ts'
import type { RemovalLimit, RemovalLimitView } from './removal-limit.ts'
import { limitOf, removalLimitView } from './removal-limit.ts'

/** A directory as the directory-sync API returns it. */
export interface DirectoryView {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: DirectoryType
  readonly log_webhook_events: boolean
  readonly log_scim_requests: boolean
  readonly unique_group_names: boolean
  readonly scim_auth: ScimAuth
  readonly scim_profile: ScimProfile
  /** `hold` while the first events are held for it. */
  readonly adoption: Adoption
  readonly deactivated: boolean
  /** Empty: any domain. */
  readonly allowed_domains: readonly string[]
  readonly outside_domains: DomainRules['outside']
  /** Null means that removals are never held. */
  readonly removal_limit: RemovalLimitView | null
  readonly scim: { readonly path: string; readonly secret: string; readonly endpoint: string } & PreviousSecretView
  /** Of the further headers only the names. */
  readonly webhook: Pick<DirectoryView['scim'], 'endpoint' | 'secret'> &
    PreviousSecretView & { readonly headers: readonly string[] }
  readonly extdir_domain?: string
  readonly extdir_groups?: readonly string[]
  readonly extdir_org_units?: readonly string[]
  readonly extdir_access_token?: string
  readonly extdir_refresh_token?: string
  readonly extdir_service_account_email?: string
  readonly extdir_subject?: string
  readonly extdir_authorization_url?: string
  readonly extdir_authorization_status?: AuthorizationStatus
  /** The reason why authorization is needed. */
  readonly extdir_authorization_error?: string | null
  /** The consent that waits for approval, if any. */
  readonly extdir_pending_connection?: { readonly workspace: string | null; readonly reason: string }
}

/** Until when the secret before a rotation is valid; it may be in the past. Missing without a grace period. */
interface PreviousSecretView {
  readonly previous_secret_expires_at?: string
}

function previousSecretView(previous: ExpiringSecret | undefined): PreviousSecretView {
  return previous === undefined ? {} : { previous_secret_expires_at: new Date(previous.expiresAt).toISOString() }
}

/** The path of a directory's SCIM endpoint on this service. */
export function scimPath(directoryId: string): string {
  return `/api/scim/v2.0/${directoryId}`
}

/**
 * A directory as the API returns it. A Google Workspace directory has no SCIM endpoint: its `scim` fields are empty.
 *
 * @param removalLimit the limit of directories that have no limit of their own
 * @param authorizationUrl the page where an administrator of Google Workspace consents
 */
export function directoryView(
  directory: Directory,
  externalUrl: string,
  removalLimit: RemovalLimit | null,
  authorizationUrl = '',
): DirectoryView {
  const { id, name, tenant, product, directoryType: type, endpoint, google } = directory
  const path = scimPath(id)
  const limit = limitOf(directory, removalLimit)
  const previous = previousSecretView(directory.previousScimSecret)
  const scim = { path, secret: directory.scimSecret, endpoint: `${externalUrl}${path}`, ...previous }
  return {
    id,
    name,
    tenant,
    product,
    type,
    log_webhook_events: directory.logWebhookEvents,
    log_scim_requests: directory.logScimRequests,
    unique_group_names: directory.uniqueGroupNames,
    scim_auth: directory.scimAuth ?? 'any',
    scim_profile: directory.scimProfile ?? 'tolerant',
    adoption: directory.adoption ?? 'off',
    deactivated: directory.deactivated,
    removal_limit: limit && removalLimitView(limit),
    allowed_domains: directory.domains?.allowed ?? [],
    outside_domains: directory.domains?.outside ?? 'flag',
    scim: google === undefined ? scim : { path: '', secret: '', endpoint: '' },
    webhook: {
      endpoint: endpoint?.url ?? '',
      secret: endpoint?.secret ?? '',
      headers: Object.keys(endpoint?.headers ?? {}),
      ...previousSecretView(endpoint?.previousSecret),
    },
    ...(google === undefined ? {} : googleView(google, authorizationUrl)),
  }
}

/**
 * The view for read-only callers: secrets, tokens and the authorization URL, which would grant access elsewhere, are
 * empty, and the query of the endpoint is removed.
 */
export function withoutSecrets(view: DirectoryView): DirectoryView {
  const hidden = { extdir_access_token: '', extdir_refresh_token: '', extdir_authorization_url: '' }
  const tokens = view.type === 'extdir' ? hidden : {}
  const webhook = { ...view.webhook, endpoint: urlWithoutQuery(view.webhook.endpoint), secret: '' }
  return { ...view, scim: { ...view.scim, secret: '' }, webhook, ...tokens }
}

function googleView(connection: GoogleConnection, authorizationUrl: string) {
  const { pending } = connection
  const { domain = '', groups, orgUnits } = scopeOf(connection)
  return {
    ...{ extdir_domain: domain, extdir_groups: groups, extdir_org_units: orgUnits },
    extdir_access_token: connection.accessToken ?? '',
    extdir_refresh_token: connection.refreshToken ?? '',
    extdir_service_account_email: connection.serviceAccount?.clientEmail ?? '',
    extdir_subject: connection.serviceAccount?.subject ?? '',
    extdir_authorization_url: authorizationUrl,
    extdir_authorization_status: authorizationStatus(connection),
    extdir_authorization_error: connection.authorizationNeeded ?? null,
    ...(pending && { extdir_pending_connection: { workspace: pending.workspace ?? null, reason: pending.reason } }),
  }
}
