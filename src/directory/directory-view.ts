import type { Directory, GoogleConnection } from './directory.ts'
import type { DirectoryType } from './provider.ts'

/** Whether a directory can be pulled from: nothing to do it with, good as far as is known, or an administrator must consent. */
export type AuthorizationStatus = 'none' | 'authorized' | 'needs_authorization'

/** A directory as the directory-sync API answers it (design §4.1). */
export interface DirectoryView {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: DirectoryType
  readonly log_webhook_events: boolean
  readonly deactivated: boolean
  readonly scim: { readonly path: string; readonly secret: string; readonly endpoint: string }
  readonly webhook: { readonly endpoint: string; readonly secret: string }
  readonly extdir_domain?: string
  readonly extdir_access_token?: string
  readonly extdir_refresh_token?: string
  readonly extdir_service_account_email?: string
  readonly extdir_subject?: string
  readonly extdir_authorization_url?: string
  readonly extdir_authorization_status?: AuthorizationStatus
  /** Why it needs authorization. */
  readonly extdir_authorization_error?: string | null
}

/** The path of a directory's SCIM endpoint, below the service's address. */
export function scimPath(directoryId: string): string {
  return `/api/scim/v2.0/${directoryId}`
}

/** Answers a directory. One that is pulled from has no SCIM endpoint: those fields are empty. */
export function directoryView(directory: Directory, externalUrl: string): DirectoryView {
  const { id, name, tenant, product, directoryType: type, endpoint, google: extdir } = directory
  const path = scimPath(id)
  const scim = { path, secret: directory.scimSecret, endpoint: `${externalUrl}${path}` }
  return {
    id,
    name,
    tenant,
    product,
    type,
    log_webhook_events: directory.logWebhookEvents,
    deactivated: directory.deactivated,
    scim: extdir === undefined ? scim : { path: '', secret: '', endpoint: '' },
    webhook: { endpoint: endpoint?.url ?? '', secret: endpoint?.secret ?? '' },
    ...(extdir === undefined ? {} : extdirAnswer(id, extdir, externalUrl)),
  }
}

/** The same for who may read only: what lets its holder write, or read elsewhere, is empty. */
export function withoutSecrets(answer: DirectoryView): DirectoryView {
  const tokens = answer.type === 'extdir' ? { extdir_access_token: '', extdir_refresh_token: '' } : {}
  return { ...answer, scim: { ...answer.scim, secret: '' }, webhook: { ...answer.webhook, secret: '' }, ...tokens }
}

function extdirAnswer(id: string, extdir: GoogleConnection, externalUrl: string) {
  return {
    extdir_domain: extdir.domain ?? '',
    extdir_access_token: extdir.accessToken ?? '',
    extdir_refresh_token: extdir.refreshToken ?? '',
    extdir_service_account_email: extdir.serviceAccount?.clientEmail ?? '',
    extdir_subject: extdir.serviceAccount?.subject ?? '',
    extdir_authorization_url: `${externalUrl}/api/scim/oauth/authorize?directoryId=${id}`,
    extdir_authorization_status: authorizationStatus(extdir),
    extdir_authorization_error: extdir.authorizationNeeded ?? null,
  }
}

function authorizationStatus(extdir: GoogleConnection): AuthorizationStatus {
  const { authorizationNeeded, serviceAccount, accessToken, refreshToken } = extdir
  if (authorizationNeeded !== undefined) return 'needs_authorization'
  return (serviceAccount ?? accessToken ?? refreshToken) === undefined ? 'none' : 'authorized'
}
