import type { Directory } from './directory.ts'

/** Who a change is made by: an admin, the holder of an API key, the person at a setup link, or the service itself. */
export const callerKinds = ['admin', 'api-key', 'setup', 'system'] as const

export type CallerKind = (typeof callerKinds)[number]

/** Who asks for something, and from where. It holds no secret. */
export interface Caller {
  readonly kind: CallerKind
  /** Of the admin user or the API key; undefined for keys of the configuration, setup links and the service. */
  readonly id: string | undefined
  /** The admin's e-mail address, the key's name, or what of the service acts. */
  readonly name: string | undefined
  readonly requestId: string | undefined
  /** The network address that the request came from. */
  readonly address: string | undefined
}

/** What is done in the service's own name, or by the process that embeds it. */
export function systemCaller(name: string, requestId?: string): Caller {
  return { kind: 'system', id: undefined, name, requestId, address: undefined }
}

/** Everything that leaves an entry in the audit trail. */
export const auditActions = [
  'admin.login',
  'admin.login_failed',
  'admin.logout',
  'admin.updated',
  'admin_token.disabled',
  'api_key.created',
  'api_key.deleted',
  'directory.created',
  'directory.updated',
  'directory.deleted',
  'directory.secret_rotated',
  'directory.webhook_secret_rotated',
  'directory.connected',
  'directory.resync_started',
  'directory.sync_started',
  'directory.sync_approved',
  'delivery.paused',
  'delivery.resumed',
  'delivery.replayed',
  'delivery_log.deleted',
  'encryption_key.rotated',
  'audit.exported',
] as const

export type AuditAction = (typeof auditActions)[number]

export const auditTargetKinds = ['directory', 'api-key', 'admin-token', 'admin-user', 'service'] as const

/** What an action was done to. */
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

/** `{field: {from, to}}`. A secret shows as `"(set)"`, `"(changed)"` or null, never as it is. */
export type AuditChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** What is to be written down of an action. */
export interface AuditDraft {
  readonly action: AuditAction
  readonly caller: Caller
  readonly target: AuditTarget
  readonly changes?: AuditChanges | undefined
  /** Unix milliseconds. */
  readonly at: number
}

/** The end of the chain: the last entry's number and hash. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** An entry of the audit trail. */
export interface AuditEntry {
  /** 1, 2, 3 ... without gaps, over the whole service. */
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
  readonly previousHash: string
  readonly hash: string
}

/**
 * Makes the entry behind the end of the chain. A store calls it inside the transaction of the change, with the end locked;
 * it is pure, and may be called twice.
 */
export type AuditWrite = (head: AuditHead) => AuditEntry

/** Makes what a store writes of an action. */
export type Audited = (draft: AuditDraft) => AuditWrite

/**
 * What does not belong into a line of a log: control characters, halves of surrogate pairs (which no database keeps as they
 * are), line and paragraph separators, and what changes the direction of writing.
 */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text as a log may show it: at most so many characters, nothing that could pass for another line. */
export function plainText(text: string, maxLength: number): string {
  const start = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  return start.replaceAll(unfit, '\ufffd')
}

/** Where a request came from. */
export type CallerOrigin = Pick<Caller, 'requestId' | 'address'>

/** Of what is no request. */
export const unknownOrigin: CallerOrigin = { requestId: undefined, address: undefined }
