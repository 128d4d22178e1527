import type { AuditChanges } from './audit.ts'
import { plainText } from './audit.ts'
import type { Directory } from './directory.ts'
import { urlWithoutQuery } from './endpoint.ts'
import { removalLimitView } from './removal-limit.ts'

const maxTextLength = 500

/**
 * The differences between two records of a directory for the audit trail, in the API's field names; undefined means no
 * directory. Secrets are shown as `"(set)"`, `"(changed)"` or null, and so is the administrator that a service account
 * acts as, whose email address is personal data.
 */
export function directoryChanges(before: Directory | undefined, after: Directory | undefined): AuditChanges {
  const [from, to] = [shownFields(before), shownFields(after)]
  const shown = Object.keys(from).map((field) => [field, differenceOf(from[field] ?? null, to[field] ?? null)] as const)
  const [hidden, nowHidden] = [secretFields(before), secretFields(after)]
  const secrets = Object.keys(hidden).map((field) => [field, secretChange(hidden[field], nowHidden[field])] as const)
  return Object.fromEntries(
    [...shown, ...secrets].flatMap(([field, change]) => (change === undefined ? [] : [[field, change]])),
  )
}

type Change = AuditChanges[string]

function differenceOf(from: string | boolean | null, to: string | boolean | null): Change | undefined {
  return from === to ? undefined : { from: bounded(from), to: bounded(to) }
}

/** Undefined when the secret did not change. */
export function secretChange(from: string | undefined, to: string | undefined): Change | undefined {
  if (from === to) return undefined
  const change = from === undefined ? '(set)' : '(changed)'
  return { from: from === undefined ? null : '(set)', to: to === undefined ? null : change }
}

/** The fields that are shown by value. An absent directory has them too, so that every field is compared. */
function shownFields(directory: Directory | undefined): Readonly<Record<string, string | boolean | undefined>> {
  return {
    name: directory?.name,
    tenant: directory?.tenant,
    product: directory?.product,
    type: directory?.directoryType,
    webhook_url: directory?.endpoint && urlWithoutQuery(directory.endpoint.url),
    webhook_headers: directory?.endpoint?.headers && Object.keys(directory.endpoint.headers).join(', '),
    log_webhook_events: directory?.logWebhookEvents,
    log_scim_requests: directory?.logScimRequests,
    unique_group_names: directory?.uniqueGroupNames,
    scim_auth: directory && (directory.scimAuth ?? 'any'),
    scim_profile: directory && (directory.scimProfile ?? 'tolerant'),
    adoption: directory && (directory.adoption ?? 'off'),
    deactivated: directory?.deactivated,
    removal_limit: directory && limitText(directory.removalLimit),
    allowed_domains: directory?.domains?.allowed.join(', '),
    outside_domains: directory?.domains?.outside,
    extdir_domain: directory?.google?.domain,
    extdir_groups: directory?.google?.groups?.map(({ key }) => key).join(', '),
    extdir_org_units: directory?.google?.orgUnits?.join(', '),
    extdir_workspace: directory?.google?.workspace,
    extdir_pending_workspace: directory?.google?.pending?.workspace,
    extdir_service_account_email: directory?.google?.serviceAccount?.clientEmail,
  }
}

/** A limit as one value; undefined if the limit of the settings applies. */
function limitText(limit: Directory['removalLimit']): string | undefined {
  if (limit === undefined) return undefined
  return limit === null ? 'none' : JSON.stringify(removalLimitView(limit))
}

function secretFields(directory: Directory | undefined): Readonly<Record<string, string | undefined>> {
  const { endpoint, google: extdir, previousScimSecret } = directory ?? {}
  return {
    scim_secret: directory?.scimSecret,
    previous_scim_secret: previousScimSecret?.secret,
    webhook_url_query: endpoint && queryOf(endpoint.url),
    webhook_secret: endpoint?.secret,
    previous_webhook_secret: endpoint?.previousSecret?.secret,
    webhook_header_values: endpoint?.headers && JSON.stringify(endpoint.headers),
    extdir_access_token: extdir?.accessToken,
    extdir_refresh_token: extdir?.refreshToken,
    extdir_pending_refresh_token: extdir?.pending?.refreshToken,
    extdir_service_account_key: extdir?.serviceAccount?.privateKey,
    extdir_subject: extdir?.serviceAccount?.subject,
  }
}

function queryOf(url: string): string | undefined {
  const start = url.search(/[?#]/)
  return start < 0 ? undefined : url.slice(start)
}

function bounded(value: string | boolean | null): string | boolean | null {
  return typeof value === 'string' ? plainText(value, maxTextLength) : value
}
