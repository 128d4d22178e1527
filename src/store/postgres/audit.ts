import type { AuditStore } from '../../admin/audit/store.ts'
import type { AuditEntry, AuditWrite } from '../../directory/audit.ts'
import {
  auditColumns,
  auditEnds,
  auditListing,
  auditValues,
  decideAuditPruning,
  decodeAuditAnchor,
  decodeAuditEntry,
  decodeAuditHead,
} from '../audit.ts'
import type { Row } from '../row.ts'
import type { Database, Statement } from './database.ts'
import type { Reader } from './reader.ts'
import { holdsNul } from './reader.ts'
import { numberParameters } from './sql.ts'

const columns = auditColumns.join(', ')
const ends = { text: `select ${auditEnds} from audit_head`, values: [] }
const after = `select ${columns} from audit_entries where sequence > $1 order by sequence limit $2`
const oldest = 'select sequence, hash, at from audit_entries order by sequence limit $1'
const remove = 'delete from audit_entries where sequence <= $1'
const moveAnchor = 'update audit_head set anchor_sequence = $1, anchor_hash = $2, anchor_seal = $3'
const insert = `
  insert into audit_entries (${columns}) values (${auditColumns.map((_, index) => `$${index + 1}`).join(', ')})`
const advance = 'update audit_head set sequence = $1, hash = $2, seal = $3'

/**
 * Locks the end of the chain until the transaction ends. It is the last contended lock that a transaction takes, and one
 * round trip follows it: changes wait for each other only that long, and cannot deadlock.
 */
export const lockAuditHead: Statement = { text: `${ends.text} for update`, values: [] }

/** The audit trail on PostgreSQL. */
export function postgresAudit({ transaction }: Database, { rows, row }: Reader): AuditStore {
  return {
    appendAudit: (audit) =>
      transaction([lockAuditHead], ([found]) => {
        const { entry, statements } = entryAfter(found, audit)
        return { statements, answer: entry }
      }),
    async listAudit(filter, before, limit) {
      const { condition, values } = auditListing(filter, before)
      const text = `select ${columns} from audit_entries where ${condition} order by sequence desc limit ?`
      const found = await rows({ text: numberParameters(text, 1), values: [...values, limit], isRare: true })
      return found.map(decodeAuditEntry)
    },
    auditAfter: async (sequence, limit) =>
      (await rows({ text: after, values: [sequence, limit] })).map(decodeAuditEntry),
    auditHead: async () => decodeAuditHead(await row(ends)),
    auditAnchor: async () => decodeAuditAnchor(await row(ends)),
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

/** Runs one statement, and in the same commit writes its audit entry when the statement returned rows. */
export type AuditedWrite = (statement: Statement, audit: AuditWrite | undefined) => Promise<Row[]>

export function createAuditedWrite({ query, transaction }: Database): AuditedWrite {
  return (statement, audit) => {
    if (audit === undefined) return query(statement)
    return transaction(withAuditHead([statement], audit), (found) => {
      const [changed = []] = found
      return { statements: changed.length === 0 ? [] : auditStatements(found, audit), answer: changed }
    })
  }
}

/**
 * As `createAuditedWrite`, with the lock of the chain taken first: audited statements run one after the other, and each sees
 * what the previous ones committed. Only for a statement that waits for no other lock.
 */
export function createSerializedWrite({ query, transaction }: Database): AuditedWrite {
  return (statement, audit) => {
    if (audit === undefined) return query(statement)
    return transaction([lockAuditHead, statement], ([head, changed = []]) => {
      return { statements: changed.length === 0 ? [] : entryAfter(head, audit).statements, answer: changed }
    })
  }
}

/** As `createAuditedWrite`, for keys from outside: one with a NUL character matches no row, as in `Reader`. */
export function createNulSafeWrite(database: Database): AuditedWrite {
  const write = createAuditedWrite(database)
  return async (statement, audit) => (holdsNul(statement) ? [] : write(statement, audit))
}
