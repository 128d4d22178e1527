import type { Directory } from './directory.ts'
import type { DirectoryType } from './provider.ts'

/** A directory as the directory-sync API answers it (design §4.1). */
export interface DirectoryAnswer {
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
  readonly extdir_authorization_url?: string
}

/** The path of a directory's SCIM endpoint, below the service's address. */
export function scimPath(directoryId: string): string {
  return `/api/scim/v2.0/${directoryId}`
}

/** Answers a directory. One that is pulled from has no SCIM endpoint: those fields are empty. */
export function directoryAnswer(directory: Directory, externalUrl: string): DirectoryAnswer {
  const { id, name, tenant, product, directoryType: type, endpoint, extdir } = directory
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
    ...(extdir === undefined ? {} : extdirAnswer(directory, externalUrl)),
  }
}

function extdirAnswer({ id, extdir }: Directory, externalUrl: string) {
  return {
    extdir_domain: extdir?.domain ?? '',
    extdir_access_token: extdir?.accessToken ?? '',
    extdir_refresh_token: extdir?.refreshToken ?? '',
    extdir_authorization_url: `${externalUrl}/api/scim/oauth/authorize?directoryId=${id}`,
  }
}
