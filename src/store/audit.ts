import type { AuditFilter } from '../admin/audit/store.ts'
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

/** How a listing of the audit trail is asked of a database, with a `?` for each value. */
export interface AuditListing {
  /** What is selected from `audit_entries`. */
  readonly columns: string
  readonly condition: string
  readonly values: readonly (string | number)[]
  /** The index to walk, where a database lets us say so: it is in the order of the listing. Undefined for the primary key. */
  readonly index: string | undefined
}

/** The clocks of two processes differ by less: an entry's sequence and its time may be out of order by that much. */
const clockDifferenceMs = 60 * 60 * 1000

const equalities = {
  targetId: 'target_id',
  callerId: 'caller_id',
  tenant: 'tenant',
  product: 'product',
  action: 'action',
  callerKind: 'caller_kind',
} as const satisfies Partial<Record<keyof AuditFilter, string>>

/** What a listing may be narrowed by that has an index, with what narrows most first. */
const indexes = [
  { of: ['targetId'], name: 'audit_entries_by_target' },
  { of: ['callerId'], name: 'audit_entries_by_caller' },
  { of: ['tenant', 'product'], name: 'audit_entries_by_scope' },
  { of: ['tenant'], name: 'audit_entries_by_tenant' },
  { of: ['action'], name: 'audit_entries_by_action' },
  { of: ['product'], name: 'audit_entries_by_product' },
  { of: ['callerKind'], name: 'audit_entries_by_caller_kind' },
] as const

/** With the values of its `?`. */
interface Condition {
  readonly condition: string
  readonly values: readonly (string | number)[]
}

/**
 * The entries of a filter before a sequence number. Where the index is walked, a listing with one part of the filter, or
 * with tenant and product, and with any times looks at little more than what it answers; with more parts it looks at what
 * the first of them has in `indexes`, until it is full. PostgreSQL chooses by itself: it may go through the trail from its
 * end for what is frequent. No listing looks at more than the entries that retention keeps, between its times.
 */
export function auditListing(filter: AuditFilter, before: number): AuditListing {
  const given = (Object.keys(equalities) as (keyof typeof equalities)[]).flatMap((part): Condition[] => {
    const value = filter[part]
    return value === undefined ? [] : [{ condition: `${equalities[part]} = ?`, values: [value] }]
  })
  const all: Condition[] = [{ condition: 'sequence < ?', values: [before] }, ...given, ...times(filter)]
  return {
    columns: auditColumns.join(', '),
    condition: all.map(({ condition }) => condition).join(' and '),
    values: all.flatMap(({ values }) => values),
    index: indexes.find(({ of }) => of.every((part) => filter[part] !== undefined))?.name,
  }
}

/**
 * Times, with bounds of the sequence numbers that they can be at, so that nothing is looked at beyond those: what comes
 * before an entry that is older by more than clocks differ is too old as well, and what comes behind a younger one too young.
 */
function times({ from, to }: AuditFilter): Condition[] {
  const tooOld = 'select sequence from audit_entries where at < ? order by at desc, sequence desc limit 1'
  const tooYoung = 'select sequence from audit_entries where at > ? order by at, sequence limit 1'
  const bounds = {
    from: `at >= ? and sequence > coalesce((${tooOld}), 0)`,
    to: `at <= ? and sequence < coalesce((${tooYoung}), ${Number.MAX_SAFE_INTEGER})`,
  }
  return [
    ...(from === undefined ? [] : [{ condition: bounds.from, values: [from, from - clockDifferenceMs] }]),
    ...(to === undefined ? [] : [{ condition: bounds.to, values: [to, to + clockDifferenceMs] }]),
  ]
}
