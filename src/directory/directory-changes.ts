import type { AuditChanges } from './audit.ts'
import { plainText } from './audit.ts'
import type { Directory, Endpoint } from './directory.ts'

const maxTextLength = 500

/**
 * What differs between two records of a directory, in the API's field names; undefined stands for a directory that is not
 * there. Secrets show as `"(set)"`, `"(changed)"` or null, and so does the administrator that a service account acts as:
 * that is somebody's e-mail address.
 */
export function directoryChanges(before: Directory | undefined, after: Directory | undefined): AuditChanges {
  const [from, to] = [shownOf(before), shownOf(after)]
  const shown = Object.keys(from).map((field) => [field, differenceOf(from[field] ?? null, to[field] ?? null)] as const)
  const [hidden, nowHidden] = [secretsOf(before), secretsOf(after)]
  const secrets = Object.keys(hidden).map((field) => [field, secretChange(hidden[field], nowHidden[field])] as const)
  return Object.fromEntries(
    [...shown, ...secrets].flatMap(([field, change]) => (change === undefined ? [] : [[field, change]])),
  )
}

type Change = AuditChanges[string]

function differenceOf(from: string | boolean | null, to: string | boolean | null): Change | undefined {
  return from === to ? undefined : { from: bounded(from), to: bounded(to) }
}

/** How the change of a secret reads; undefined when it did not change. */
export function secretChange(from: string | undefined, to: string | undefined): Change | undefined {
  if (from === to) return undefined
  const change = from === undefined ? '(set)' : '(changed)'
  return { from: from === undefined ? null : '(set)', to: to === undefined ? null : change }
}

/** What may be shown as it is. A new record has the same fields, so that each is compared. */
function shownOf(directory: Directory | undefined): Readonly<Record<string, string | boolean | undefined>> {
  return {
    name: directory?.name,
    tenant: directory?.tenant,
    product: directory?.product,
    type: directory?.directoryType,
    webhook_url: directory?.endpoint && shownUrl(directory.endpoint),
    log_webhook_events: directory?.logWebhookEvents,
    deactivated: directory?.deactivated,
    extdir_domain: directory?.google?.domain,
    extdir_service_account_email: directory?.google?.serviceAccount?.clientEmail,
  }
}

function secretsOf(directory: Directory | undefined): Readonly<Record<string, string | undefined>> {
  const { endpoint, google: extdir, previousScimSecret } = directory ?? {}
  return {
    scim_secret: directory?.scimSecret,
    previous_scim_secret: previousScimSecret?.secret,
    webhook_url_query: endpoint && queryOf(endpoint.url),
    webhook_secret: endpoint?.secret,
    previous_webhook_secret: endpoint?.previousSecret?.secret,
    extdir_access_token: extdir?.accessToken,
    extdir_refresh_token: extdir?.refreshToken,
    extdir_service_account_key: extdir?.serviceAccount?.privateKey,
    extdir_subject: extdir?.serviceAccount?.subject,
  }
}

/** Without its query, which often holds a token of the receiver's. */
function shownUrl({ url }: Endpoint): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

function queryOf(url: string): string | undefined {
  const start = url.search(/[?#]/)
  return start < 0 ? undefined : url.slice(start)
}

function bounded(value: string | boolean | null): string | boolean | null {
  return typeof value === 'string' ? plainText(value, maxTextLength) : value
}
