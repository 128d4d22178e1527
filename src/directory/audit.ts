import type { Directory } from './directory.ts'

/** The kinds of callers: an admin, the holder of an API key, the person at a setup link, or the service itself. */
export const callerKinds = ['admin', 'api-key', 'setup', 'system'] as const

export type CallerKind = (typeof callerKinds)[number]

/** The person or program that made a request, and its origin. Contains no secret. */
export interface Caller {
  readonly kind: CallerKind
  /** The id of the admin user, the API key or the setup link; undefined for the service. */
  readonly id: string | undefined
  /** The admin's email address, the key's name or position in `API_KEYS`, or the part of the service that acts. */
  readonly name: string | undefined
  readonly requestId: string | undefined
  /** The network address that the request came from. */
  readonly address: string | undefined
}

/** The service itself, or the process that embeds it. */
export function systemCaller(name: string, requestId?: string): Caller {
  return { kind: 'system', id: undefined, name, requestId, address: undefined }
}

export const auditActions = [
  'admin.login',
  'admin.login_failed',
  'admin.logout',
  'admin.updated',
  'admin_token.disabled',
  'console.signed_in',
  'console.signed_out',
  'api_key.created',
  'api_key.deleted',
  'directory.created',
  'directory.updated',
  'directory.deleted',
  'directory.secret_rotated',
  'directory.webhook_secret_rotated',
  'directory.connected',
  'directory.connection_requested',
  'directory.connection_approved',
  'directory.resync_started',
  'directory.imported',
  'directory.hold_released',
  'directory.hold_discarded',
  'directory.sync_started',
  'directory.sync_approved',
  'delivery.paused',
  'delivery.resumed',
  'delivery.replayed',
  'delivery.skipped',
  'delivery_log.deleted',
  'setup_link.created',
  'setup_link.deleted',
  'user.linked',
  'user.unlinked',
  'adoption.applied',
  'mapping.changed',
  'mapping.removed',
  'oauth_client.created',
  'oauth_client.deleted',
  'person.exported',
  'person.erased',
  'encryption_key.rotated',
  'database.backed_up',
  'audit.exported',
] as const

export type AuditAction = (typeof auditActions)[number]

export const auditTargetKinds = [
  'directory',
  'api-key',
  'admin-token',
  'admin-user',
  'setup-link',
  'user',
  'service',
] as const

/** The object that an action changed or read. */
export interface AuditTarget {
  readonly kind: (typeof auditTargetKinds)[number]
  readonly id: string | undefined
  readonly tenant?: string | undefined
  readonly product?: string | undefined
}

/** A directory as the target of an action. */
export function directoryTarget({ id, tenant, product }: Pick<Directory, 'id' | 'tenant' | 'product'>): AuditTarget {
  return { kind: 'directory', id, tenant, product }
}

/** `{field: {from, to}}`. A secret is shown as `"(set)"`, `"(changed)"` or null, never by value. */
export type AuditChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** An action before it becomes an entry of the audit trail. */
export interface AuditDraft {
  readonly action: AuditAction
  readonly caller: Caller
  readonly target: AuditTarget
  readonly changes?: AuditChanges | undefined
  /** Unix milliseconds. */
  readonly at: number
}

/** The end of the hash chain: the sequence and hash of the last entry. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** An end of the chain as it is stored. */
export interface AuditEnd extends AuditHead {
  /** Proves that the service recorded this end: see `sealEnd`. Empty before the first entry. */
  readonly seal: string
}

/** An entry of the audit trail; each contains the hash of the one before. */
export interface AuditEntry {
  /** 1, 2, 3 … without gaps, across the whole service. */
  readonly sequence: number
  readonly id: string
  readonly at: number
  readonly action: AuditAction
  readonly callerKind: CallerKind
  readonly callerId: string | undefined
  readonly callerName: string | undefined
  readonly requestId: string | undefined
  readonly address: string | undefined
  readonly targetKind: AuditTarget['kind']
  readonly targetId: string | undefined
  readonly tenant: string | undefined
  readonly product: string | undefined
  /** JSON text of AuditChanges. */
  readonly changes: string | undefined
  /** JSON text of the salt of each personal field. */
  readonly salts: string
  /** JSON text of the personal fields that were erased; undefined while nothing was. */
  readonly erased: string | undefined
  readonly previousHash: string
  readonly hash: string
}

/**
 * Builds the entry that follows `head`. A store calls it in the transaction of the change while it holds a lock on the
 * head; the function is pure and may be called again.
 */
export type AuditWrite = (head: AuditEnd) => AuditWritten

/** An entry, and the seal of the chain that ends with it. */
export interface AuditWritten {
  readonly entry: AuditEntry
  readonly seal: string
}

/** Prepares the audit entry of an action for the store. */
export type Audited = (draft: AuditDraft) => AuditWrite

/**
 * Control characters, lone surrogates (no database stores them), line and paragraph separators, bidirectional controls.
 */
const unsafeCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text that is safe in a log line: truncated to `maxLength`, unsafe characters replaced. */
export function plainText(text: string, maxLength: number): string {
  const start = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  return start.replaceAll(unsafeCharacters, '\ufffd')
}

/** The origin of a request. */
export type CallerOrigin = Pick<Caller, 'requestId' | 'address'>

/** The origin of calls that are not caused by a request. */
export const unknownOrigin: CallerOrigin = { requestId: undefined, address: undefined }
