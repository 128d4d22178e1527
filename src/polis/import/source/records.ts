import type { Json, JsonObject } from '../../../scim/json.ts'
import { isObject, own } from '../../../scim/json.ts'
import type { PolisDirectory, PolisFilter, PolisGroup, PolisQueuedEvent, PolisSetupLink, PolisUser } from '../source.ts'

/** Polis adds this to the paths of Entra ID's directories when it reads them. */
const entraFlag = '/?aadOptscim062020'

/** Reads a directory's record; undefined if it has no id, tenant or product. */
export function parseDirectory(record: JsonObject): PolisDirectory | undefined {
  const [id, tenant, product] = [textOf(record, 'id'), textOf(record, 'tenant'), textOf(record, 'product')]
  if (id === '' || tenant === '' || product === '') return undefined
  const [webhook, scim] = [objectOf(record, 'webhook'), objectOf(record, 'scim')]
  return {
    ...{ id, name: textOf(record, 'name'), tenant, product, type: textOf(record, 'type') },
    log_webhook_events: booleanOf(own(record, 'log_webhook_events'), false),
    webhook: { endpoint: textOf(webhook, 'endpoint'), secret: textOf(webhook, 'secret') },
    scim: { path: withoutFlag(textOf(scim, 'path')), secret: textOf(scim, 'secret') },
    deactivated: booleanOf(own(record, 'deactivated'), false),
    ...optionalTexts(record, ['google_domain', 'google_access_token', 'google_refresh_token']),
  }
}

function withoutFlag(path: string): string {
  return path.endsWith(entraFlag) ? path.slice(0, -entraFlag.length) : path
}

/** Reads a user's record; undefined if it has no id or no `raw`, which Polis always stores. */
export function parseUser(record: JsonObject, createdAt: number | undefined): PolisUser | undefined {
  const [id, raw] = [textOf(record, 'id'), own(record, 'raw')]
  if (id === '' || !isObject(raw)) return undefined
  const [email, first_name, last_name] = ['email', 'first_name', 'last_name'].map((name) => textOf(record, name))
  const roles = own(record, 'roles')
  return {
    ...{ id, email: email ?? '', first_name: first_name ?? '', last_name: last_name ?? '' },
    active: booleanOf(own(record, 'active'), true),
    ...(Array.isArray(roles) ? { roles: roles.filter((role) => typeof role === 'string') } : {}),
    ...{ raw, createdAt },
  }
}

/** Reads a group's record; undefined if it has no id or no `raw`. */
export function parseGroup(record: JsonObject, createdAt: number | undefined): PolisGroup | undefined {
  const [id, raw] = [textOf(record, 'id'), own(record, 'raw')]
  if (id === '' || !isObject(raw)) return undefined
  // A PUT without displayName leaves the record without a name.
  return { id, name: textOf(record, 'name') || textOf(raw, 'displayName'), raw, createdAt }
}

/** A member's record: a user in a group. */
export interface PolisMember {
  readonly groupId: string
  readonly userId: string
}

/** Reads a member's record; undefined if it names no user or no group. */
export function parseMember(record: JsonObject): PolisMember | undefined {
  const [groupId, userId] = [textOf(record, 'group_id'), textOf(record, 'user_id')]
  return groupId === '' || userId === '' ? undefined : { groupId, userId }
}

/** Reads a setup link's record; undefined if it has no address. */
export function parseSetupLink(record: JsonObject): PolisSetupLink | undefined {
  const [setupID, tenant, product] = [textOf(record, 'setupID'), textOf(record, 'tenant'), textOf(record, 'product')]
  const url = textOf(record, 'url')
  if (tenant === '' || product === '' || url === '') return undefined
  return {
    ...{ setupID, tenant, product, url, service: textOf(record, 'service') },
    validTill: numberOf(own(record, 'validTill')) ?? 0,
    ...optionalTexts(record, ['name', 'webhook_url', 'webhook_secret']),
  }
}

/** Reads a queued event's record; undefined if it has no payload. */
export function parseQueuedEvent(record: JsonObject, createdAt: number | undefined): PolisQueuedEvent | undefined {
  const payload = own(record, 'event')
  if (!isObject(payload)) return undefined
  const queuedAt = Date.parse(textOf(record, 'created_at'))
  return { id: textOf(record, 'id'), createdAt: Number.isNaN(queuedAt) ? (createdAt ?? 0) : queuedAt, payload }
}

/** Polis stores attributes as they were sent, whatever their type. */
export function textOf(record: JsonObject, name: string): string {
  const value = own(record, name)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function objectOf(record: JsonObject, name: string): JsonObject {
  const value = own(record, name)
  return isObject(value) ? value : {}
}

function booleanOf(value: Json | undefined, otherwise: boolean): boolean {
  if (typeof value === 'string') return value.toLowerCase() === 'true' || (otherwise && value === '')
  return typeof value === 'boolean' ? value : otherwise
}

function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function optionalTexts<Name extends string>(record: JsonObject, names: readonly Name[]): { [name in Name]?: string } {
  const given: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = own(record, name)
    if (typeof value === 'string') given[name] = value
  }
  return given
}

/** Returns whether a record is of the tenant and product of a filter. */
export function isInFilter(
  { tenant, product }: PolisFilter,
  record: { readonly tenant: string; readonly product: string },
): boolean {
  return (tenant === undefined || record.tenant === tenant) && (product === undefined || record.product === product)
}
