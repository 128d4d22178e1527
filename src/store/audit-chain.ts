import type { AuditEnd, AuditEntry, AuditWrite } from '../directory/audit.ts'
import { auditActions, auditTargetKinds, callerKinds } from '../directory/audit.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { holdsNul } from './sql-database.ts'

const columns = [
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
  'salts',
  'erased',
  'previous_hash',
  'hash',
]

/** The columns of an audit entry. */
export const auditColumns = columns.join(', ')

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
    salts: text(row, 'salts'),
    erased: optionalText(row, 'erased'),
    previousHash: text(row, 'previous_hash'),
    hash: text(row, 'hash'),
  }
}

/** The values of an entry, in the order of its columns. */
function auditValues(entry: AuditEntry): (string | number | null)[] {
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
    entry.salts,
    entry.erased ?? null,
    entry.previousHash,
    entry.hash,
  ]
}

/** Reads both ends of the chain. */
export const auditEnds: Statement = {
  text: 'select sequence, hash, seal, anchor_sequence, anchor_hash, anchor_seal from audit_head',
  values: [],
}

/** Decodes the end of the chain in a row of `auditEnds`; it is at 0 before the first entry. */
export function decodeAuditHead(row: Row | undefined): AuditEnd {
  if (row === undefined) return beginning
  return { sequence: integer(row, 'sequence'), hash: text(row, 'hash'), seal: text(row, 'seal') }
}

/** Decodes the anchor in a row of `auditEnds`. */
export function decodeAuditAnchor(row: Row | undefined): AuditEnd {
  if (row === undefined) return beginning
  return {
    sequence: integer(row, 'anchor_sequence'),
    hash: text(row, 'anchor_hash'),
    seal: text(row, 'anchor_seal'),
  }
}

const beginning: AuditEnd = { sequence: 0, hash: '', seal: '' }

/**
 * Locks the end of the chain until the transaction ends. It is the last contended lock that a transaction takes, and one
 * round trip follows it: changes wait for each other only that long, and cannot deadlock.
 */
export const lockAuditHead: Statement = { text: `${auditEnds.text} for update`, values: [] }

const insert = `
  insert into audit_entries (${auditColumns}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`
const advance = 'update audit_head set sequence = $1, hash = $2, seal = $3'

/** The entry that follows the end of the chain, as `lockAuditHead` read it, and the statements that write it. */
export function entryAfter(
  head: readonly Row[] | undefined,
  audit: AuditWrite,
): { entry: AuditEntry; statements: Statement[] } {
  const { entry, seal } = audit(decodeAuditHead(head?.[0]))
  const statements = [
    { text: insert, values: auditValues(entry) },
    { text: advance, values: [entry.sequence, entry.hash, seal] },
  ]
  return { entry, statements }
}

/** The first statements of a transaction, followed by the lock of the chain when the change is audited. */
export function withAuditHead(first: readonly Statement[], audit: AuditWrite | undefined): readonly Statement[] {
  return audit === undefined ? first : [...first, lockAuditHead]
}

/** The statements that write the entry of a change; `rows` are those of `withAuditHead`. */
export function auditStatements(rows: readonly Row[][], audit: AuditWrite | undefined): Statement[] {
  return audit === undefined ? [] : entryAfter(rows.at(-1), audit).statements
}

type Writes = Pick<SqlDatabase, 'atomically' | 'transaction'>

/**
 * Runs one statement, and in the same commit writes its audit entry when the statement returned rows.
 *
 * @param following run after the entry when the statement returned rows
 */
export async function writeAudited(
  { atomically, transaction }: Writes,
  statement: Statement,
  audit: AuditWrite | undefined,
  following: readonly Statement[] = [],
): Promise<Row[]> {
  if (audit === undefined && following.length === 0) return (await atomically([statement])).flat()
  return transaction(withAuditHead([statement], audit), (rows) => {
    const [changed = []] = rows
    return { statements: changed.length === 0 ? [] : [...auditStatements(rows, audit), ...following], answer: changed }
  })
}

/** As `writeAudited`, for keys from outside: one with a NUL character matches no row. */
export async function writeAuditedByKey(
  database: Writes,
  statement: Statement,
  audit: AuditWrite | undefined,
): Promise<Row[]> {
  return holdsNul(statement) ? [] : writeAudited(database, statement, audit)
}

/**
 * As `writeAudited`, with the lock of the chain taken first: audited statements run one after the other, and each sees what
 * the previous ones committed. Only for a statement that waits for no other lock.
 */
export async function writeAuditedInTurn(
  { atomically, transaction }: Writes,
  statement: Statement,
  audit: AuditWrite | undefined,
): Promise<Row[]> {
  if (audit === undefined) return writeAudited({ atomically, transaction }, statement, audit)
  return transaction([lockAuditHead, statement], ([head, changed = []]) => ({
    statements: changed.length === 0 ? [] : entryAfter(head, audit).statements,
    answer: changed,
  }))
}
