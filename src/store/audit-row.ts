import type { AuditAction, AuditEntry, AuditHead, AuditTarget, CallerKind } from '../directory/audit.ts'

/** The columns of an audit entry, in both databases. */
export const auditColumns = [
  'sequence',
  'id',
  'at',
  'action',
  'caller_kind',
  'caller_id',
  'caller_name',
  'request_id',
  'address',
  'target_kind',
  'target_id',
  'tenant',
  'product',
  'changes',
  'previous_hash',
  'hash',
] as const

/** A row of `auditColumns`. */
export interface AuditRow {
  readonly sequence: number
  readonly id: string
  readonly at: number
  readonly action: string
  readonly caller_kind: string
  readonly caller_id: string | null
  readonly caller_name: string | null
  readonly request_id: string | null
  readonly address: string | null
  readonly target_kind: string
  readonly target_id: string | null
  readonly tenant: string | null
  readonly product: string | null
  readonly changes: string | null
  readonly previous_hash: string
  readonly hash: string
}

/** The entry of a row. */
export function auditEntryOf(row: AuditRow): AuditEntry {
  return {
    sequence: row.sequence,
    id: row.id,
    at: row.at,
    action: row.action as AuditAction,
    callerKind: row.caller_kind as CallerKind,
    callerId: row.caller_id ?? undefined,
    callerName: row.caller_name ?? undefined,
    requestId: row.request_id ?? undefined,
    address: row.address ?? undefined,
    targetKind: row.target_kind as AuditTarget['kind'],
    targetId: row.target_id ?? undefined,
    tenant: row.tenant ?? undefined,
    product: row.product ?? undefined,
    changes: row.changes ?? undefined,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** The values of an entry, in the order of `auditColumns`. */
export function auditValues(entry: AuditEntry): (string | number | null)[] {
  return [
    entry.sequence,
    entry.id,
    entry.at,
    entry.action,
    entry.callerKind,
    entry.callerId ?? null,
    entry.callerName ?? null,
    entry.requestId ?? null,
    entry.address ?? null,
    entry.targetKind,
    entry.targetId ?? null,
    entry.tenant ?? null,
    entry.product ?? null,
    entry.changes ?? null,
    entry.previousHash,
    entry.hash,
  ]
}

/** An end of the chain, of a row of `sequence, hash`; the beginning when there is none. */
export function auditHeadOf(row: Readonly<Record<string, unknown>> | undefined): AuditHead {
  return { sequence: Number(row?.['sequence'] ?? 0), hash: String(row?.['hash'] ?? '') }
}
