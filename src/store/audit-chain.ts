import type { AuditEnd, AuditEntry, AuditWrite } from '../directory/audit.ts'
import { auditActions, auditTargetKinds, callerKinds } from '../directory/audit.ts'
import { fields, recordOf } from './record.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { holdsNul } from './sql-database.ts'

/** The columns of an audit entry. */
export const auditEntries = recordOf<AuditEntry>({
  sequence: fields.integer,
  id: fields.text,
  at: fields.integer,
  action: fields.oneOf(auditActions),
  callerKind: fields.oneOf(callerKinds),
  callerId: fields.optionalText,
  callerName: fields.optionalText,
  requestId: fields.optionalText,
  address: fields.optionalText,
  targetKind: fields.oneOf(auditTargetKinds),
  targetId: fields.optionalText,
  tenant: fields.optionalText,
  product: fields.optionalText,
  changes: fields.optionalText,
  salts: fields.text,
  erased: fields.optionalText,
  previousHash: fields.text,
  hash: fields.text,
})

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

const insert = `insert into audit_entries (${auditEntries.columns}) values (${auditEntries.parameters(1)})`
const advance = 'update audit_head set sequence = $1, hash = $2, seal = $3'

/** The entry that follows the end of the chain, as `lockAuditHead` read it, and the statements that write it. */
export function entryAfter(
  head: readonly Row[] | undefined,
  audit: AuditWrite,
): { entry: AuditEntry; statements: Statement[] } {
  const { entry, seal } = audit(decodeAuditHead(head?.[0]))
  const statements = [
    { text: insert, values: auditEntries.values(entry) },
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
 * Runs one statement, and in the same commit writes its audit entry when the statement returned rows. Its values are keys from outside: one
 * with a NUL character matches no row.
 *
 * @param following run after the entry when the statement returned rows
 */
export async function writeAudited(
  { atomically, transaction }: Writes,
  statement: Statement,
  audit: AuditWrite | undefined,
  following: readonly Statement[] = [],
): Promise<Row[]> {
  if (holdsNul(statement)) return []
  if (audit === undefined && following.length === 0) return (await atomically([statement])).flat()
  return transaction(withAuditHead([statement], audit), (rows) => {
    const [changed = []] = rows
    return { statements: changed.length === 0 ? [] : [...auditStatements(rows, audit), ...following], answer: changed }
  })
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
