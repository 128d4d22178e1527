import type { AuditFilter, AuditStore } from '../admin/audit/audit-store.ts'
import type { AuditEntry, AuditHead } from '../directory/audit.ts'
import {
  auditEnds,
  auditEntries,
  decodeAuditAnchor,
  decodeAuditHead,
  entryAfter,
  lockAuditHead,
} from './audit-chain.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { Dialect, SqlDatabase, Statement } from './sql-database.ts'

const after = `select ${auditEntries.columns} from audit_entries where sequence > $1 order by sequence limit $2`
const oldest = 'select sequence, hash, at from audit_entries order by sequence limit $1'
const remove = 'delete from audit_entries where sequence <= $1'
const erase = `
  update audit_entries set caller_name = $2, address = $3, changes = $4, salts = $5, erased = $6 where sequence = $1`
const moveAnchor = 'update audit_head set anchor_sequence = $1, anchor_hash = $2, anchor_seal = $3'

/** The audit trail. */
export function createAuditStore({ query, transaction, dialect }: SqlDatabase): AuditStore {
  return {
    appendAudit: (audit) =>
      transaction([lockAuditHead], ([head]) => {
        const { entry, statements } = entryAfter(head, audit)
        return { statements, answer: entry }
      }),
    listAudit: async (filter, before, limit) =>
      (await query(auditListing(filter, before, limit, dialect))).map(auditEntries.decode),
    auditAfter: async (sequence, limit) =>
      (await query({ text: after, values: [sequence, limit] })).map(auditEntries.decode),
    eraseInAudit: (sequence, limit, erased) =>
      transaction([lockAuditHead, { text: after, values: [sequence, limit] }], ([, rows = []]) => {
        const changed = rows.flatMap((row) => erased(auditEntries.decode(row)) ?? [])
        return { statements: changed.map(erasing), answer: changed.length }
      }),
    auditHead: async () => decodeAuditHead((await query(auditEnds))[0]),
    auditAnchor: async () => decodeAuditAnchor((await query(auditEnds))[0]),
    pruneAudit: (before, limit, sealAnchor) =>
      transaction([lockAuditHead, { text: oldest, values: [limit] }], ([locked, found = []]) => {
        const pruning = decideAuditPruning(found, before)
        if (pruning === undefined) return { statements: [], answer: 0 }
        const { sequence, hash } = pruning.anchor
        const seal = sealAnchor(decodeAuditAnchor(locked?.[0]), pruning.anchor)
        const statements = [
          { text: remove, values: [sequence] },
          { text: moveAnchor, values: [sequence, hash, seal] },
        ]
        return { statements, answer: pruning.removed }
      }),
  }
}

function erasing({ sequence, callerName, address, changes, salts, erased }: AuditEntry): Statement {
  const values = [callerName, address, changes, salts, erased].map((value) => value ?? null)
  return { text: erase, values: [sequence, ...values] }
}

/** The entries that pruning removes: their number, and the last one, at which the remaining chain is anchored. */
interface AuditPruning {
  readonly removed: number
  readonly anchor: AuditHead
}

/**
 * Decides which of the oldest entries to prune: those before the first that is not older than `before`, so that the chain
 * stays contiguous. Undefined when there are none.
 *
 * @param oldest rows of `sequence, hash, at`, in order
 */
function decideAuditPruning(oldest: readonly Row[], before: number): AuditPruning | undefined {
  const firstKept = oldest.findIndex((row) => integer(row, 'at') >= before)
  const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
  const last = old.at(-1)
  return last && { removed: old.length, anchor: { sequence: integer(last, 'sequence'), hash: text(last, 'hash') } }
}

/** The most that the clocks of two processes differ by: entries may be out of order in time by as much. */
const clockDifferenceMs = 60 * 60 * 1000

const filterColumns = [
  ['targetId', 'target_id'],
  ['callerId', 'caller_id'],
  ['callerName', 'caller_name'],
  ['tenant', 'tenant'],
  ['product', 'product'],
  ['action', 'action'],
  ['callerKind', 'caller_kind'],
] as const satisfies [keyof AuditFilter, string][]

/** The indexes for filters, the most selective first. */
const filterIndexes = [
  { filters: ['targetId'], name: 'audit_entries_by_target' },
  { filters: ['callerId'], name: 'audit_entries_by_caller' },
  { filters: ['callerName'], name: 'audit_entries_by_caller_name' },
  { filters: ['tenant', 'product'], name: 'audit_entries_by_scope' },
  { filters: ['tenant'], name: 'audit_entries_by_tenant' },
  { filters: ['action'], name: 'audit_entries_by_action' },
  { filters: ['product'], name: 'audit_entries_by_product' },
  { filters: ['callerKind'], name: 'audit_entries_by_caller_kind' },
] as const

/**
 * Lists the entries that match a filter and have a lower sequence number than `before`. With the index hint, a listing with
 * one filter, or with tenant and product, and with any times reads little more than it returns; with more filters it reads
 * the entries of the first matching index until the page is full. PostgreSQL chooses its own plan, and may scan backwards
 * for a frequent value.
 *
 * No listing reads entries outside its times. Each time comes with a bound on the sequence number that ends the scan: whatever
 * precedes an entry that is too old by more than clocks differ is too old as well, and whatever follows one that is too young
 * is too young.
 */
function auditListing(filter: AuditFilter, before: number, limit: number, { indexedBy }: Dialect): Statement {
  const values: (string | number)[] = []
  const parameter = (value: string | number) => `$${values.push(value)}`
  const conditions = [`sequence < ${parameter(before)}`]
  for (const [name, column] of filterColumns) {
    const value = filter[name]
    if (value !== undefined) conditions.push(`${column} = ${parameter(value)}`)
  }
  const { from, to } = filter
  if (from !== undefined) {
    const tooOld = `
      select sequence from audit_entries where at >= 0 and at < ${parameter(from - clockDifferenceMs)}
      order by at desc, sequence desc limit 1`
    conditions.push(`at >= ${parameter(from)} and sequence > coalesce((${tooOld}), 0)`)
  }
  if (to !== undefined) {
    const tooYoung = `
      select sequence from audit_entries where at >= 0 and at > ${parameter(to + clockDifferenceMs)} order by at, sequence limit 1`
    conditions.push(`at <= ${parameter(to)} and sequence < coalesce((${tooYoung}), ${Number.MAX_SAFE_INTEGER})`)
  }
  const index = filterIndexes.find(({ filters }) => filters.every((name) => filter[name] !== undefined))
  const select = `
    select ${auditEntries.columns} from audit_entries ${index ? indexedBy(index.name) : ''}
    where ${conditions.join(' and ')} order by sequence desc limit ${parameter(limit)}`
  return { text: select, values, isRare: true }
}
