import type { AuditFilter } from '../admin/audit/store.ts'
import type { AuditEnd, AuditEntry, AuditHead } from '../directory/audit.ts'
import { auditActions, auditTargetKinds, callerKinds } from '../directory/audit.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'

/** The columns of an audit entry, in the order of `auditValues`. */
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

/** Decodes a row of `auditColumns`. */
export function decodeAuditEntry(row: Row): AuditEntry {
  return {
    sequence: integer(row, 'sequence'),
    id: text(row, 'id'),
    at: integer(row, 'at'),
    action: oneOf(row, 'action', auditActions),
    callerKind: oneOf(row, 'caller_kind', callerKinds),
    callerId: optionalText(row, 'caller_id'),
    callerName: optionalText(row, 'caller_name'),
    requestId: optionalText(row, 'request_id'),
    address: optionalText(row, 'address'),
    targetKind: oneOf(row, 'target_kind', auditTargetKinds),
    targetId: optionalText(row, 'target_id'),
    tenant: optionalText(row, 'tenant'),
    product: optionalText(row, 'product'),
    changes: optionalText(row, 'changes'),
    previousHash: text(row, 'previous_hash'),
    hash: text(row, 'hash'),
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

/** The columns of `audit_head`. */
export const auditEnds = 'sequence, hash, seal, anchor_sequence, anchor_hash, anchor_seal'

/** Decodes the end of the chain in a row of `auditEnds`; it is at 0 before the first entry. */
export function decodeAuditHead(row: Row | undefined): AuditEnd {
  return row === undefined ? beginning : { ...decodeEnd(row), seal: text(row, 'seal') }
}

/** Decodes the anchor in a row of `auditEnds`. */
export function decodeAuditAnchor(row: Row | undefined): AuditEnd {
  if (row === undefined) return beginning
  const [sequence, hash] = [integer(row, 'anchor_sequence'), text(row, 'anchor_hash')]
  return { sequence, hash, seal: text(row, 'anchor_seal') }
}

const beginning: AuditEnd = { sequence: 0, hash: '', seal: '' }

function decodeEnd(row: Row): AuditHead {
  return { sequence: integer(row, 'sequence'), hash: text(row, 'hash') }
}

/** What pruning removes: a number of entries, up to the one that the remaining chain is anchored at. */
export interface AuditPruning {
  readonly removed: number
  readonly anchor: AuditHead
}

/**
 * Decides which of the oldest entries to prune: those before the first that is not older than `before`, so that the chain
 * stays contiguous. Undefined when there are none.
 *
 * @param oldest rows of `sequence, hash, at`, in order
 */
export function decideAuditPruning(oldest: readonly Row[], before: number): AuditPruning | undefined {
  const firstKept = oldest.findIndex((row) => integer(row, 'at') >= before)
  const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
  const last = old.at(-1)
  return last && { removed: old.length, anchor: decodeEnd(last) }
}

/** The `where` of a listing of `audit_entries`, with a `?` for each value. */
export interface AuditListing {
  readonly condition: string
  readonly values: readonly (string | number)[]
  /** The index whose order is that of the listing, for engines that accept a hint; undefined for the primary key. */
  readonly index: string | undefined
}

/** The most that the clocks of two processes differ by: entries may be out of order in time by as much. */
const clockDifferenceMs = 60 * 60 * 1000

const filterColumns = {
  targetId: 'target_id',
  callerId: 'caller_id',
  tenant: 'tenant',
  product: 'product',
  action: 'action',
  callerKind: 'caller_kind',
} as const satisfies Partial<Record<keyof AuditFilter, string>>

/** The indexes for filters, the most selective first. */
const filterIndexes = [
  { filters: ['targetId'], name: 'audit_entries_by_target' },
  { filters: ['callerId'], name: 'audit_entries_by_caller' },
  { filters: ['tenant', 'product'], name: 'audit_entries_by_scope' },
  { filters: ['tenant'], name: 'audit_entries_by_tenant' },
  { filters: ['action'], name: 'audit_entries_by_action' },
  { filters: ['product'], name: 'audit_entries_by_product' },
  { filters: ['callerKind'], name: 'audit_entries_by_caller_kind' },
] as const

interface Condition {
  readonly condition: string
  readonly values: readonly (string | number)[]
}

/**
 * Lists the entries that match a filter and have a lower sequence number than `before`. With the index hint, a listing with
 * one filter, or with tenant and product, and with any times reads little more than it returns; with more filters it reads
 * the entries of the first matching index until the page is full. PostgreSQL chooses its own plan, and may scan backwards
 * for a frequent value. No listing reads entries outside its times.
 */
export function auditListing(filter: AuditFilter, before: number): AuditListing {
  const equalities = (Object.keys(filterColumns) as (keyof typeof filterColumns)[]).flatMap((name): Condition[] => {
    const value = filter[name]
    return value === undefined ? [] : [{ condition: `${filterColumns[name]} = ?`, values: [value] }]
  })
  const all: Condition[] = [{ condition: 'sequence < ?', values: [before] }, ...equalities, ...timeConditions(filter)]
  return {
    condition: all.map(({ condition }) => condition).join(' and '),
    values: all.flatMap(({ values }) => values),
    index: filterIndexes.find(({ filters }) => filters.every((name) => filter[name] !== undefined))?.name,
  }
}

/**
 * Conditions on the time, each with a bound on the sequence number that ends the scan: whatever precedes an entry that is
 * too old by more than clocks differ is too old as well, and whatever follows one that is too young is too young.
 */
function timeConditions({ from, to }: AuditFilter): Condition[] {
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
